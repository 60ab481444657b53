import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { glEnums } from './constants.ts';

const e = glEnums('GL_LINK_STATUS', 'GL_COMPILE_STATUS');

/** The first line of a log that says something of an error. */
function logged({ scratch }: GlContext, read: (sizeBytes: number, length: number, text: number) => void): string {
  scratch.i32[0] = 0;
  read(scratch.sizeBytes - 16, scratch.address, scratch.address + 8);
  const lines = new TextDecoder().decode(scratch.u8.slice(8, 8 + scratch.i32[0])).split(/[\n\0]/);
  return (lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line.trim() !== '') ?? '').trim();
}

function compileError(context: GlContext, shader: number): string {
  const { gl, scratch } = context;
  gl.glGetShaderiv(shader, e.GL_COMPILE_STATUS, scratch.address);
  if (scratch.i32[0] !== 0) return '';
  return logged(context, (size, length, text) => gl.glGetShaderInfoLog(shader, size, length, text));
}

/**
 * Throws GpuprofError `missing-feature` with the driver's words when a program, by its GL name, is not linked: where the
 * capture was recorded it was, or it would not be used. `id` is the capture's, `shaders` those attached.
 */
export function requireLinked(context: GlContext, program: number, id: number, shaders: readonly number[]): void {
  const { gl, scratch, renderer, versionText } = context;
  gl.glGetProgramiv(program, e.GL_LINK_STATUS, scratch.address);
  if (scratch.i32[0] !== 0) return;
  const words =
    shaders.map((shader) => compileError(context, shader)).find((text) => text !== '') ||
    logged(context, (size, length, text) => gl.glGetProgramInfoLog(program, size, length, text));
  throw new GpuprofError(
    'missing-feature',
    `${renderer} (${versionText}) does not take program ${id}, which the capture uses: ${words || 'it does not say why'}`,
    { hint: 'try another --driver or --api' },
  );
}
