import type { GlContext } from '../gl/context.ts';
import { bytesAt, Scratch } from '../gl/native.ts';

const GL_MAP_READ_BIT = 1;
const GL_BUFFER_SIZE = 0x8764;

/** Bytes of the buffer that is bound to a target. */
export function boundSize({ gl, scratch }: GlContext, target: number): number {
  scratch.i64[0] = 0n;
  gl.glGetBufferParameteri64v(target, GL_BUFFER_SIZE, scratch.address);
  return Number(scratch.i64[0]);
}

/** Bytes of the buffer that is bound to a target; undefined when it does not have them, of which a draw itself will complain. */
export function boundBytes(
  context: GlContext,
  target: number,
  offset: number,
  sizeBytes: number,
): Uint8Array | undefined {
  const { gl } = context;
  // Immutable storage need not be mappable; only OpenGL ES has no other way.
  if (context.find('glGetBufferSubData')) {
    const own = new Scratch(sizeBytes);
    gl.glGetBufferSubData(target, offset, sizeBytes, own.address);
    return gl.glGetError() === 0 ? own.u8.subarray(0, sizeBytes) : undefined;
  }
  const pointer = gl.glMapBufferRange(target, offset, sizeBytes, GL_MAP_READ_BIT);
  if (!pointer) {
    gl.glGetError();
    return undefined;
  }
  const bytes = bytesAt(pointer, sizeBytes).slice();
  gl.glUnmapBuffer(target);
  return bytes;
}
