/**
 * Windows of the traced program as framebuffers of the capture: the one that is shown last is the canvas, others are
 * framebuffer objects with the same buffers.
 */
import type { Argument } from '../../../model/call.ts';
import { baseName, GL } from '../../../model/gl-constants.ts';
import { perSignature } from '../../../model/per-signature.ts';
import type { Signature } from '../../../model/signature.ts';
import type { CaptureBuilder } from '../../capture-builder.ts';
import { canvasStandIn, Drawable, type TraceContext, type WindowStandIn } from './contexts.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

type Emit = (name: string, args: readonly Argument[]) => void;

const allAspects = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;
const GL_RGBA8 = 0x8058;
const GL_NEAREST = 0x2600;
const GL_DEPTH24_STENCIL8 = 0x88f0;
/** Names of a window's colour buffers: GL_FRONT_LEFT to GL_FRONT_AND_BACK, and GL_COLOR as glInvalidateFramebuffer has it. */
const isWindowColor = (value: number): boolean => (value >= 0x400 && value <= 0x408) || value === GL.COLOR;

type BufferCommand = 'bind' | 'draw' | 'read' | 'invalidate' | 'named' | null;

const bufferCommand = perSignature(({ name }): BufferCommand => {
  const base = baseName(name);
  if (base === 'BindFramebuffer') return 'bind';
  if (base === 'DrawBuffer' || base === 'DrawBuffers') return 'draw';
  if (base === 'ReadBuffer') return 'read';
  if (/^(Invalidate(Sub)?|Discard)Framebuffer$/.test(base)) return 'invalidate';
  return /^NamedFramebuffer(Draw|Read)Buffers?$/.test(base) ? 'named' : null;
});

const attachments: ReadonlyMap<number, number> = new Map([
  [GL.DEPTH, GL.DEPTH_ATTACHMENT],
  [GL.STENCIL, GL.STENCIL_ATTACHMENT],
]);

function attachmentFor(value: number): number {
  return isWindowColor(value) ? GL.COLOR_ATTACHMENT0 : (attachments.get(value) ?? value);
}

/** Names of a window's buffers as those of a framebuffer object; lists of them are inline data. */
function renamed(value: Argument): Argument {
  if (typeof value === 'number') return attachmentFor(value);
  if (value === null || typeof value !== 'object' || !('kind' in value) || value.kind !== 'inline') return value;
  const words = new Uint32Array(value.bytes.slice().buffer).map(attachmentFor);
  return { kind: 'inline', bytes: new Uint8Array(words.buffer) };
}

export class WindowFramebuffers {
  readonly #builder: CaptureBuilder;
  readonly #emit: Emit;
  #canvas: Drawable | null = null;
  #canvasSize: Size = { width: 0, height: 0 };
  readonly #sizes = new Map<WindowStandIn, Size>();
  readonly #isMain: (drawable: Drawable) => boolean;

  /** `emit` adds a call of the current context as it stands. Of several windows, `isMain` tells the one that the capture shows. */
  constructor(builder: CaptureBuilder, emit: Emit, isMain: (drawable: Drawable) => boolean) {
    this.#builder = builder;
    this.#emit = emit;
    this.#isMain = isMain;
  }

  /** The window of the context, which is current, has the size that it has now, and its framebuffer 0 means it. */
  fit(context: TraceContext): void {
    const { drawable } = context;
    if (!drawable) return;
    if (!this.#builder.hasBegun) this.#takeAsCanvas(drawable, context.profile.samples);
    else if (!drawable.standIn && this.#canvas && this.#isMain(drawable))
      this.#moveCanvas(context, this.#canvas, drawable);
    if (drawable === this.#canvas) this.#fitCanvas(context, drawable);
    else this.#fitStandIn(context, drawable);
    const draw = drawable.standIn?.framebuffer ?? 0;
    this.#rebind(context, draw, context.readable?.standIn?.framebuffer ?? draw);
  }

  /** Arguments of a call in a context one of whose windows is a framebuffer object. */
  meant(context: TraceContext, signature: Signature, args: readonly Argument[]): readonly Argument[] {
    const command = bufferCommand(signature);
    if (command === null) return args;
    const { drawFramebuffer, readFramebuffer } = context.state.selected;
    const { windowFramebuffer: draw, windowReadFramebuffer: read } = context;
    const isWindow = (framebuffer: number) => draw !== 0 && framebuffer === draw;
    const isReadWindow = (framebuffer: number) => read !== 0 && framebuffer === read;
    switch (command) {
      case 'bind':
        if (draw === read || args[1] !== draw || args[0] === GL.DRAW_FRAMEBUFFER) return args;
        if (args[0] === GL.READ_FRAMEBUFFER) return [args[0], read];
        this.#emit('glBindFramebuffer', [GL.READ_FRAMEBUFFER, read]);
        return [GL.DRAW_FRAMEBUFFER, draw];
      case 'draw':
        return isWindow(drawFramebuffer)
          ? args.map((value, at) => (at === args.length - 1 ? renamed(value) : value))
          : args;
      case 'read':
        return isReadWindow(readFramebuffer) ? args.map(renamed) : args;
      case 'named':
        return isWindow(Number(args[0]))
          ? args.map((value, at) => (at === args.length - 1 ? renamed(value) : value))
          : args;
      default:
        return (args[0] === GL.READ_FRAMEBUFFER ? isReadWindow(readFramebuffer) : isWindow(drawFramebuffer))
          ? args.map((value, at) => (at === 2 ? renamed(value) : value))
          : args;
    }
  }

  /** Until anything is drawn, the canvas is the window made current last. */
  #takeAsCanvas(drawable: Drawable, samples: number): void {
    if (this.#canvas && this.#canvas !== drawable) this.#canvas.standIn = null;
    this.#canvas = drawable;
    drawable.standIn = canvasStandIn;
    this.#builder.canvas = { ...this.#builder.canvas, samples };
  }

  /** The window that was the canvas so far becomes a framebuffer object, with what has been drawn into it. */
  #moveCanvas(context: TraceContext, from: Drawable, to: Drawable): void {
    from.standIn = null;
    this.#fitStandIn(context, from);
    this.#copy(context, canvasStandIn, from.standIn ?? canvasStandIn, from);
    this.#canvas = to;
    to.standIn = canvasStandIn;
  }

  /** What has been drawn of a frame stays where it is when the window grows. */
  #fitCanvas(context: TraceContext, { width, height }: Drawable): void {
    const before = this.#canvasSize;
    if (before.width === width && before.height === height) return;
    this.#canvasSize = { width, height };
    // What has several samples cannot be put back.
    if (!this.#builder.hasDrawn || context.profile.samples > 1) {
      this.#builder.resizeCanvas(width, height);
      return;
    }
    const kept = new Drawable(before);
    this.#fitStandIn(context, kept);
    const standIn = kept.standIn ?? canvasStandIn;
    this.#copy(context, canvasStandIn, standIn, before);
    this.#builder.resizeCanvas(width, height);
    this.#copy(context, standIn, canvasStandIn, before);
    this.#emit('glDeleteFramebuffers', [1, [standIn.framebuffer]]);
    this.#emit('glDeleteRenderbuffers', [2, [standIn.color, standIn.depthStencil]]);
  }

  /** Copies a window's buffers into another's, and leaves the bindings as the context has them. */
  #copy(
    { state, profile, scissors }: TraceContext,
    from: WindowStandIn,
    to: WindowStandIn,
    { width, height }: Size,
  ): void {
    const { drawFramebuffer, readFramebuffer } = state.selected;
    // Nor can depths be put together.
    const aspects = profile.samples > 1 ? GL.COLOR_BUFFER_BIT : allAspects;
    const corners = [0, 0, width, height];
    if (scissors) this.#emit('glDisable', [GL.SCISSOR_TEST]);
    this.#emit('glBindFramebuffer', [GL.READ_FRAMEBUFFER, from.framebuffer]);
    this.#emit('glBindFramebuffer', [GL.DRAW_FRAMEBUFFER, to.framebuffer]);
    this.#emit('glBlitFramebuffer', [...corners, ...corners, aspects, GL_NEAREST]);
    this.#emit('glBindFramebuffer', [GL.DRAW_FRAMEBUFFER, drawFramebuffer]);
    this.#emit('glBindFramebuffer', [GL.READ_FRAMEBUFFER, readFramebuffer]);
    if (scissors) this.#emit('glEnable', [GL.SCISSOR_TEST]);
  }

  #fitStandIn(context: TraceContext, drawable: Drawable): void {
    const known = drawable.standIn && this.#sizes.get(drawable.standIn);
    if (known?.width === drawable.width && known.height === drawable.height) return;
    const { width, height } = drawable;
    const { selected } = context.state;
    const [draw, read] = [selected.drawFramebuffer, selected.readFramebuffer];
    const bound = context.state.families.get('BindRenderbuffer')?.get('')?.call.args[1] ?? 0;
    const standIn = drawable.standIn ?? this.#make();
    drawable.standIn = standIn;
    this.#sizes.set(standIn, { width, height });
    this.#store(standIn.color, GL_RGBA8, width, height);
    this.#store(standIn.depthStencil, GL_DEPTH24_STENCIL8, width, height);
    if (!known) this.#attach(standIn);
    this.#emit('glBindRenderbuffer', [GL.RENDERBUFFER, bound]);
    this.#emit('glBindFramebuffer', [GL.FRAMEBUFFER, draw]);
    if (read !== draw) this.#emit('glBindFramebuffer', [GL.READ_FRAMEBUFFER, read]);
  }

  #make(): WindowStandIn {
    const framebuffer = this.#builder.newId('framebuffer');
    const [color, depthStencil] = [this.#builder.newId('renderbuffer'), this.#builder.newId('renderbuffer')];
    this.#emit('glGenFramebuffers', [1, [framebuffer]]);
    this.#emit('glGenRenderbuffers', [2, [color, depthStencil]]);
    return { framebuffer, color, depthStencil };
  }

  #store(renderbuffer: number, format: number, width: number, height: number): void {
    this.#emit('glBindRenderbuffer', [GL.RENDERBUFFER, renderbuffer]);
    this.#emit('glRenderbufferStorage', [GL.RENDERBUFFER, format, width, height]);
  }

  #attach({ framebuffer, color, depthStencil }: WindowStandIn): void {
    this.#emit('glBindFramebuffer', [GL.FRAMEBUFFER, framebuffer]);
    for (const [point, id] of [
      [GL.COLOR_ATTACHMENT0, color],
      [GL.DEPTH_ATTACHMENT, depthStencil],
      [GL.STENCIL_ATTACHMENT, depthStencil],
    ])
      this.#emit('glFramebufferRenderbuffer', [GL.FRAMEBUFFER, point, GL.RENDERBUFFER, id]);
  }

  /** What was bound as the window's framebuffers is bound as the new ones. */
  #rebind(context: TraceContext, draw: number, read: number): void {
    const { windowFramebuffer, windowReadFramebuffer } = context;
    context.windowFramebuffer = draw;
    context.windowReadFramebuffer = read;
    const { drawFramebuffer, readFramebuffer } = context.state.selected;
    if (draw !== windowFramebuffer && drawFramebuffer === windowFramebuffer)
      this.#emit('glBindFramebuffer', [GL.DRAW_FRAMEBUFFER, draw]);
    if (read !== windowReadFramebuffer && readFramebuffer === windowReadFramebuffer)
      this.#emit('glBindFramebuffer', [GL.READ_FRAMEBUFFER, read]);
  }
}
