import type { GlContext } from '../gl/context.ts';
import { Scratch } from '../gl/native.ts';
import { glEnums } from './constants.ts';
import { callsTextureLod, upgraded } from './shader-upgrade.ts';

const e = glEnums('GL_FRAGMENT_SHADER', 'GL_SHADER_SOURCE_LENGTH', 'GL_SHADER_TYPE');

function sourceOf({ gl, scratch }: GlContext, shader: number): string {
  gl.glGetShaderiv(shader, e.GL_SHADER_SOURCE_LENGTH, scratch.address);
  const own = new Scratch(scratch.i32[0] + 8);
  gl.glGetShaderSource(shader, own.sizeBytes, scratch.address, own.address);
  return new TextDecoder().decode(own.u8.slice(0, Math.max(0, scratch.i32[0])));
}

function compiled({ gl }: GlContext, type: number, source: string): number {
  const text = new TextEncoder().encode(`${source}\0`);
  const bytes = new Scratch(text.length);
  bytes.u8.set(text);
  const pointer = new Scratch(8);
  pointer.u64[0] = BigInt(bytes.address);
  const shader = gl.glCreateShader(type);
  gl.glShaderSource(shader, 1, pointer.address, 0);
  gl.glCompileShader(shader);
  return shader;
}

/** Puts newer shaders in the place of a program's own for the time of a link. */
interface LinkUpgrade {
  attach(program: number): void;
  detach(program: number): void;
}

/** What a program of GLSL ES 1.00 is to be linked with where the driver lacks GL_EXT_shader_texture_lod and it calls that. */
export function upgradeFor(context: GlContext, shaders: readonly number[]): LinkUpgrade | undefined {
  const { gl, scratch } = context;
  if (context.extensions.has('GL_EXT_shader_texture_lod')) return undefined;
  const sources = shaders.map((shader) => sourceOf(context, shader));
  if (!sources.some(callsTextureLod)) return undefined;
  const newer = shaders.map((shader, index) => {
    gl.glGetShaderiv(shader, e.GL_SHADER_TYPE, scratch.address);
    const type = scratch.i32[0];
    return compiled(context, type, upgraded(sources[index], type === e.GL_FRAGMENT_SHADER));
  });
  const swap = (program: number, from: readonly number[], to: readonly number[]) => {
    for (const shader of from) gl.glDetachShader(program, shader);
    for (const shader of to) gl.glAttachShader(program, shader);
  };
  return {
    attach: (program) => swap(program, shaders, newer),
    detach(program) {
      swap(program, newer, shaders);
      for (const shader of newer) gl.glDeleteShader(shader);
    },
  };
}
