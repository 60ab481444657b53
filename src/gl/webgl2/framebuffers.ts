import { type CopyTexImage, copyPart, partOfCopy } from '../new-storage/copies.ts';
import { clearNewRenderbuffer } from '../new-storage/renderbuffers.ts';
import { constants as c } from './constants.ts';
import type { Core, View } from './core.ts';
import { idOf, isDeleted, type WebGLFramebuffer, type WebGLRenderbuffer, type WebGLTexture } from './objects.ts';
import { packedSize } from './pixels.ts';

/** Names of the canvas's buffers in WebGL, and of its framebuffer object's in GL. */
const attachmentOf = new Map<number, number>([
  [c.BACK, c.COLOR_ATTACHMENT0],
  [c.COLOR, c.COLOR_ATTACHMENT0],
  [c.DEPTH, c.DEPTH_ATTACHMENT],
  [c.STENCIL, c.STENCIL_ATTACHMENT],
]);

/** Binding and filling framebuffers, and reading from them; null is the canvas. */
export function framebufferMethods(core: Core) {
  const { gl } = core;
  const { scratch } = core.context;
  const boundTo = (target: number) => (target === c.READ_FRAMEBUFFER ? core.readFramebuffer : core.drawFramebuffer);
  const attach = (target: number, object: WebGLTexture | WebGLRenderbuffer | null, call: () => void) => {
    if (boundTo(target) === null || (object && isDeleted(object))) core.fail(c.INVALID_OPERATION);
    else call();
  };
  const store = (format: number, call: () => void) =>
    core.allocate(call, () => clearNewRenderbuffer(core.context, core.integer(c.RENDERBUFFER_BINDING), format));
  const targetOf = (texture: number) => {
    const handle = core.handles.get('texture', texture);
    return (handle && core.textureTargets.get(handle)) ?? c.TEXTURE_2D;
  };
  /** Enum lists in scratch memory, translated when they name the canvas's buffers. */
  const list = (values: ArrayLike<number>, onCanvas: boolean): number => {
    scratch.u32.set(
      Array.from(values, (value) => (onCanvas ? (attachmentOf.get(value) ?? value) : value)).slice(0, 64),
    );
    return scratch.address;
  };

  return {
    bindFramebuffer(target: number, framebuffer: WebGLFramebuffer | null) {
      if (framebuffer && isDeleted(framebuffer)) return core.fail(c.INVALID_OPERATION);
      if (target !== c.READ_FRAMEBUFFER) core.drawFramebuffer = framebuffer;
      if (target !== c.DRAW_FRAMEBUFFER) core.readFramebuffer = framebuffer;
      gl.glBindFramebuffer(target, core.framebufferId(framebuffer));
    },
    framebufferRenderbuffer(target: number, attachment: number, kind: number, renderbuffer: WebGLRenderbuffer | null) {
      attach(target, renderbuffer, () => gl.glFramebufferRenderbuffer(target, attachment, kind, idOf(renderbuffer)));
    },
    framebufferTexture2D(
      target: number,
      attachment: number,
      textureTarget: number,
      texture: WebGLTexture | null,
      level: number,
    ) {
      attach(target, texture, () => gl.glFramebufferTexture2D(target, attachment, textureTarget, idOf(texture), level));
    },
    framebufferTextureLayer(
      target: number,
      attachment: number,
      texture: WebGLTexture | null,
      level: number,
      layer: number,
    ) {
      attach(target, texture, () => gl.glFramebufferTextureLayer(target, attachment, idOf(texture), level, layer));
    },
    drawBuffers(buffers: ArrayLike<number>) {
      const onCanvas = core.drawFramebuffer === null;
      if (onCanvas && (buffers.length !== 1 || (buffers[0] !== c.BACK && buffers[0] !== c.NONE)))
        return core.fail(c.INVALID_OPERATION);
      gl.glDrawBuffers(buffers.length, list(buffers, onCanvas));
    },
    readBuffer(source: number) {
      const onCanvas = core.readFramebuffer === null;
      if (onCanvas && source !== c.BACK && source !== c.NONE) return core.fail(c.INVALID_OPERATION);
      gl.glReadBuffer(onCanvas ? (attachmentOf.get(source) ?? source) : source);
    },
    invalidateFramebuffer(target: number, attachments: ArrayLike<number>) {
      gl.glInvalidateFramebuffer(target, attachments.length, list(attachments, boundTo(target) === null));
    },
    invalidateSubFramebuffer(
      target: number,
      attachments: ArrayLike<number>,
      x: number,
      y: number,
      width: number,
      height: number,
    ) {
      const names = list(attachments, boundTo(target) === null);
      gl.glInvalidateSubFramebuffer(target, attachments.length, names, x, y, width, height);
    },
    blitFramebuffer(...args: [number, number, number, number, number, number, number, number, number, number]) {
      if (!core.readsResolvedCanvas) gl.glBlitFramebuffer(...args);
      else if (core.drawFramebuffer === null) core.fail(c.INVALID_OPERATION);
      else
        core.whileReading(() => {
          gl.glBindFramebuffer(c.DRAW_FRAMEBUFFER, core.framebufferId(core.drawFramebuffer));
          gl.glBlitFramebuffer(...args);
        });
    },
    copyTexImage2D(...args: CopyTexImage) {
      core.whileReading(() => {
        const part = partOfCopy(core.context, args, targetOf);
        if (part) copyPart(core.context, args, part);
        else gl.glCopyTexImage2D(...args);
      });
    },
    renderbufferStorage(target: number, format: number, width: number, height: number) {
      store(format, () => gl.glRenderbufferStorage(target, format, width, height));
    },
    renderbufferStorageMultisample(target: number, samples: number, format: number, width: number, height: number) {
      store(format, () => gl.glRenderbufferStorageMultisample(target, samples, format, width, height));
    },
    copyTexSubImage2D(...args: [number, number, number, number, number, number, number, number]) {
      core.whileReading(() => gl.glCopyTexSubImage2D(...args));
    },
    copyTexSubImage3D(...args: [number, number, number, number, number, number, number, number, number]) {
      core.whileReading(() => gl.glCopyTexSubImage3D(...args));
    },
    /** Into a view, from element `offset` on, or into the bound PIXEL_PACK_BUFFER at a byte offset. */
    readPixels(
      x: number,
      y: number,
      width: number,
      height: number,
      format: number,
      type: number,
      destination: View | number | null,
      offset = 0,
    ) {
      const packBuffer = core.integer(c.PIXEL_PACK_BUFFER_BINDING) !== 0;
      if (typeof destination === 'number') {
        if (!packBuffer) return core.fail(c.INVALID_OPERATION);
        core.whileReading(() => gl.glReadPixels(x, y, width, height, format, type, destination));
        return;
      }
      if (packBuffer || destination === null) return core.fail(packBuffer ? c.INVALID_OPERATION : c.INVALID_VALUE);
      const bytes = new Uint8Array(destination.buffer, destination.byteOffset, destination.byteLength).subarray(
        offset * ((destination as Uint8Array).BYTES_PER_ELEMENT ?? 1),
      );
      const needed = packedSize(core, width, height, format, type);
      if (needed === undefined || needed > bytes.byteLength) return core.fail(c.INVALID_OPERATION);
      // Through memory of its own, since small views move.
      const copy = new Uint8Array(Math.max(64, needed));
      copy.set(bytes.subarray(0, needed));
      core.whileReading(() => gl.glReadPixels(x, y, width, height, format, type, core.bytes(copy)));
      bytes.set(copy.subarray(0, needed));
    },
    getFramebufferAttachmentParameter(target: number, attachment: number, pname: number): unknown {
      const name = boundTo(target) === null ? (attachmentOf.get(attachment) ?? attachment) : attachment;
      scratch.i32[0] = 0;
      gl.glGetFramebufferAttachmentParameteriv(target, name, pname, scratch.address);
      const value = scratch.i32[0];
      if (pname === c.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
        return boundTo(target) === null && value !== c.NONE ? c.FRAMEBUFFER_DEFAULT : value;
      if (pname !== c.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) return value;
      gl.glGetFramebufferAttachmentParameteriv(target, name, c.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, scratch.address);
      return core.handles.get(scratch.i32[0] === c.TEXTURE ? 'texture' : 'renderbuffer', value);
    },
  };
}
