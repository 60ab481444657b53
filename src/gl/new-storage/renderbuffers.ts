/** What new renderbuffers hold in WebGL: zeros, and depth 1. GL leaves there whatever was in the memory before. */
import { GL } from '../../model/gl-constants.ts';
import { layoutOf } from '../../model/texture-formats.ts';
import type { GlContext } from '../context.ts';
import { Scratch } from '../native.ts';

const FRAMEBUFFER_COMPLETE = 0x8cd5;
const DRAW_FRAMEBUFFER_BINDING = 0x8ca6;
const SCISSOR_TEST = 0x0c11;
const RASTERIZER_DISCARD = 0x8c89;
const COLOR_WRITEMASK = 0x0c23;
const DEPTH_WRITEMASK = 0x0b72;
const STENCIL_WRITEMASK = 0x0b98;
const FRONT = 0x0404;

/** Runs `clear` with all state off that keeps clears of the first colour buffer, depth and stencil from all pixels. */
export function withWholeClears(context: GlContext, clear: () => void): void {
  const { gl, scratch } = context;
  const on = [SCISSOR_TEST, RASTERIZER_DISCARD].filter((capability) => gl.glIsEnabled(capability));
  const depth = context.integer(DEPTH_WRITEMASK);
  const stencil = context.integer(STENCIL_WRITEMASK);
  const indexed = context.find('glColorMaski') && context.find('glGetIntegeri_v');
  if (indexed) indexed(COLOR_WRITEMASK, 0, scratch.address);
  else gl.glGetIntegerv(COLOR_WRITEMASK, scratch.address);
  const color = [...scratch.i32.slice(0, 4)];
  const setColor = (mask: readonly number[]) => {
    if (indexed) gl.glColorMaski(0, ...mask);
    else gl.glColorMask(...mask);
  };
  for (const capability of on) gl.glDisable(capability);
  setColor([1, 1, 1, 1]);
  gl.glDepthMask(1);
  gl.glStencilMaskSeparate(FRONT, 0xffffffff);
  clear();
  setColor(color);
  gl.glDepthMask(depth);
  gl.glStencilMaskSeparate(FRONT, stencil >>> 0);
  for (const capability of on) gl.glEnable(capability);
}

/** Gives new storage of a renderbuffer, by its GL name, what WebGL says it holds: every sample. Changes no state. */
export function clearNewRenderbuffer(context: GlContext, name: number, internalFormat: number): void {
  const { gl } = context;
  const { numbers } = layoutOf(internalFormat, internalFormat, 0);
  const own = new Scratch(64);
  const values = new Scratch(64);
  const before = context.integer(DRAW_FRAMEBUFFER_BINDING);
  gl.glGenFramebuffers(1, own.address);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, own.u32[0]);
  const attach = (point: number) => {
    gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, name);
  };
  const hasDepth = numbers === 'depth' || numbers === 'depthStencil';
  const hasStencil = numbers === 'stencil' || numbers === 'depthStencil';
  if (hasDepth) attach(GL.DEPTH_ATTACHMENT);
  if (hasStencil) attach(GL.STENCIL_ATTACHMENT);
  if (!hasDepth && !hasStencil) attach(GL.COLOR_ATTACHMENT0);
  // What no framebuffer takes cannot be read either.
  if (gl.glCheckFramebufferStatus(GL.DRAW_FRAMEBUFFER) === FRAMEBUFFER_COMPLETE)
    withWholeClears(context, () => {
      if (hasDepth && hasStencil) gl.glClearBufferfi(GL.DEPTH_STENCIL, 0, 1, 0);
      else if (hasStencil) gl.glClearBufferiv(GL.STENCIL, 0, values.address);
      else if (hasDepth) {
        values.f32[0] = 1;
        gl.glClearBufferfv(GL.DEPTH, 0, values.address);
      } else if (numbers === 'int') gl.glClearBufferiv(GL.COLOR, 0, values.address);
      else if (numbers === 'uint') gl.glClearBufferuiv(GL.COLOR, 0, values.address);
      else gl.glClearBufferfv(GL.COLOR, 0, values.address);
    });
  gl.glDeleteFramebuffers(1, own.address);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, before);
}
