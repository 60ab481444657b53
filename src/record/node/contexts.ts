import { threadId } from 'node:worker_threads';
import { GpuprofError } from '../../errors.ts';
import type { CaptureHead } from '../../model/sink.ts';
import { attachProgramRecorder } from '../attach-program.ts';
import { FrameWatch } from '../frame-watch.ts';
import type { Methods } from '../webgl.ts';
import { WireSink } from '../wire/sink.ts';
import { watchCanvas } from './canvas-events.ts';
import { sendCapture, sendStatus } from './pipes.ts';
import type { RecordingPlan } from './protocol.ts';
import { Turns } from './turns.ts';

/** Who has the pipe for captures, among all threads of the program. */
export class Claim {
  /** The first word is 1 while a capture is on its way and for ever once one is whole. */
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(4))) {
    this.shared = shared;
  }

  take(): boolean {
    return Atomics.compareExchange(this.shared, 0, 0, 1) === 0;
  }

  release(): void {
    Atomics.store(this.shared, 0, 0);
  }
}

/** Gives the pipe to the next when a capture is taken back. */
class ClaimedSink extends WireSink {
  readonly #claim: Claim;

  constructor(head: CaptureHead, claim: Claim) {
    super(sendCapture, head);
    this.#claim = claim;
  }

  override discard(): void {
    super.discard();
    this.#claim.release();
  }
}

export interface ContextOrigin {
  /** Where it comes from: `headless-gl`, `egl`. */
  readonly driver: string;
  readonly version: 1 | 2;
}

/** The contexts that the program makes in this thread. */
export class RecordedContexts {
  readonly #plan: RecordingPlan;
  readonly #claim: Claim;
  readonly #turns = new Turns(() => this.endFrames());
  /** Contexts that were used in this turn; others are not held, so that the program's garbage stays garbage. */
  readonly #used = new Set<() => void>();
  #made = 0;

  constructor(plan: RecordingPlan, claim: Claim) {
    this.#plan = plan;
    this.#claim = claim;
  }

  /** Watches a new context, of which nothing has been called yet. */
  add(gl: object, { driver, version }: ContextOrigin): void {
    const context = `${threadId}.${++this.#made}`;
    const { drawingBufferWidth, drawingBufferHeight } = gl as Record<string, unknown>;
    sendStatus({ kind: 'context', context, size: `${drawingBufferWidth}x${drawingBufferHeight}` });
    const { frame, frames, producer } = this.#plan;
    const canvas = watchCanvas(gl as Methods, version);
    const watch = new FrameWatch({
      attach: (beforeCall) =>
        attachProgramRecorder(gl, {
          producer: { producer, driver },
          version,
          beforeCall: (action) => {
            this.#used.add(frameEnd);
            if (action) this.#turns.await();
            beforeCall(action);
          },
        }),
      frames,
      wanted: (number) => number === frame,
      open: (head) => (this.#claim.take() ? new ClaimedSink(head, this.#claim) : undefined),
      ended: (problem) => (problem === undefined ? sendStatus({ kind: 'recorded', context }) : sendProblem(problem)),
    });
    // From the second frame on, a turn's work belongs to its frame from its first call.
    watch.presenting = true;
    const frameEnd = (): void => {
      const before = watch.frames;
      watch.frameEnd();
      if (watch.frames > before) sendStatus({ kind: 'frames', context, frames: watch.frames });
    };
    canvas.watch({
      read: frameEnd,
      lost: (did, take) => {
        frameEnd();
        if (watch.recording)
          watch.fail(new GpuprofError('bad-input', `the program ${did} before its ${frames} frames were drawn`));
        // No frame begins with this call.
        watch.presenting = false;
        try {
          return take();
        } finally {
          watch.presenting = true;
        }
      },
    });
  }

  /** Ends the frame of each context that has drawn. */
  endFrames(): void {
    for (const frameEnd of this.#used) frameEnd();
    this.#used.clear();
  }
}

function sendProblem(problem: unknown): void {
  const { message, hint } = problem instanceof GpuprofError ? problem : { message: String(problem), hint: undefined };
  sendStatus({ kind: 'problem', message, ...(hint && { hint }) });
}
