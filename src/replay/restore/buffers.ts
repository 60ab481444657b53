import { Scratch } from '../../gl/native.ts';
import { GL } from '../../model/gl-constants.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_BUFFER_SIZE', 'GL_BUFFER_USAGE', 'GL_STATIC_COPY');

/** Something that can be put back as it was when this was made. */
export interface Saved {
  restore(): void;
  destroy(): void;
}

/** Keeps a copy of a buffer's bytes; its size and usage are put back too. */
export function saveBuffer({ context, objects }: ReplayState, id: number): Saved {
  const { gl, scratch } = context;
  const own = new Scratch(64);
  const parameter = (pname: number) => {
    gl.glGetBufferParameteriv(GL.COPY_READ_BUFFER, pname, scratch.address);
    return scratch.i32[0];
  };
  gl.glBindBuffer(GL.COPY_READ_BUFFER, objects.names.buffer[id]);
  const sizeBytes = parameter(e.GL_BUFFER_SIZE);
  const usage = parameter(e.GL_BUFFER_USAGE);
  gl.glGenBuffers(1, own.address);
  const copy = own.u32[0];
  gl.glBindBuffer(GL.COPY_WRITE_BUFFER, copy);
  gl.glBufferData(GL.COPY_WRITE_BUFFER, sizeBytes, 0, e.GL_STATIC_COPY);
  if (sizeBytes > 0) gl.glCopyBufferSubData(GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER, 0, 0, sizeBytes);
  return {
    restore() {
      gl.glBindBuffer(GL.COPY_READ_BUFFER, objects.names.buffer[id]);
      if (parameter(e.GL_BUFFER_SIZE) !== sizeBytes || parameter(e.GL_BUFFER_USAGE) !== usage)
        gl.glBufferData(GL.COPY_READ_BUFFER, sizeBytes, 0, usage);
      gl.glBindBuffer(GL.COPY_WRITE_BUFFER, copy);
      if (sizeBytes > 0) gl.glCopyBufferSubData(GL.COPY_WRITE_BUFFER, GL.COPY_READ_BUFFER, 0, 0, sizeBytes);
    },
    destroy() {
      gl.glDeleteBuffers(1, own.address);
    },
  };
}
