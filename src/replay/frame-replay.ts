import type { CallStream } from '../model/call-stream.ts';
import { position, word } from '../model/position.ts';
import type { CanvasPixels } from './canvas.ts';
import { refuseFailedBufferCall } from './checks/refused-calls.ts';
import type { CallMemory } from './compile/call-memory.ts';
import type { Op } from './compile/invokers.ts';
import type { ReplayState } from './compile/site.ts';
import { located } from './frame-faults.ts';
import type { GlErrors } from './gl-errors.ts';
import type { ReplayListener } from './replay-listener.ts';
import type { Snapshot } from './restore/snapshot.ts';

/** Which bracket begins before and ends after each event: by event index (eventId - 1), a bracket's number or -1. */
export interface BracketPlan {
  readonly beginAt: Int32Array;
  readonly endAt: Int32Array;
}

/** Called around leaves while a frame plays. */
export interface BracketHooks {
  begin(bracket: number): void;
  end(bracket: number): void;
}

const nothing: Op = () => {};

/** One frame, ready to be played any number of times. */
export class FrameReplay {
  readonly calls: CallStream;
  /** From 1. */
  readonly frame: number;
  readonly #state: ReplayState;
  readonly #errors: GlErrors;
  readonly #snapshot: Snapshot;
  readonly #ops: readonly Op[];
  readonly #starts: Uint32Array;
  readonly #isQuiet: Uint8Array;
  readonly #listener: ReplayListener | undefined;
  readonly #position = position();
  /** Holds the memory whose addresses the functions use. */
  readonly memory: CallMemory;
  /** Whether the next run looks for errors after every call. */
  #checking = true;

  constructor(
    frame: number,
    calls: CallStream,
    ops: readonly (Op | null)[],
    parts: {
      state: ReplayState;
      errors: GlErrors;
      snapshot: Snapshot;
      memory: CallMemory;
      listener?: ReplayListener | undefined;
      /** 1 for calls after which GL must not be asked for errors. */
      isQuiet: Uint8Array;
    },
  ) {
    this.frame = frame;
    this.calls = calls;
    this.#ops = ops.map((op) => op ?? nothing);
    this.#starts = calls.starts;
    this.#state = parts.state;
    this.#errors = parts.errors;
    this.#snapshot = parts.snapshot;
    this.memory = parts.memory;
    this.#listener = parts.listener;
    this.#isQuiet = parts.isQuiet;
  }

  /** Puts back everything the frame changed, and counts the errors of the run before. Outside any timing. */
  restore(): void {
    this.#position[word.event] = 0;
    this.collectErrors();
    this.#snapshot.restore();
    this.#listener?.restored();
  }

  /**
   * Makes every call once, in order: state calls before a bracket, the leaf inside it. The first run looks for GL errors
   * after each call; measure from the second on. Between two runs there must be a {@link restore}: the calls have been
   * checked for the state at the frame's beginning only.
   */
  play(plan?: BracketPlan, hooks?: BracketHooks): void {
    this.#position[word.frame] = this.frame;
    this.#position[word.run]++;
    this.#listener?.runBegins();
    this.#state.isMeasuring = plan !== undefined && !this.#checking;
    if (this.#checking) this.#playChecked(plan, hooks);
    else if (plan && hooks) this.#playBracketed(plan, hooks);
    else this.#playPlain();
    this.#listener?.runEnds(this.frame);
  }

  /** Books errors of the last run; an unexpected one makes the next run look after every call. */
  collectErrors(): void {
    if (this.#errors.drain() && !this.#errors.repeat(this.frame)) this.#checking = true;
  }

  /** The canvas as it is now. */
  readCanvas(): CanvasPixels {
    this.collectErrors();
    const pixels = this.#state.canvas.read();
    this.#listener?.canvasRead();
    return pixels;
  }

  #playPlain(): void {
    const ops = this.#ops;
    const starts = this.#starts;
    const at = this.#position;
    for (let index = 0; index < ops.length; index++) {
      at[word.event] = index + 1;
      ops[index](starts[index]);
    }
  }

  #playBracketed({ beginAt, endAt }: BracketPlan, hooks: BracketHooks): void {
    const ops = this.#ops;
    const starts = this.#starts;
    const at = this.#position;
    for (let index = 0; index < ops.length; index++) {
      at[word.event] = index + 1;
      if (beginAt[index] >= 0) hooks.begin(beginAt[index]);
      ops[index](starts[index]);
      if (endAt[index] >= 0) hooks.end(endAt[index]);
    }
  }

  /** Makes a call, looks for errors, and says of which call it is refused: what draws take from buffers is looked at then. */
  #makeChecked(index: number): void {
    try {
      this.#ops[index](this.#starts[index]);
      const failed = this.#isQuiet[index] === 0 && this.#errors.take(this.frame, index + 1, this.calls);
      if (failed) refuseFailedBufferCall(this.calls.call(index), this.#state);
    } catch (error) {
      throw located(error, this.frame, index);
    }
  }

  #playChecked(plan?: BracketPlan, hooks?: BracketHooks): void {
    this.#errors.drain();
    const { context } = this.#state;
    for (let index = 0; index < this.#ops.length; index++) {
      this.#position[word.event] = index + 1;
      if (plan && hooks && plan.beginAt[index] >= 0) hooks.begin(plan.beginAt[index]);
      this.#makeChecked(index);
      if (!plan || !hooks || plan.endAt[index] < 0) continue;
      hooks.end(plan.endAt[index]);
      // A GPU that hangs does so at a call that is known then. On the CPU, waiting for each draw costs more than the run.
      if (!context.software) context.gl.glFinish();
    }
    this.#checking = false;
  }

  /** Plays the frame for the last time: its changes stay. It must not be used any more. */
  leave(): void {
    this.collectErrors();
    this.#snapshot.restore(true);
    this.#listener?.restored();
    this.play();
    this.collectErrors();
    this.destroy();
  }

  /** Frees what was kept for restoring. */
  destroy(): void {
    this.#snapshot.destroy();
    this.memory.unload();
  }
}
