import type { GlContext } from '../gl/context.ts';

const GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117;
/** Days. */
const foreverNs = 2 ** 52;

/**
 * Has the driver draw a frame while the next is submitted, as a program does that swaps two buffers. Without an end to it a
 * driver with threads of its own would keep the work of all frames in memory.
 */
export class FramePace {
  readonly #context: GlContext;
  readonly #hasFences: boolean;
  /** After the frame that may be drawn still; 0 where there is none. */
  #fence = 0;

  constructor(context: GlContext) {
    this.#context = context;
    this.#hasFences = context.find('glFenceSync') !== undefined;
  }

  /** A frame has been submitted, and others follow. */
  goOn(): void {
    const { gl } = this.#context;
    if (!this.#hasFences) {
      gl.glFinish();
      return;
    }
    const fence = gl.glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.glFlush();
    this.wait();
    this.#fence = fence;
  }

  /** The last one has been submitted: waits until all are drawn. */
  end(): void {
    this.#context.gl.glFinish();
    this.wait();
  }

  /** Waits until the frame is drawn that was submitted last. */
  wait(): void {
    const { gl } = this.#context;
    if (this.#fence === 0) return;
    gl.glClientWaitSync(this.#fence, 0, foreverNs);
    gl.glDeleteSync(this.#fence);
    this.#fence = 0;
  }
}
