import type { CaptureHead } from '../model/sink.ts';
import type { CallRecorder } from './call-recorder.ts';
import type { WireSink } from './wire/sink.ts';

export interface WatchOptions {
  /** Attaches the recorder to the context; it is to tell of each call before it is made. */
  readonly attach: (beforeCall: (action: boolean) => void) => CallRecorder;
  /** How many frames, one after the other, go into the capture. */
  readonly frames: number;
  /** Asked once as each frame begins, by its number in this context from 1: whether the capture begins here. */
  readonly wanted: (frame: number) => boolean;
  /** Opens the way to the tool; undefined when the tool is already taking another context's capture. */
  readonly open: (head: CaptureHead) => WireSink | undefined;
  /** Told when the capture is whole, or of what went wrong. */
  readonly ended: (problem?: unknown) => void;
}

/**
 * Finds a context's frames and records the wanted ones. A frame ends where its picture is shown ({@link frameEnd}), and
 * only one with an action counts. It begins at the first call made while the program draws for the screen
 * ({@link presenting}), or at the first action outside that; in the context's very first frame at the first action: what
 * comes before is setup, which belongs to no frame.
 */
export class FrameWatch {
  readonly #recorder: CallRecorder;
  readonly #options: WatchOptions;
  #sink: WireSink | undefined;
  #framesLeft = 0;
  #begun = false;
  #drew = false;
  #busy = false;
  /** Whether the program's callbacks for the next picture are running. */
  presenting = false;
  /** Frames that have ended. */
  frames = 0;
  /** Calls and actions so far. */
  calls = 0;
  actions = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#recorder = options.attach((action) => this.#beforeCall(action));
  }

  get recording(): boolean {
    return this.#sink !== undefined;
  }

  #beforeCall(action: boolean): void {
    this.calls++;
    // A lost context draws nothing.
    const acts = action && !this.#recorder.isLost;
    if (acts) {
      this.actions++;
      this.#drew = true;
    }
    if (!this.#begun && (acts || (this.presenting && this.frames > 0))) this.#begin();
  }

  #begin(): void {
    // Opening a capture makes calls of its own, none of which begins a frame.
    if (this.#busy || this.#recorder.isLost) return;
    this.#begun = true;
    if (this.#sink || !this.#options.wanted(this.frames + 1)) return;
    this.#busy = true;
    this.#attempt(() => {
      this.#sink = this.#options.open(this.#recorder.describe());
      if (!this.#sink) return;
      this.#framesLeft = this.#options.frames;
      this.#recorder.beginFrame(this.#sink);
    });
    this.#busy = false;
  }

  /** The picture that has been drawn since the last time is shown. */
  frameEnd(): void {
    const drew = this.#drew;
    this.#drew = false;
    if (!drew) {
      // What was no frame may have been the beginning of one: a capture of several frames simply goes on.
      if (this.#sink && this.#framesLeft === this.#options.frames) this.#discard();
      if (!this.#sink) this.#begun = false;
      return;
    }
    this.frames++;
    this.#begun = this.#sink !== undefined;
    if (!this.#sink) return;
    this.#framesLeft--;
    this.#attempt(() => {
      if (!this.#sink) return;
      if (this.#recorder.isLost) throw new Error('the WebGL context was lost while the frame was being recorded');
      if (this.#framesLeft > 0) this.#recorder.beginFrame(this.#sink);
      else {
        this.#sink.finish(this.#recorder.finish());
        this.#end();
      }
    });
  }

  /** Gives the capture up because the program cannot go on with it, such as when the context is lost. */
  fail(problem: unknown): void {
    if (!this.#sink) return;
    this.#discard();
    this.#options.ended(problem);
  }

  /** Takes the recorder off the context. */
  detach(): void {
    if (this.#sink) this.#discard();
    this.#recorder.detach();
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (problem) {
      if (this.#sink) this.#discard();
      this.#options.ended(problem);
    }
  }

  #discard(): void {
    this.#recorder.abort();
    try {
      this.#sink?.discard();
    } catch {
      // The tool is gone: it has given the capture up already.
    }
    this.#sink = undefined;
    this.#begun = false;
  }

  #end(): void {
    this.#sink = undefined;
    this.#begun = false;
    this.#options.ended();
  }
}
