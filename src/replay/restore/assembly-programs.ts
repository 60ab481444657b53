import { Scratch } from '../../gl/native.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import type { Saved } from './buffers.ts';

const e = glEnums(
  'GL_PROGRAM_LENGTH_ARB',
  'GL_PROGRAM_STRING_ARB',
  'GL_PROGRAM_FORMAT_ASCII_ARB',
  'GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB',
);
/** Drivers have room for thousands; a program that sets more than these would be the first. */
const mostParameters = 1024;

/** Keeps the text and the local parameters of an assembly program; both leave it bound. */
export function saveAssemblyProgram({ context, objects }: ReplayState, id: number, target: number): Saved {
  const { gl, scratch } = context;
  const { assemblyProgram: names } = objects.names;
  const get = (pname: number) => {
    gl.glGetProgramivARB(target, pname, scratch.address);
    return scratch.i32[0];
  };
  gl.glBindProgramARB(target, names[id]);
  const length = get(e.GL_PROGRAM_LENGTH_ARB);
  const text = new Scratch(length + 1);
  if (length > 0) gl.glGetProgramStringARB(target, e.GL_PROGRAM_STRING_ARB, text.address);
  const count = Math.min(mostParameters, get(e.GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB));
  const values = new Scratch(count * 16);
  for (let index = 0; index < count; index++)
    gl.glGetProgramLocalParameterfvARB(target, index, values.address + index * 16);
  return {
    restore() {
      gl.glBindProgramARB(target, names[id]);
      if (length > 0) gl.glProgramStringARB(target, e.GL_PROGRAM_FORMAT_ASCII_ARB, length, text.address);
      for (let index = 0; index < count; index++)
        gl.glProgramLocalParameter4fvARB(target, index, values.address + index * 16);
    },
    destroy() {},
  };
}
