import type { Signature } from '../../../model/signature.ts';
import { attachRecorder } from '../../call-recorder.ts';
import { FrameWatch } from '../../frame-watch.ts';
import type { ContextStatus } from '../protocol.ts';
import type { AnyCanvas, Canvases } from './canvases.ts';
import type { Transport } from './transport.ts';
import { unmaskedNames } from './unmasked.ts';

export type AnyContext = WebGLRenderingContext | WebGL2RenderingContext;

export interface WatchedContextOptions {
  readonly producer: string;
  readonly frames: number;
  readonly signatures: ReadonlyMap<string, Signature>;
  readonly transport: Transport;
  readonly canvases: Canvases;
  /** Whether pictures are shown at the end of animation frames; else a frame ends with the function that drew it. */
  readonly hasPhases: boolean;
  readonly wanted: (context: WatchedContext, frame: number) => boolean;
  readonly getContext: Parameters<typeof unmaskedNames>[0];
}

/** Calls `end` once what now runs has returned, whenever calls were made. */
function endingWithTurns(beforeCall: (action: boolean) => void, end: () => void): (action: boolean) => void {
  let isComing = false;
  return (action) => {
    if (!isComing)
      queueMicrotask(() => {
        isComing = false;
        end();
      });
    isComing = true;
    beforeCall(action);
  };
}

/** A context of the page with its frame watch, which is made anew when the context was lost and is restored. */
export class WatchedContext {
  readonly gl: AnyContext;
  readonly canvas: AnyCanvas;
  readonly version: 1 | 2;
  readonly #options: WatchedContextOptions;
  #watch: FrameWatch;
  #lost = false;
  #recorded = false;
  /** The tool wants this context's next frame. */
  armed = false;

  constructor(gl: AnyContext, version: 1 | 2, options: WatchedContextOptions) {
    this.gl = gl;
    this.canvas = gl.canvas;
    this.version = version;
    this.#options = options;
    this.#watch = this.#attach();
    // Capturing listeners at the target itself come before the page's: it makes its objects anew in its own.
    const events = [
      ['webglcontextlost', () => this.#onLost()],
      ['webglcontextrestored', () => this.#onRestored()],
    ] as const;
    for (const [name, listener] of events) this.canvas.addEventListener(name, listener, { capture: true });
  }

  get watch(): FrameWatch {
    return this.#watch;
  }

  #attach(): FrameWatch {
    const { gl, version, canvas } = this;
    const { frames, producer, signatures, transport, canvases, wanted, getContext, hasPhases } = this.#options;
    const watch = new FrameWatch({
      attach: (beforeCall) =>
        attachRecorder(gl, {
          signatureOf: (name) => signatures.get(name),
          producer: { producer, driver: 'chromium', unmasked: () => unmaskedNames(getContext) },
          // What arrives on the GPU is the browser's business: colour spaces, orientation and all.
          pixelsOf: () => undefined,
          version,
          beforeCall: hasPhases ? beforeCall : endingWithTurns(beforeCall, () => watch.frameEnd()),
        }),
      frames,
      wanted: (frame) => !this.#recorded && !this.#lost && wanted(this, frame),
      open: (head) => transport.begin(head, canvases.label(canvas)),
      ended: (problem) => {
        if (problem === undefined) this.#recorded = true;
        else transport.fail(problem);
      },
    });
    return watch;
  }

  #onLost(): void {
    this.#lost = true;
    this.#watch.fail('the page lost its WebGL context while the frame was being recorded');
  }

  /** Everything the recorder knew went with the old context. */
  #onRestored(): void {
    const { frames, calls, actions } = this.#watch;
    this.#watch.detach();
    this.#lost = false;
    this.#watch = this.#attach();
    Object.assign(this.#watch, { frames, calls, actions });
  }

  status(): ContextStatus {
    const { frames, actions, recording } = this.#watch;
    const label = this.#options.canvases.label(this.canvas);
    return { ...label, frames, actions, lost: this.#lost, recording, recorded: this.#recorded };
  }
}
