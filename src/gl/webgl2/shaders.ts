import { constants as c } from './constants.ts';
import type { Core } from './core.ts';
import {
  idOf,
  isDeleted,
  type WebGLActiveInfo,
  type WebGLProgram,
  type WebGLShader,
  WebGLUniformLocation,
} from './objects.ts';

const GL_INFO_LOG_LENGTH = 0x8b84;
const GL_SHADER_SOURCE_LENGTH = 0x8b88;
const GL_ACTIVE_UNIFORM_MAX_LENGTH = 0x8b87;
const GL_ACTIVE_ATTRIBUTE_MAX_LENGTH = 0x8b8a;
const GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH = 0x8c76;
const GL_UNIFORM_BLOCK_NAME_LENGTH = 0x8a41;
const COMPLETION_STATUS_KHR = 0x91b1;

const programBooleans: readonly number[] = [c.DELETE_STATUS, c.LINK_STATUS, c.VALIDATE_STATUS, COMPLETION_STATUS_KHR];
const shaderBooleans: readonly number[] = [c.DELETE_STATUS, c.COMPILE_STATUS, COMPLETION_STATUS_KHR];
const decoder = new TextDecoder();

type Gets = 'glGetProgramiv' | 'glGetShaderiv';

/** Shaders, programs and what can be asked about them. */
export function shaderMethods(core: Core) {
  const { gl } = core;
  const { scratch } = core.context;
  const get = (command: Gets, object: WebGLProgram, pname: number): number => {
    scratch.i32[0] = 0;
    gl[command](idOf(object), pname, scratch.address);
    return scratch.i32[0];
  };
  /** Text that GL writes into `length` bytes at an address; the number written goes to scratch word 0. */
  const readText = (length: number, write: (sizeBytes: number, written: number, address: number) => void): string => {
    const out = new Uint8Array(Math.max(64, length + 1));
    scratch.i32[0] = 0;
    write(out.byteLength, scratch.address, core.bytes(out));
    return decoder.decode(out.subarray(0, Math.max(0, scratch.i32[0])));
  };
  /** One entry of a program's lists: name, then size and type in scratch words 2 and 3. */
  const active = (
    command: 'glGetActiveUniform' | 'glGetActiveAttrib' | 'glGetTransformFeedbackVarying',
    program: WebGLProgram,
    index: number,
    [countName, lengthName]: readonly [number, number],
  ): WebGLActiveInfo | null => {
    if (index >= get('glGetProgramiv', program, countName)) {
      core.fail(c.INVALID_VALUE);
      return null;
    }
    const length = get('glGetProgramiv', program, lengthName);
    const at = scratch.address;
    const name = readText(length, (size, written, address) =>
      gl[command](idOf(program), index, size, written, at + 8, at + 12, address),
    );
    return { name, size: scratch.i32[2], type: scratch.u32[3] };
  };

  return {
    createShader(type: number): WebGLShader | null {
      const id = gl.glCreateShader(type);
      return id ? core.handles.add('shader', id) : null;
    },
    createProgram(): WebGLProgram {
      return core.handles.add('program', gl.glCreateProgram());
    },
    useProgram(program: WebGLProgram | null): void {
      gl.glUseProgram(idOf(program));
      core.program = core.handles.get('program', core.integer(c.CURRENT_PROGRAM));
    },
    shaderSource(shader: WebGLShader, source: string): void {
      core.withTexts([String(source)], (list) => gl.glShaderSource(idOf(shader), 1, list, 0));
    },
    transformFeedbackVaryings(program: WebGLProgram, varyings: readonly string[], mode: number): void {
      core.withTexts(varyings, (list) => gl.glTransformFeedbackVaryings(idOf(program), varyings.length, list, mode));
    },
    getShaderParameter(shader: WebGLShader, pname: number): number | boolean {
      const value = get('glGetShaderiv', shader, pname);
      return shaderBooleans.includes(pname) ? value !== 0 : value;
    },
    getProgramParameter(program: WebGLProgram, pname: number): number | boolean {
      const value = get('glGetProgramiv', program, pname);
      return programBooleans.includes(pname) ? value !== 0 : value;
    },
    getShaderInfoLog(shader: WebGLShader): string {
      const length = get('glGetShaderiv', shader, GL_INFO_LOG_LENGTH);
      return readText(length, (size, written, address) => gl.glGetShaderInfoLog(idOf(shader), size, written, address));
    },
    getProgramInfoLog(program: WebGLProgram): string {
      const length = get('glGetProgramiv', program, GL_INFO_LOG_LENGTH);
      return readText(length, (size, written, address) =>
        gl.glGetProgramInfoLog(idOf(program), size, written, address),
      );
    },
    getShaderSource(shader: WebGLShader): string {
      const length = get('glGetShaderiv', shader, GL_SHADER_SOURCE_LENGTH);
      return readText(length, (size, written, address) => gl.glGetShaderSource(idOf(shader), size, written, address));
    },
    getAttachedShaders(program: WebGLProgram): WebGLShader[] {
      gl.glGetAttachedShaders(idOf(program), 8, scratch.address, scratch.address + 8);
      return Array.from(scratch.u32.subarray(2, 2 + scratch.i32[0]), (id) => core.handles.get('shader', id)!);
    },
    getShaderPrecisionFormat(shaderType: number, precisionType: number) {
      gl.glGetShaderPrecisionFormat(shaderType, precisionType, scratch.address, scratch.address + 8);
      const [rangeMin, rangeMax, precision] = scratch.i32;
      return { rangeMin, rangeMax, precision };
    },
    getActiveUniform(program: WebGLProgram, index: number): WebGLActiveInfo | null {
      return active('glGetActiveUniform', program, index, [c.ACTIVE_UNIFORMS, GL_ACTIVE_UNIFORM_MAX_LENGTH]);
    },
    getActiveAttrib(program: WebGLProgram, index: number): WebGLActiveInfo | null {
      return active('glGetActiveAttrib', program, index, [c.ACTIVE_ATTRIBUTES, GL_ACTIVE_ATTRIBUTE_MAX_LENGTH]);
    },
    getTransformFeedbackVarying(program: WebGLProgram, index: number): WebGLActiveInfo | null {
      return active('glGetTransformFeedbackVarying', program, index, [
        c.TRANSFORM_FEEDBACK_VARYINGS,
        GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH,
      ]);
    },
    getUniformLocation(program: WebGLProgram, name: string): WebGLUniformLocation | null {
      if (isDeleted(program)) return null;
      const index = gl.glGetUniformLocation(idOf(program), core.text(name));
      return index < 0 ? null : new WebGLUniformLocation(program, index, name);
    },
    getUniformIndices(program: WebGLProgram, names: readonly string[]): number[] {
      const out = new Uint32Array(Math.max(16, names.length));
      core.withTexts(names, (list) => gl.glGetUniformIndices(idOf(program), names.length, list, core.bytes(out)));
      return Array.from(out.subarray(0, names.length));
    },
    getActiveUniforms(program: WebGLProgram, indices: readonly number[], pname: number): (number | boolean)[] {
      const input = new Uint32Array(Math.max(16, indices.length));
      input.set(indices);
      const out = new Int32Array(input.length);
      gl.glGetActiveUniformsiv(idOf(program), indices.length, core.bytes(input), pname, core.bytes(out));
      return Array.from(out.subarray(0, indices.length), (value) =>
        pname === c.UNIFORM_IS_ROW_MAJOR ? value !== 0 : value,
      );
    },
    getActiveUniformBlockParameter(program: WebGLProgram, block: number, pname: number): unknown {
      const read = (name: number, count: number): Int32Array => {
        const out = new Int32Array(Math.max(16, count));
        gl.glGetActiveUniformBlockiv(idOf(program), block, name, core.bytes(out));
        return out.subarray(0, count);
      };
      if (pname === c.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES)
        return new Uint32Array(read(pname, read(c.UNIFORM_BLOCK_ACTIVE_UNIFORMS, 1)[0]));
      const [value] = read(pname, 1);
      const isBoolean =
        pname === c.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER ||
        pname === c.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER;
      return isBoolean ? value !== 0 : value;
    },
    getActiveUniformBlockName(program: WebGLProgram, block: number): string {
      gl.glGetActiveUniformBlockiv(idOf(program), block, GL_UNIFORM_BLOCK_NAME_LENGTH, scratch.address);
      return readText(scratch.i32[0], (size, written, address) =>
        gl.glGetActiveUniformBlockName(idOf(program), block, size, written, address),
      );
    },
  };
}
