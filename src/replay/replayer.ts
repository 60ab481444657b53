import type { GlContext } from '../gl/context.ts';
import type { Call } from '../model/call.ts';
import type { Capture } from '../model/capture.ts';
import type { ActionKind } from '../model/event-tree.ts';
import { idleFills } from '../model/idle-contents.ts';
import { nowDoing } from '../model/position.ts';
import type { TargetValues } from '../model/target-values.ts';
import { CallPlayer } from './call-player.ts';
import type { CanvasPixels } from './canvas.ts';
import { checkRequirements } from './checks/requirements.ts';
import { refuseUnloadable } from './frame-faults.ts';
import type { FrameReplay } from './frame-replay.ts';
import type { GlErrorRecord } from './gl-errors.ts';
import { readAction } from './read-action.ts';
import { readTarget } from './read-target.ts';
import type { GoesOn } from './replay-listener.ts';
import { type ReplayOptions, type ReplayParts, replayParts } from './replay-parts.ts';

/** A frame that is played a single time, which leaves it. */
export type PlayedOnce = Pick<FrameReplay, 'frame' | 'calls' | 'restore' | 'play'>;

/** Plays a capture on a context. One replayer uses a context at a time. */
export class Replayer {
  readonly context: GlContext;
  readonly capture: Capture;
  readonly #parts: ReplayParts;
  readonly #player: CallPlayer;
  #current: FrameReplay | undefined;
  /** The last frame whose calls the bindings have seen. */
  #compiled = 0;

  private constructor(context: GlContext, capture: Capture, options: ReplayOptions) {
    this.context = context;
    this.capture = capture;
    this.#parts = replayParts(context, capture, options);
    this.#player = new CallPlayer(this.#parts);
  }

  /**
   * Checks that the context has what the capture needs, makes the canvas and runs the setup. The context must be
   * fresh. Throws GpuprofError `missing-feature` or `bad-capture`.
   */
  static async create(context: GlContext, capture: Capture, options: ReplayOptions = {}): Promise<Replayer> {
    nowDoing('replaying');
    context.makeCurrent();
    checkRequirements(context, capture.manifest);
    const replayer = new Replayer(context, capture, options);
    await replayer.#player.perform(null, await capture.setup(), undefined, await idleFills(capture));
    return replayer;
  }

  /** GL errors of the setup and of all runs so far. */
  get glErrors(): readonly GlErrorRecord[] {
    return this.#parts.errors.records;
  }

  /**
   * Makes a frame ready to be played; the frames before it are played once. Frames are loaded in rising order. The frame
   * loaded before must not be used any more. Throws GpuprofError `bad-usage`, `bad-capture` or `missing-feature`.
   */
  async loadFrame(frame: number): Promise<FrameReplay> {
    // A context of headless-gl's that is ended, perhaps as garbage, leaves none current.
    this.context.makeCurrent();
    this.#refuseUnloadable(frame);
    if (this.#current && frame === this.#compiled) {
      this.#current.restore();
      return this.#current;
    }
    await this.playThrough(frame - 1);
    // What is played once needs none of it.
    const { loadFrame } = await import('./load-frame.ts');
    this.#current = await loadFrame(this.#parts, this.#player, frame);
    this.#compiled = frame;
    return this.#current;
  }

  /**
   * Makes a frame ready to be played a single time, which must follow and leaves it: nothing is kept that would put back
   * what it changes. Otherwise as {@link loadFrame}; errors are looked for after every call, outside its bracket.
   */
  async loadOnce(frame: number): Promise<PlayedOnce> {
    this.#refuseUnloadable(frame);
    await this.playThrough(frame - 1);
    const stream = await this.capture.frame(frame);
    const playing = await this.#player.prepare(frame, stream);
    this.#compiled = frame;
    const { listener } = this.#parts;
    return {
      frame,
      calls: stream,
      restore() {},
      play: (plan, hooks) => {
        listener?.runBegins();
        this.#player.playPrepared(playing, plan, hooks);
        listener?.runEnds(frame);
        listener?.frameLeft();
      },
    };
  }

  #refuseUnloadable(frame: number): void {
    refuseUnloadable(frame, this.capture.manifest.frames.length, this.#compiled, this.#current !== undefined);
  }

  /**
   * Plays every frame up to this one that has not been left yet, once and in order: each call as soon as it is checked, with
   * nothing kept for another run. They cannot be loaded any more. Throws GpuprofError `bad-capture` or `missing-feature`.
   */
  async playThrough(frame: number): Promise<void> {
    this.context.makeCurrent();
    const { listener } = this.#parts;
    if (this.#current && frame >= this.#compiled) {
      this.#current.leave();
      this.#current = undefined;
      this.#player.keepClientArrays();
      listener?.frameLeft();
    }
    for (let next = this.#compiled + 1; next <= frame; next++) {
      const stream = await this.capture.frame(next);
      listener?.runBegins();
      await this.#player.perform(next, stream);
      // A driver with threads of its own would keep the work of all frames in memory, and not be done sooner.
      this.context.gl.glFinish();
      listener?.runEnds(next);
      listener?.frameLeft();
      this.#compiled = next;
    }
  }

  /** {@link playThrough} that tells `goesOn` of each event of the frame once it is made; false ends it there. */
  async watch(frame: number, goesOn: GoesOn): Promise<void> {
    this.#refuseUnloadable(frame);
    await this.playThrough(frame - 1);
    this.#compiled = frame;
    await this.#player.perform(frame, await this.capture.frame(frame), goesOn);
  }

  /** As {@link readTarget}. */
  readonly readTarget = (attachment?: string, framebuffer?: number): TargetValues =>
    readTarget(this.#parts.state, this.#parts.followers.shapes, attachment, framebuffer);

  /** As {@link readAction}. */
  readonly readAction = (kind: ActionKind, call: Call): TargetValues | null =>
    readAction(this.#parts.state, this.#parts.followers.shapes, kind, call);

  /** The canvas as it is now. */
  readCanvas(): CanvasPixels {
    const { state, listener } = this.#parts;
    const pixels = state.canvas.read();
    listener?.canvasRead();
    return pixels;
  }

  /** Frees what the replayer made itself; the capture's objects go with the context. */
  destroy(): void {
    this.#current?.destroy();
    this.#current = undefined;
    this.#parts.state.canvas.destroy();
  }
}
