import { constants as c } from './constants.ts';
import type { Core } from './core.ts';
import { idOf, readLocation, type WebGLProgram, type WebGLUniformLocation } from './objects.ts';

type Numbers = ArrayLike<number>;
type Base = 'float' | 'int' | 'uint' | 'bool';

/** Components and base type of each uniform type; matrices are floats, everything unlisted is a sampler (one int). */
const shapes = new Map<number, readonly [Base, number]>([
  [c.FLOAT, ['float', 1]],
  [c.FLOAT_VEC2, ['float', 2]],
  [c.FLOAT_VEC3, ['float', 3]],
  [c.FLOAT_VEC4, ['float', 4]],
  [c.INT, ['int', 1]],
  [c.INT_VEC2, ['int', 2]],
  [c.INT_VEC3, ['int', 3]],
  [c.INT_VEC4, ['int', 4]],
  [c.UNSIGNED_INT, ['uint', 1]],
  [c.UNSIGNED_INT_VEC2, ['uint', 2]],
  [c.UNSIGNED_INT_VEC3, ['uint', 3]],
  [c.UNSIGNED_INT_VEC4, ['uint', 4]],
  [c.BOOL, ['bool', 1]],
  [c.BOOL_VEC2, ['bool', 2]],
  [c.BOOL_VEC3, ['bool', 3]],
  [c.BOOL_VEC4, ['bool', 4]],
  [c.FLOAT_MAT2, ['float', 4]],
  [c.FLOAT_MAT3, ['float', 9]],
  [c.FLOAT_MAT4, ['float', 16]],
  [c.FLOAT_MAT2x3, ['float', 6]],
  [c.FLOAT_MAT2x4, ['float', 8]],
  [c.FLOAT_MAT3x2, ['float', 6]],
  [c.FLOAT_MAT3x4, ['float', 12]],
  [c.FLOAT_MAT4x2, ['float', 8]],
  [c.FLOAT_MAT4x3, ['float', 12]],
]);

/** uniform* in all its forms, vertexAttrib*v and clearBuffer*v (lists of numbers), and getUniform. */
export function uniformMethods(core: Core): Record<string, (...args: never[]) => unknown> {
  const { gl } = core;
  const { scratch } = core.context;
  const methods: Record<string, (...args: never[]) => unknown> = {};

  /** The location's index in the program in use; undefined when the call must do nothing. */
  const indexOf = (location: WebGLUniformLocation | null): number | undefined => {
    if (!location) return undefined;
    const { program, index } = readLocation(location);
    if (program === core.program) return index;
    core.fail(c.INVALID_OPERATION);
    return undefined;
  };
  /** Numbers in memory that GL can read, and how many. */
  const put = (type: 'f' | 'i' | 'ui', values: Numbers, offset: number, length: number): [number, number] => {
    const count = length > 0 ? length : values.length - offset;
    const Type = type === 'f' ? Float32Array : type === 'i' ? Int32Array : Uint32Array;
    const list = new Type(Math.max(16, count));
    for (let index = 0; index < count; index++) list[index] = values[offset + index];
    return [core.bytes(list), count];
  };
  /** Whether the list is whole vectors or matrices and inside its array. */
  const fits = (values: Numbers, offset: number, length: number, size: number): boolean => {
    const count = length > 0 ? length : values.length - offset;
    const good = count >= size && count % size === 0 && offset + count <= values.length;
    if (!good) core.fail(c.INVALID_VALUE);
    return good;
  };

  for (const size of [1, 2, 3, 4] as const)
    for (const type of ['f', 'i', 'ui'] as const) {
      methods[`uniform${size}${type}`] = (location: WebGLUniformLocation | null, ...values: number[]) => {
        const index = indexOf(location);
        if (index === undefined) return;
        const numbers = Array.from({ length: size }, (_, at) => Number(values[at]));
        gl[`glUniform${size}${type}`](index, ...(type === 'f' ? numbers : numbers.map((n) => Math.trunc(n) || 0)));
      };
      methods[`uniform${size}${type}v`] = (
        location: WebGLUniformLocation | null,
        values: Numbers,
        offset = 0,
        length = 0,
      ) => {
        const index = indexOf(location);
        if (index === undefined || !fits(values, offset, length, size)) return;
        const [address, count] = put(type, values, offset, length);
        gl[`glUniform${size}${type}v`](index, count / size, address);
      };
    }

  for (const shape of ['2', '3', '4', '2x3', '2x4', '3x2', '3x4', '4x2', '4x3']) {
    const [columns, rows = columns] = shape.split('x').map(Number);
    methods[`uniformMatrix${shape}fv`] = (
      location: WebGLUniformLocation | null,
      transpose: boolean,
      values: Numbers,
      offset = 0,
      length = 0,
    ) => {
      const index = indexOf(location);
      if (index === undefined || !fits(values, offset, length, columns * rows)) return;
      const [address, count] = put('f', values, offset, length);
      gl[`glUniformMatrix${shape}fv`](index, count / (columns * rows), transpose ? 1 : 0, address);
    };
  }

  for (const [suffix, size, type] of [
    ['1fv', 1, 'f'],
    ['2fv', 2, 'f'],
    ['3fv', 3, 'f'],
    ['4fv', 4, 'f'],
    ['I4iv', 4, 'i'],
    ['I4uiv', 4, 'ui'],
  ] as const)
    methods[`vertexAttrib${suffix}`] = (index: number, values: Numbers) => {
      if (values.length < size) return core.fail(c.INVALID_VALUE);
      gl[`glVertexAttrib${suffix}`](index, put(type, values, 0, size)[0]);
    };

  for (const type of ['f', 'i', 'ui'] as const)
    methods[`clearBuffer${type}v`] = (buffer: number, drawBuffer: number, values: Numbers, offset = 0) => {
      const size = buffer === c.COLOR ? 4 : 1;
      if (values.length - offset < size) return core.fail(c.INVALID_VALUE);
      gl[`glClearBuffer${type}v`](buffer, drawBuffer, put(type, values, offset, size)[0]);
    };

  methods.getUniform = (program: WebGLProgram, location: WebGLUniformLocation): unknown => {
    const { index, name } = readLocation(location);
    // Elements of an array share one active uniform, listed under its first element.
    const first = name.replace(/\[\d+\]$/, '[0]');
    core.withTexts([first], (list) => gl.glGetUniformIndices(idOf(program), 1, list, scratch.address));
    if (scratch.u32[0] === c.INVALID_INDEX) return null;
    gl.glGetActiveUniformsiv(idOf(program), 1, scratch.address, c.UNIFORM_TYPE, scratch.address + 8);
    const [base, count] = shapes.get(scratch.u32[2]) ?? ['int', 1];
    if (base === 'float') gl.glGetUniformfv(idOf(program), index, scratch.address);
    else gl[base === 'uint' ? 'glGetUniformuiv' : 'glGetUniformiv'](idOf(program), index, scratch.address);
    const memory = base === 'float' ? scratch.f32 : base === 'uint' ? scratch.u32 : scratch.i32;
    if (base === 'bool') {
      const values = Array.from(memory.subarray(0, count), Boolean);
      return count === 1 ? values[0] : values;
    }
    return count === 1 ? memory[0] : memory.slice(0, count);
  };
  return methods;
}
