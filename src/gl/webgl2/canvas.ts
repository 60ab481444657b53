import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../context.ts';
import { constants as c } from './constants.ts';

/** How the canvas is made; sizes in pixels. As WebGLContextAttributes, with the sample count in the open. */
export interface CanvasOptions {
  readonly width: number;
  readonly height: number;
  readonly alpha?: boolean;
  readonly depth?: boolean;
  readonly stencil?: boolean;
  /** True for 4 samples, or how many; the context's limit lowers it. */
  readonly antialias?: boolean | number;
}

/** The default framebuffer of a context that has none: a framebuffer object, and a single-sample copy to read from. */
export interface CanvasTarget {
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
  readonly samples: number;
  readonly drawId: number;
  /** The same as drawId when it is not multisampled. */
  readonly readId: number;
  /** Brings the copy up to date; leaves both framebuffer bindings changed. */
  resolve(): void;
  destroy(): void;
}

export function createCanvas(context: GlContext, options: CanvasOptions): CanvasTarget {
  const { gl, scratch } = context;
  const { width, height, alpha = true, depth = true, stencil = false, antialias = false } = options;
  const limit = context.integer(c.MAX_RENDERBUFFER_SIZE);
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0))
    throw new GpuprofError('bad-usage', `a canvas of ${width}x${height} pixels cannot be made`);
  if (width > limit || height > limit)
    throw new GpuprofError('missing-feature', `${context.renderer} has no canvas of ${width}x${height} pixels`, {
      hint: `its limit is ${limit}`,
    });
  const samples = Math.min(Number(antialias === true ? 4 : antialias), context.integer(c.MAX_SAMPLES));
  const made: { framebuffers: number[]; renderbuffers: number[] } = { framebuffers: [], renderbuffers: [] };

  const generate = (name: 'glGenFramebuffers' | 'glGenRenderbuffers', list: number[]): number => {
    gl[name](1, scratch.address);
    list.push(scratch.u32[0]);
    return scratch.u32[0];
  };
  const attach = (attachment: number, format: number, count: number) => {
    const id = generate('glGenRenderbuffers', made.renderbuffers);
    gl.glBindRenderbuffer(c.RENDERBUFFER, id);
    if (count > 0) gl.glRenderbufferStorageMultisample(c.RENDERBUFFER, count, format, width, height);
    else gl.glRenderbufferStorage(c.RENDERBUFFER, format, width, height);
    gl.glFramebufferRenderbuffer(c.FRAMEBUFFER, attachment, c.RENDERBUFFER, id);
  };
  const build = (count: number): number => {
    const id = generate('glGenFramebuffers', made.framebuffers);
    gl.glBindFramebuffer(c.FRAMEBUFFER, id);
    attach(c.COLOR_ATTACHMENT0, alpha ? c.RGBA8 : c.RGB8, count);
    if (depth || stencil)
      attach(
        depth && stencil ? c.DEPTH_STENCIL_ATTACHMENT : depth ? c.DEPTH_ATTACHMENT : c.STENCIL_ATTACHMENT,
        depth && stencil ? c.DEPTH24_STENCIL8 : depth ? c.DEPTH_COMPONENT24 : c.STENCIL_INDEX8,
        count,
      );
    const status = gl.glCheckFramebufferStatus(c.FRAMEBUFFER);
    if (status !== c.FRAMEBUFFER_COMPLETE)
      throw new GpuprofError('missing-feature', `${context.renderer} cannot draw to a ${width}x${height} canvas`, {
        hint: `framebuffer status 0x${status.toString(16)}`,
      });
    return id;
  };

  const drawId = build(samples);
  const readId = samples > 0 ? build(0) : drawId;
  for (const id of new Set([readId, drawId])) {
    gl.glBindFramebuffer(c.FRAMEBUFFER, id);
    gl.glClear(c.COLOR_BUFFER_BIT | c.DEPTH_BUFFER_BIT | c.STENCIL_BUFFER_BIT);
  }
  gl.glBindRenderbuffer(c.RENDERBUFFER, 0);

  return {
    width,
    height,
    alpha,
    depth,
    stencil,
    samples,
    drawId,
    readId,
    resolve() {
      const scissor = gl.glIsEnabled(c.SCISSOR_TEST);
      if (scissor) gl.glDisable(c.SCISSOR_TEST);
      gl.glBindFramebuffer(c.READ_FRAMEBUFFER, drawId);
      gl.glBindFramebuffer(c.DRAW_FRAMEBUFFER, readId);
      let mask = c.COLOR_BUFFER_BIT as number;
      if (depth) mask |= c.DEPTH_BUFFER_BIT;
      if (stencil) mask |= c.STENCIL_BUFFER_BIT;
      gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, mask, c.NEAREST);
      if (scissor) gl.glEnable(c.SCISSOR_TEST);
    },
    destroy() {
      for (const id of made.framebuffers) {
        scratch.u32[0] = id;
        gl.glDeleteFramebuffers(1, scratch.address);
      }
      for (const id of made.renderbuffers) {
        scratch.u32[0] = id;
        gl.glDeleteRenderbuffers(1, scratch.address);
      }
    },
  };
}
