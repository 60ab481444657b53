import type { GlContext } from '../../gl/context.ts';
import type { GlFunction } from '../../gl/native.ts';
import { Scratch } from '../../gl/native.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import type { Saved } from './buffers.ts';

const e = glEnums(
  'GL_LINK_STATUS',
  'GL_ACTIVE_UNIFORMS',
  'GL_ACTIVE_UNIFORM_BLOCKS',
  'GL_UNIFORM_BLOCK_BINDING',
  'GL_SHADER_STORAGE_BLOCK',
  'GL_ACTIVE_RESOURCES',
  'GL_BUFFER_BINDING',
  'GL_FLOAT',
  'GL_INT',
  'GL_UNSIGNED_INT',
  'GL_BOOL',
  'GL_DOUBLE',
);

type Base = 'f' | 'i' | 'ui' | 'd';
interface UniformType {
  readonly base: Base;
  readonly components: number;
  /** Name of the setter without `glUniform`. */
  readonly setter: string;
  readonly matrix: boolean;
}

const types = new Map<number, UniformType>();
const vectors: readonly (readonly [first: number, scalar: number, base: Base])[] = [
  [0x8b50, e.GL_FLOAT, 'f'],
  [0x8b53, e.GL_INT, 'i'],
  [0x8dc6, e.GL_UNSIGNED_INT, 'ui'],
  [0x8b57, e.GL_BOOL, 'i'],
  [0x8ffc, e.GL_DOUBLE, 'd'],
];
for (const [first, scalar, base] of vectors) {
  types.set(scalar, { base, components: 1, setter: `1${base}v`, matrix: false });
  for (let n = 2; n <= 4; n++) types.set(first + n - 2, { base, components: n, setter: `${n}${base}v`, matrix: false });
}
const matrices: readonly (readonly [type: number, columns: number, rows: number])[] = [
  [0x8b5a, 2, 2],
  [0x8b5b, 3, 3],
  [0x8b5c, 4, 4],
  [0x8b65, 2, 3],
  [0x8b66, 2, 4],
  [0x8b67, 3, 2],
  [0x8b68, 3, 4],
  [0x8b69, 4, 2],
  [0x8b6a, 4, 3],
];
/** The first of the matrices of doubles, which follow each other as those of floats do but for a gap there. */
const GL_DOUBLE_MAT2 = 0x8f46;
for (const [index, [type, columns, rows]] of matrices.entries()) {
  const size = columns === rows ? `${columns}` : `${columns}x${rows}`;
  const common = { components: columns * rows, matrix: true };
  types.set(type, { ...common, base: 'f', setter: `Matrix${size}fv` });
  types.set(GL_DOUBLE_MAT2 + index, { ...common, base: 'd', setter: `Matrix${size}dv` });
}
const bytesOf: Readonly<Record<Base, number>> = { f: 4, i: 4, ui: 4, d: 8 };
/** Samplers, images and atomic counters hold one integer. */
const opaque: UniformType = { base: 'i', components: 1, setter: '1iv', matrix: false };
const isImage = (type: number) => type >= 0x904c && type <= 0x906c;
const isCounter = (type: number) => type === 0x92db;

interface SavedUniform {
  readonly name: string;
  readonly count: number;
  readonly type: UniformType;
  readonly values: Scratch;
}

/** Storage blocks' bindings, where GL can change them: OpenGL ES takes them from the shader. */
function storageBindings(context: GlContext, program: number): number[] {
  if (!context.find('glShaderStorageBlockBinding')) return [];
  const { gl, scratch } = context;
  gl.glGetProgramInterfaceiv(program, e.GL_SHADER_STORAGE_BLOCK, e.GL_ACTIVE_RESOURCES, scratch.address);
  const bindings: number[] = [];
  for (let index = 0, count = scratch.i32[0]; index < count; index++) {
    scratch.u32[0] = e.GL_BUFFER_BINDING;
    const result = scratch.address + 8;
    gl.glGetProgramResourceiv(program, e.GL_SHADER_STORAGE_BLOCK, index, 1, scratch.address, 1, 0, result);
    bindings.push(scratch.i32[2]);
  }
  return bindings;
}

/** Keeps every uniform and block binding of a linked program; null when it is not linked. */
export function saveProgram({ context }: ReplayState, program: number): Saved | null {
  const { gl, scratch } = context;
  const get = (pname: number) => {
    gl.glGetProgramiv(program, pname, scratch.address);
    return scratch.i32[0];
  };
  if (get(e.GL_LINK_STATUS) === 0) return null;
  const getter: Record<Base, () => GlFunction> = {
    f: () => gl.glGetUniformfv,
    i: () => gl.glGetUniformiv,
    ui: () => gl.glGetUniformuiv,
    d: () => gl.glGetUniformdv,
  };
  const uniforms: SavedUniform[] = [];
  const info = new Scratch(4096);
  for (let index = get(e.GL_ACTIVE_UNIFORMS) - 1; index >= 0; index--) {
    gl.glGetActiveUniform(program, index, 2048, info.address, info.address + 4, info.address + 8, info.address + 16);
    const [length, count, glType] = [info.i32[0], info.i32[1], info.u32[2]];
    const name = Buffer.from(info.u8.buffer, 16, length).toString();
    const location = gl.glGetUniformLocation(program, scratch.cString(name));
    // Images take their unit from the shader; blocks' members live in buffers.
    if (location < 0 || isImage(glType) || isCounter(glType)) continue;
    const type = types.get(glType) ?? opaque;
    const sizeBytes = type.components * bytesOf[type.base];
    const values = new Scratch(count * sizeBytes);
    const stem = name.replace(/\[0\]$/, '');
    for (let element = 0; element < count; element++) {
      const at = count === 1 ? location : gl.glGetUniformLocation(program, scratch.cString(`${stem}[${element}]`));
      if (at >= 0) getter[type.base]()(program, at, values.address + element * sizeBytes);
    }
    uniforms.push({ name, count, type, values });
  }
  const blocks: number[] = [];
  for (let index = 0; index < get(e.GL_ACTIVE_UNIFORM_BLOCKS); index++) {
    gl.glGetActiveUniformBlockiv(program, index, e.GL_UNIFORM_BLOCK_BINDING, info.address);
    blocks.push(info.i32[0]);
  }
  const storage = storageBindings(context, program);
  return {
    restore() {
      gl.glUseProgram(program);
      for (const { name, count, type, values } of uniforms) {
        const location = gl.glGetUniformLocation(program, scratch.cString(name));
        const set = gl[`glUniform${type.setter}`];
        if (type.matrix) set(location, count, 0, values.address);
        else set(location, count, values.address);
      }
      for (const [index, binding] of blocks.entries()) gl.glUniformBlockBinding(program, index, binding);
      for (const [index, binding] of storage.entries()) gl.glShaderStorageBlockBinding(program, index, binding);
    },
    destroy() {},
  };
}
