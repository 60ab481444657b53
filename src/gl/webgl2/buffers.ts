import koffi from 'koffi';
import { constants as c } from './constants.ts';
import type { Core, View } from './core.ts';
import { idOf, isDeleted, type WebGLBuffer } from './objects.ts';
import { viewBytes } from './textures.ts';

const GL_MAP_READ_BIT = 1;

type Source = View | ArrayBuffer | number | null;

const toBytes = (source: View | ArrayBuffer, offset: number, length: number): Uint8Array =>
  ArrayBuffer.isView(source) ? viewBytes(source, offset, length) : new Uint8Array(source);

const bindingOf = new Map<number, number>([
  [c.ARRAY_BUFFER, c.ARRAY_BUFFER_BINDING],
  [c.ELEMENT_ARRAY_BUFFER, c.ELEMENT_ARRAY_BUFFER_BINDING],
  [c.COPY_READ_BUFFER, c.COPY_READ_BUFFER],
  [c.COPY_WRITE_BUFFER, c.COPY_WRITE_BUFFER],
  [c.PIXEL_PACK_BUFFER, c.PIXEL_PACK_BUFFER_BINDING],
  [c.PIXEL_UNPACK_BUFFER, c.PIXEL_UNPACK_BUFFER_BINDING],
  [c.TRANSFORM_FEEDBACK_BUFFER, c.TRANSFORM_FEEDBACK_BUFFER_BINDING],
  [c.UNIFORM_BUFFER, c.UNIFORM_BUFFER_BINDING],
]);

/** Buffers and their contents. */
export function bufferMethods(core: Core) {
  const { gl } = core;
  const { scratch } = core.context;

  return {
    bindBuffer(target: number, buffer: WebGLBuffer | null) {
      if (buffer && isDeleted(buffer)) return core.fail(c.INVALID_OPERATION);
      if (target === c.ELEMENT_ARRAY_BUFFER) core.arrays.elementBuffer = buffer;
      if (target === c.ARRAY_BUFFER) core.arrayBuffer = buffer;
      gl.glBindBuffer(target, idOf(buffer));
    },
    bufferData(target: number, source: Source, usage: number, offset = 0, length = 0) {
      if (source === null) return core.fail(c.INVALID_VALUE);
      if (typeof source === 'number') {
        if (source < 0) return core.fail(c.INVALID_VALUE);
        // WebGL promises zeros where GL leaves what was there.
        const zeros = new Uint8Array(Math.max(64, source));
        gl.glBufferData(target, source, core.bytes(zeros), usage);
        return;
      }
      const bytes = toBytes(source, offset, length);
      gl.glBufferData(target, bytes.byteLength, core.bytes(bytes), usage);
    },
    bufferSubData(target: number, byteOffset: number, source: View | ArrayBuffer, offset = 0, length = 0) {
      const bytes = toBytes(source, offset, length);
      gl.glBufferSubData(target, byteOffset, bytes.byteLength, core.bytes(bytes));
    },
    getBufferSubData(target: number, byteOffset: number, destination: View, offset = 0, length = 0) {
      const bytes = viewBytes(destination, offset, length);
      const binding = bindingOf.get(target);
      if (binding === undefined) return core.fail(c.INVALID_ENUM);
      if (core.integer(binding) === 0) return core.fail(c.INVALID_OPERATION);
      gl.glGetBufferParameteriv(target, c.BUFFER_SIZE, scratch.address);
      if (byteOffset < 0 || byteOffset + bytes.byteLength > scratch.i32[0]) return core.fail(c.INVALID_VALUE);
      if (bytes.byteLength === 0) return;
      const mapped = gl.glMapBufferRange(target, byteOffset, bytes.byteLength, GL_MAP_READ_BIT);
      if (!mapped) return core.fail(c.OUT_OF_MEMORY);
      bytes.set(new Uint8Array(koffi.view(mapped, bytes.byteLength)));
      gl.glUnmapBuffer(target);
    },
    getBufferParameter(target: number, pname: number): number {
      gl.glGetBufferParameteriv(target, pname, scratch.address);
      return scratch.i32[0];
    },
  };
}
