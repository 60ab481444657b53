import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { addressOf, type GlFunction, Scratch } from '../gl/native.ts';
import { clearNewRenderbuffer, withWholeClears } from '../gl/new-storage/renderbuffers.ts';
import type { Canvas, Manifest } from '../model/capture.ts';
import { glEnums } from './constants.ts';
import { withPlainTransfer } from './internal-work.ts';

const e = glEnums(
  'GL_FRAMEBUFFER',
  'GL_DRAW_FRAMEBUFFER',
  'GL_READ_FRAMEBUFFER',
  'GL_DRAW_FRAMEBUFFER_BINDING',
  'GL_READ_FRAMEBUFFER_BINDING',
  'GL_RENDERBUFFER',
  'GL_RENDERBUFFER_BINDING',
  'GL_COLOR_ATTACHMENT0',
  'GL_COLOR_ATTACHMENT1',
  'GL_DRAW_BUFFER0',
  'GL_READ_BUFFER',
  'GL_DEPTH_ATTACHMENT',
  'GL_STENCIL_ATTACHMENT',
  'GL_RGBA8',
  'GL_RGB8',
  'GL_SRGB8_ALPHA8',
  'GL_DEPTH24_STENCIL8',
  'GL_DEPTH_COMPONENT24',
  'GL_STENCIL_INDEX8',
  'GL_FRAMEBUFFER_COMPLETE',
  'GL_FRAMEBUFFER_FLIP_Y_MESA',
  'GL_MAX_SAMPLES',
  'GL_MAX_RENDERBUFFER_SIZE',
  'GL_COLOR_BUFFER_BIT',
  'GL_DEPTH_BUFFER_BIT',
  'GL_STENCIL_BUFFER_BIT',
  'GL_NEAREST',
  'GL_RGBA',
  'GL_UNSIGNED_BYTE',
  'GL_SCISSOR_TEST',
  'GL_PIXEL_PACK_BUFFER',
  'GL_PIXEL_PACK_BUFFER_BINDING',
  'GL_COLOR',
  'GL_DEPTH',
  'GL_STENCIL',
);

/** Whether a program outside browsers drew. RenderDoc, too, replays into a framebuffer object of its own, as browsers draw. */
export const wasWindow = ({ api, origin }: Manifest): boolean =>
  !api.startsWith('webgl') && !/^RenderDoc/.test(origin.producer);

export interface CanvasPixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 8 bits each, top row first. */
  readonly data: Uint8Array;
}

/** The recorded program's default framebuffer as a framebuffer object: contexts here have no surface. */
export class CanvasFramebuffer {
  readonly samples: number;
  /** Whether the storage is upside down, top row first, as windows' is. */
  readonly isFlipped: boolean;
  readonly alpha: boolean;
  readonly hasDepth: boolean;
  readonly hasStencil: boolean;
  /** GL name of the framebuffer that stands for id 0. */
  readonly framebuffer: number;
  /** Single-sampled copy for reads; the canvas itself when it is not multisampled. */
  readonly resolved: number;
  width = 0;
  height = 0;
  readonly #context: GlContext;
  /** GL names of the renderbuffers. */
  readonly color: number;
  readonly depthStencil: number;
  readonly #resolvedColor: number;
  /** GL name of the renderbuffer of what a window shows meanwhile; 0 until a program draws into it by name. */
  front = 0;
  readonly #hasFront: boolean;
  #colorFormat: number;

  /**
   * `isWindow` asks for a canvas like the windows of programs outside browsers: a driver draws into those from the top, and
   * rounds accordingly. Leaves the canvas bound for drawing and reading. Throws GpuprofError `missing-feature` when it is
   * too big.
   */
  constructor(context: GlContext, canvas: Canvas, isWindow = false) {
    this.#context = context;
    this.isFlipped = isWindow && context.extensions.has('GL_MESA_framebuffer_flip_y') && this.#flip !== undefined;
    this.alpha = canvas.alpha;
    this.#colorFormat = canvas.alpha ? e.GL_RGBA8 : e.GL_RGB8;
    this.hasDepth = canvas.depth;
    this.hasStencil = canvas.stencil;
    // Mesa's software drivers say that windows have several samples, and draw them with one.
    const samples = isWindow && context.software ? 0 : canvas.samples;
    this.samples = samples > 0 ? Math.min(samples, context.integer(e.GL_MAX_SAMPLES)) : 0;
    this.#hasFront = isWindow && context.api === 'gl' && this.samples === 0;
    const { gl, scratch } = context;
    gl.glGenFramebuffers(2, scratch.address);
    [this.framebuffer, this.resolved] = [scratch.u32[0], scratch.u32[1]];
    if (this.samples === 0) this.resolved = this.framebuffer;
    gl.glGenRenderbuffers(3, scratch.address);
    [this.color, this.depthStencil, this.#resolvedColor] = scratch.u32.slice(0, 3);
    this.resize(canvas.width, canvas.height);
  }

  /** Gives the canvas new, cleared storage and leaves the framebuffer bindings on it. */
  resize(width: number, height: number): void {
    const { gl } = this.#context;
    const most = this.#context.integer(e.GL_MAX_RENDERBUFFER_SIZE);
    if (!(width > 0 && height > 0 && width <= most && height <= most))
      throw new GpuprofError('missing-feature', `a canvas of ${width}x${height} is beyond this driver's ${most}`);
    this.width = width;
    this.height = height;
    const renderbuffer = this.#context.integer(e.GL_RENDERBUFFER_BINDING);
    const store = this.#store;
    const attach = (point: number, name: number) =>
      gl.glFramebufferRenderbuffer(e.GL_FRAMEBUFFER, point, e.GL_RENDERBUFFER, name);
    const color = this.#colorFormat;
    if (this.samples > 0) {
      store(this.#resolvedColor, color, 0);
      gl.glBindFramebuffer(e.GL_FRAMEBUFFER, this.resolved);
      attach(e.GL_COLOR_ATTACHMENT0, this.#resolvedColor);
      if (this.isFlipped) this.#flip?.(e.GL_FRAMEBUFFER, e.GL_FRAMEBUFFER_FLIP_Y_MESA, 1);
    }
    store(this.color, color, this.samples);
    gl.glBindFramebuffer(e.GL_FRAMEBUFFER, this.framebuffer);
    attach(e.GL_COLOR_ATTACHMENT0, this.color);
    if (this.front !== 0) store(this.front, color, 0);
    if (this.isFlipped) this.#flip?.(e.GL_FRAMEBUFFER, e.GL_FRAMEBUFFER_FLIP_Y_MESA, 1);
    const format = this.#depthStencilFormat();
    if (format !== undefined) {
      store(this.depthStencil, format, this.samples);
      if (this.hasDepth) attach(e.GL_DEPTH_ATTACHMENT, this.depthStencil);
      if (this.hasStencil) attach(e.GL_STENCIL_ATTACHMENT, this.depthStencil);
    }
    const status = gl.glCheckFramebufferStatus(e.GL_FRAMEBUFFER);
    if (status !== e.GL_FRAMEBUFFER_COMPLETE)
      throw new GpuprofError('missing-feature', `this driver cannot make a ${width}x${height} canvas`);
    this.clear();
    gl.glBindRenderbuffer(e.GL_RENDERBUFFER, renderbuffer);
  }

  #store = (name: number, format: number, samples: number): void => {
    const { gl } = this.#context;
    gl.glBindRenderbuffer(e.GL_RENDERBUFFER, name);
    if (samples > 0) gl.glRenderbufferStorageMultisample(e.GL_RENDERBUFFER, samples, format, this.width, this.height);
    else gl.glRenderbufferStorage(e.GL_RENDERBUFFER, format, this.width, this.height);
  };

  /**
   * Has GL_FRAMEBUFFER_SRGB count, as on the windows of desktop OpenGL, where the driver can give the canvas such a format
   * and keep its contents. Changes no other state.
   */
  needSrgb(): void {
    const { gl, scratch } = this.#context;
    if (this.#colorFormat !== e.GL_RGBA8 || !this.#context.find('glCopyImageSubData')) return;
    const renderbuffer = this.#context.integer(e.GL_RENDERBUFFER_BINDING);
    gl.glGenRenderbuffers(1, scratch.address);
    const [kept] = scratch.u32;
    const copy = (from: number, to: number) => {
      const [source, target] = [from, to].map((name) => [name, e.GL_RENDERBUFFER, 0, 0, 0, 0]);
      gl.glCopyImageSubData(...source, ...target, this.width, this.height, 1);
    };
    this.#colorFormat = e.GL_SRGB8_ALPHA8;
    for (const [name, samples] of [
      [this.color, this.samples],
      [this.#resolvedColor, 0],
      [this.front, 0],
    ]) {
      if (name === 0 || (name === this.#resolvedColor && this.samples === 0)) continue;
      this.#store(kept, e.GL_RGBA8, samples);
      copy(name, kept);
      this.#store(name, this.#colorFormat, samples);
      copy(kept, name);
    }
    scratch.u32[0] = kept;
    gl.glDeleteRenderbuffers(1, scratch.address);
    gl.glBindRenderbuffer(e.GL_RENDERBUFFER, renderbuffer);
  }

  /** Makes the front buffer of a window, where one can have a buffer of its own. Changes no state. */
  needFront(): void {
    if (!this.#hasFront || this.front !== 0) return;
    const { gl, scratch } = this.#context;
    const renderbuffer = this.#context.integer(e.GL_RENDERBUFFER_BINDING);
    const framebuffer = this.#context.integer(e.GL_DRAW_FRAMEBUFFER_BINDING);
    gl.glGenRenderbuffers(1, scratch.address);
    this.front = scratch.u32[0];
    gl.glBindRenderbuffer(e.GL_RENDERBUFFER, this.front);
    gl.glRenderbufferStorage(e.GL_RENDERBUFFER, this.#colorFormat, this.width, this.height);
    gl.glBindFramebuffer(e.GL_DRAW_FRAMEBUFFER, this.framebuffer);
    gl.glFramebufferRenderbuffer(e.GL_DRAW_FRAMEBUFFER, e.GL_COLOR_ATTACHMENT1, e.GL_RENDERBUFFER, this.front);
    gl.glBindFramebuffer(e.GL_DRAW_FRAMEBUFFER, framebuffer);
    gl.glBindRenderbuffer(e.GL_RENDERBUFFER, renderbuffer);
    clearNewRenderbuffer(this.#context, this.front, this.#colorFormat);
  }

  get #flip(): GlFunction | undefined {
    return this.#context.find(this.#context.api === 'gl' ? 'glFramebufferParameteri' : 'glFramebufferParameteriMESA');
  }

  #depthStencilFormat(): number | undefined {
    if (this.hasDepth) return this.hasStencil ? e.GL_DEPTH24_STENCIL8 : e.GL_DEPTH_COMPONENT24;
    return this.hasStencil ? e.GL_STENCIL_INDEX8 : undefined;
  }

  /** Clears the bound draw framebuffer to transparent black (opaque without alpha), depth 1, stencil 0. */
  clear(): void {
    const { gl } = this.#context;
    const values = new Scratch(64);
    withWholeClears(this.#context, () => {
      values.f32.set([0, 0, 0, this.alpha ? 0 : 1]);
      gl.glClearBufferfv(e.GL_COLOR, 0, values.address);
      values.f32[0] = 1;
      if (this.hasDepth) gl.glClearBufferfv(e.GL_DEPTH, 0, values.address);
      values.i32[0] = 0;
      if (this.hasStencil) gl.glClearBufferiv(e.GL_STENCIL, 0, values.address);
    });
  }

  /** Brings the resolved copy up to date; leaves the framebuffer bindings changed. */
  resolve(): void {
    if (this.samples === 0) return;
    const { gl } = this.#context;
    const scissor = gl.glIsEnabled(e.GL_SCISSOR_TEST);
    if (scissor) gl.glDisable(e.GL_SCISSOR_TEST);
    gl.glBindFramebuffer(e.GL_READ_FRAMEBUFFER, this.framebuffer);
    gl.glBindFramebuffer(e.GL_DRAW_FRAMEBUFFER, this.resolved);
    const { width, height } = this;
    gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, e.GL_COLOR_BUFFER_BIT, e.GL_NEAREST);
    if (scissor) gl.glEnable(e.GL_SCISSOR_TEST);
  }

  /** Of a canvas with a front buffer, the one that is drawn into: a program that draws into it means it to be seen. */
  #seen(): number {
    if (this.front === 0) return e.GL_COLOR_ATTACHMENT0;
    this.#context.gl.glBindFramebuffer(e.GL_DRAW_FRAMEBUFFER, this.framebuffer);
    return this.#context.integer(e.GL_DRAW_BUFFER0) || e.GL_COLOR_ATTACHMENT0;
  }

  /** Reads the pixels; changes no state. Alpha is 255 when the canvas has none. */
  read(): CanvasPixels {
    const { gl } = this.#context;
    const draw = this.#context.integer(e.GL_DRAW_FRAMEBUFFER_BINDING);
    const read = this.#context.integer(e.GL_READ_FRAMEBUFFER_BINDING);
    const pack = this.#context.integer(e.GL_PIXEL_PACK_BUFFER_BINDING);
    this.resolve();
    gl.glBindBuffer(e.GL_PIXEL_PACK_BUFFER, 0);
    gl.glBindFramebuffer(e.GL_READ_FRAMEBUFFER, this.resolved);
    const readBuffer = this.#context.integer(e.GL_READ_BUFFER);
    gl.glReadBuffer(this.#seen());
    const rowBytes = this.width * 4;
    const bottomUp = new Uint8Array(Math.max(256, rowBytes * this.height));
    withPlainTransfer(this.#context, () => {
      gl.glReadPixels(0, 0, this.width, this.height, e.GL_RGBA, e.GL_UNSIGNED_BYTE, addressOf(bottomUp));
    });
    gl.glReadBuffer(readBuffer);
    gl.glBindFramebuffer(e.GL_READ_FRAMEBUFFER, read);
    gl.glBindFramebuffer(e.GL_DRAW_FRAMEBUFFER, draw);
    gl.glBindBuffer(e.GL_PIXEL_PACK_BUFFER, pack);
    const data = new Uint8Array(rowBytes * this.height);
    for (let row = 0; row < this.height; row++)
      data.set(bottomUp.subarray(row * rowBytes, (row + 1) * rowBytes), (this.height - 1 - row) * rowBytes);
    if (!this.alpha) for (let at = 3; at < data.length; at += 4) data[at] = 255;
    return { width: this.width, height: this.height, data };
  }

  destroy(): void {
    const { gl, scratch } = this.#context;
    scratch.u32.set([this.color, this.depthStencil, this.#resolvedColor, this.front, this.framebuffer, this.resolved]);
    gl.glDeleteRenderbuffers(4, scratch.address);
    gl.glDeleteFramebuffers(2, scratch.address + 16);
  }
}
