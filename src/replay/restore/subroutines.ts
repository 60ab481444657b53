import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import type { Manifest } from '../../model/capture.ts';
import { glEnum, glEnums } from '../constants.ts';
import type { Restore } from './state-readers.ts';

const e = glEnums('GL_CURRENT_PROGRAM', 'GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS');
const stages = ['VERTEX', 'TESS_CONTROL', 'TESS_EVALUATION', 'GEOMETRY', 'FRAGMENT', 'COMPUTE'].map((name) =>
  glEnum(`GL_${name}_SHADER`),
);

/**
 * Keeps the subroutines of the program in use, which are the context's and are lost whenever a program is put to use; undefined
 * for captures that choose none.
 */
export function saveSubroutines(context: GlContext, { signatures }: Manifest): Restore | undefined {
  if (!signatures.some(({ name }) => name === 'glUniformSubroutinesuiv')) return undefined;
  const { gl, scratch } = context;
  const program = context.integer(e.GL_CURRENT_PROGRAM);
  if (program === 0) return undefined;
  const kept = stages.flatMap((stage) => {
    gl.glGetProgramStageiv(program, stage, e.GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, scratch.address);
    const count = scratch.i32[0];
    if (gl.glGetError() !== 0 || count === 0) return [];
    const indices = new Scratch(count * 4);
    for (let location = 0; location < count; location++)
      gl.glGetUniformSubroutineuiv(stage, location, indices.address + location * 4);
    return [{ stage, count, indices }];
  });
  return () => {
    for (const { stage, count, indices } of kept) gl.glUniformSubroutinesuiv(stage, count, indices.address);
  };
}
