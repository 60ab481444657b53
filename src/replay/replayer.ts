import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { Bindings } from '../model/bindings.ts';
import type { Call } from '../model/call.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Capture } from '../model/capture.ts';
import type { ActionKind } from '../model/event-tree.ts';
import { idleFills } from '../model/idle-contents.ts';
import { bytesText, memoryHint, shareOfMemory } from '../model/memory-limit.ts';
import { nowDoing, position, word } from '../model/position.ts';
import type { TargetValues } from '../model/target-values.ts';
import { CanvasFramebuffer, type CanvasPixels, wasWindow } from './canvas.ts';
import { Lifetimes } from './checks/lifetimes.ts';
import { MemoryBudget } from './checks/memory-budget.ts';
import { refuseFailedBufferCall } from './checks/refused-calls.ts';
import { checkRequirements } from './checks/requirements.ts';
import { VertexChecks } from './checks/vertex-checks.ts';
import { CallMemory } from './compile/call-memory.ts';
import { type Checks, Compiler } from './compile/compiler.ts';
import type { Op } from './compile/invokers.ts';
import type { ReplayState, Site } from './compile/site.ts';
import { desktopDefaults } from './desktop-defaults.ts';
import { Followers } from './followers.ts';
import { located, refuseUnloadable } from './frame-faults.ts';
import { type BracketHooks, type BracketPlan, FrameReplay } from './frame-replay.ts';
import { type GlErrorRecord, GlErrors } from './gl-errors.ts';
import { LiveObjects } from './live-objects.ts';
import { PixelStore } from './pixel-store.ts';
import { Programs } from './programs.ts';
import { readAction } from './read-action.ts';
import { readTarget } from './read-target.ts';
import type { GoesOn, ReplayListener } from './replay-listener.ts';
import { copyBindings } from './restore/bindings.ts';
import { FrameChanges } from './restore/frame-changes.ts';

export interface ReplayOptions {
  /** Leave the program's own timer and occlusion queries out; true by default, as they disturb a measurement. */
  readonly skipApplicationQueries?: boolean;
  /** Most GPU memory a capture may ask for, as estimated from its calls; the memory limit by default, which is 4 GiB. */
  readonly maxGpuBytes?: number;
  readonly listener?: ReplayListener;
}

const GL_PRIMITIVE_RESTART_FIXED_INDEX = 0x8d69;
/** Resources kept in memory while calls are made one by one, since the next may use the same one. */
const performCacheBytes = 64 * 2 ** 20;

/** A stream, the setup's without a frame, whose calls are made one by one, each as soon as it is compiled. */
interface Playing {
  readonly frame: number | null;
  readonly stream: CallStream;
  readonly compiler: Compiler;
  readonly memory: CallMemory;
}

/** A frame that is played a single time, which leaves it. */
export type PlayedOnce = Pick<FrameReplay, 'frame' | 'calls' | 'restore' | 'play'>;

/** Plays a capture on a context. One replayer uses a context at a time. */
export class Replayer {
  readonly context: GlContext;
  readonly capture: Capture;
  readonly #state: ReplayState;
  readonly #errors: GlErrors;
  readonly #checks: Checks;
  #compiler: Compiler | undefined;
  readonly #followers: Followers;
  /** What holds client arrays that GL may still read. */
  #clientMemory: ReadonlySet<object> = new Set();
  readonly #listener: ReplayListener | undefined;
  readonly #position = position();
  #current: FrameReplay | undefined;
  /** The last frame whose calls the bindings have seen. */
  #compiled = 0;

  private constructor(context: GlContext, capture: Capture, options: ReplayOptions) {
    this.context = context;
    this.capture = capture;
    this.#listener = options.listener;
    const { manifest } = capture;
    const objects = new LiveObjects(manifest);
    const budget = new MemoryBudget(options.maxGpuBytes ?? shareOfMemory(1));
    const { width, height, samples } = manifest.canvas;
    budget.set('canvas', width * height * Math.max(1, samples) * 8, 'the canvas');
    this.#checks = {
      budget,
      vertexChecks: new VertexChecks((buffer) => budget.bufferBytes(buffer)),
      lifetimes: new Lifetimes(),
    };
    this.#errors = new GlErrors(context, manifest);
    const esOnDesktop = context.api === 'gl' && manifest.api !== 'gl';
    const canvas = new CanvasFramebuffer(context, manifest.canvas, wasWindow(manifest));
    objects.names.framebuffer[0] = canvas.framebuffer;
    this.#state = {
      context,
      manifest,
      objects,
      canvas,
      programs: new Programs(context, objects, manifest, esOnDesktop),
      pixelStore: new PixelStore(context),
      bindings: new Bindings(),
      esOnDesktop,
      skipApplicationQueries: options.skipApplicationQueries ?? true,
      isMeasuring: false,
    };
    this.#followers = new Followers(this.#state.bindings, this.#state.programs);
    context.gl.glViewport(0, 0, width, height);
    context.gl.glScissor(0, 0, width, height);
    if (esOnDesktop) desktopDefaults(context);
    // WebGL 2 restarts primitives always, whatever is under it.
    if (manifest.api === 'webgl2') context.gl.glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
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
    await replayer.#perform(null, await capture.setup(), undefined, await idleFills(capture));
    return replayer;
  }

  /** GL errors of the setup and of all runs so far. */
  get glErrors(): readonly GlErrorRecord[] {
    return this.#errors.records;
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
    this.#current = await this.#load(frame);
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
    const playing = { frame, stream, ...this.#begin(stream, undefined) };
    for (let index = 0; index < stream.length; index++)
      if (playing.compiler.missingResource(index) >= 0) await this.#loadMissing(playing, index);
    this.#compiled = frame;
    return {
      frame,
      calls: stream,
      restore() {},
      play: (plan, hooks) => {
        this.#listener?.runBegins();
        this.#playOnce(playing, plan, hooks);
        this.#listener?.runEnds(frame);
        this.#listener?.frameLeft();
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
    if (this.#current && frame >= this.#compiled) {
      this.#current.leave();
      this.#current = undefined;
      this.#keepClientArrays();
      this.#listener?.frameLeft();
    }
    for (let next = this.#compiled + 1; next <= frame; next++) {
      const stream = await this.capture.frame(next);
      this.#listener?.runBegins();
      await this.#perform(next, stream);
      // A driver with threads of its own would keep the work of all frames in memory, and not be done sooner.
      this.context.gl.glFinish();
      this.#listener?.runEnds(next);
      this.#listener?.frameLeft();
      this.#compiled = next;
    }
  }

  /** {@link playThrough} that tells `goesOn` of each event of the frame once it is made; false ends it there. */
  async watch(frame: number, goesOn: GoesOn): Promise<void> {
    this.#refuseUnloadable(frame);
    await this.playThrough(frame - 1);
    this.#compiled = frame;
    await this.#perform(frame, await this.capture.frame(frame), goesOn);
  }

  /** As {@link readTarget}. */
  readonly readTarget = (attachment?: string, framebuffer?: number): TargetValues =>
    readTarget(this.#state, this.#followers.shapes, attachment, framebuffer);

  /** As {@link readAction}. */
  readonly readAction = (kind: ActionKind, call: Call): TargetValues | null =>
    readAction(this.#state, this.#followers.shapes, kind, call);

  /** The canvas as it is now. */
  readCanvas(): CanvasPixels {
    const pixels = this.#state.canvas.read();
    this.#listener?.canvasRead();
    return pixels;
  }

  /** Frees what the replayer made itself; the capture's objects go with the context. */
  destroy(): void {
    this.#current?.destroy();
    this.#current = undefined;
    this.#state.canvas.destroy();
  }

  /** Makes a stream the one that is compiled; `keep` as the compiler has it. */
  #begin(stream: CallStream, keep: Site['keep']): { compiler: Compiler; memory: CallMemory } {
    const memory = new CallMemory(
      stream,
      this.#state.objects,
      this.capture.manifest.resources.length,
      this.#state.esOnDesktop,
    );
    this.#compiler ??= new Compiler(this.#state, this.#checks, stream, memory);
    this.#compiler.begin(stream, memory, keep);
    return { compiler: this.#compiler, memory };
  }

  /** Brings what a call needs into memory. */
  async #loadMissing({ stream, compiler, memory }: Omit<Playing, 'frame'>, index: number): Promise<void> {
    for (let missing = compiler.missingResource(index); missing >= 0; missing = compiler.missingResource(index)) {
      if (missing >= this.capture.manifest.resources.length)
        throw new GpuprofError(
          'bad-capture',
          `${stream.signature(index).name} uses resource ${missing}, which is not there`,
        );
      const { sizeBytes } = this.capture.manifest.resources[missing];
      const mostBytes = shareOfMemory(1);
      if (memory.loadedBytes + sizeBytes > mostBytes)
        throw new GpuprofError(
          'bad-capture',
          `with resource ${missing} of ${bytesText(sizeBytes)} there would be ${bytesText(memory.loadedBytes + sizeBytes)} in memory; at most ${bytesText(mostBytes)}`,
          { hint: memoryHint },
        );
      memory.load(missing, await this.capture.resource(missing));
    }
  }

  /** Makes every call of a stream as soon as it is compiled, but those that `idle` has; `goesOn` as {@link watch} has it. */
  async #perform(frame: number | null, stream: CallStream, goesOn?: GoesOn, idle?: Uint8Array | null): Promise<void> {
    const playing = { frame, stream, ...this.#begin(stream, undefined) };
    const { compiler, memory } = playing;
    const { lists } = this.#state.bindings;
    const listener = frame === null ? this.#listener : undefined;
    let index = 0;
    try {
      for (; index < stream.length; index++) {
        if (idle?.[index]) {
          if (listener) await listener.setupCall(index);
          continue;
        }
        const plain = lists.isOpen ? undefined : compiler.plain(index);
        if (!plain && compiler.duty(index).hasData) await this.#loadMissing(playing, index);
        this.#make(playing, index, plain);
        if (listener) await listener.setupCall(index);
        if (goesOn && !(await goesOn(index + 1))) break;
        if (memory.loadedBytes > performCacheBytes && !this.#checks.vertexChecks.owners().has(memory)) memory.unload();
      }
    } catch (error) {
      throw located(error, frame, index);
    }
    this.#left(memory);
  }

  /** Makes every call of a frame as soon as it is compiled; what all need is in memory. */
  #playOnce(playing: Playing, plan?: BracketPlan, hooks?: BracketHooks): void {
    const { frame, stream, compiler, memory } = playing;
    const { lists } = this.#state.bindings;
    let index = 0;
    try {
      for (; index < stream.length; index++)
        this.#make(playing, index, lists.isOpen ? undefined : compiler.plain(index), plan, hooks);
    } catch (error) {
      throw located(error, frame, index);
    }
    this.#left(memory);
  }

  /** Makes one call, within its bracket, and looks for errors. `plain` is what the compiler has for plain ones. */
  #make(playing: Playing, index: number, plain: Op | undefined, plan?: BracketPlan, hooks?: BracketHooks): void {
    const { frame, stream, compiler } = playing;
    const { bindings } = this.#state;
    const call = plain ? undefined : stream.call(index);
    this.#position[word.frame] = frame ?? 0;
    this.#position[word.event] = index + 1;
    const op = call ? compiler.compile(index, call) : plain;
    if (plan && hooks && plan.beginAt[index] >= 0) hooks.begin(plan.beginAt[index]);
    op?.(stream.starts[index]);
    if (plan && hooks && plan.endAt[index] >= 0) hooks.end(plan.endAt[index]);
    if (call) this.#followers.follow(compiler.toKeep(call), compiler.duty(index));
    // Between glBegin and glEnd even asking is an error.
    if (bindings.insideBegin) return;
    if (this.#errors.take(frame, index + 1, stream) && call) refuseFailedBufferCall(call, this.#state);
  }

  /** A stream has been played. */
  #left(memory: CallMemory): void {
    this.#keepClientArrays();
    if (!this.#clientMemory.has(memory)) memory.unload();
  }

  /** GL keeps the addresses of client arrays. */
  #keepClientArrays(): void {
    this.#clientMemory = this.#checks.vertexChecks.owners();
  }

  async #load(frame: number): Promise<FrameReplay> {
    const state = this.#state;
    const { bindings } = state;
    // What is played once needs none of it.
    const [{ Snapshot }, { saveUploads }] = await Promise.all([
      import('./restore/snapshot.ts'),
      import('./restore/texture-uploads.ts'),
    ]);
    const stream = await this.capture.frame(frame);
    const start = {
      names: state.objects.copy(),
      bindings: copyBindings(bindings),
      programs: state.programs.snapshot(),
      attributeKinds: this.#followers.attributeKinds.copy(),
      shapes: this.#followers.shapes.copy(),
      attributes: bindings.attributeStack.length + bindings.clientAttributeStack.length,
    };
    bindings.attributeFloor = start.attributes;
    bindings.lists.called = undefined;
    const changes = new FrameChanges();
    const { compiler, memory } = this.#begin(stream, changes.existedBefore);
    const ops: (Op | null)[] = [];
    const isQuiet = new Uint8Array(stream.length);
    let index = 0;
    try {
      for (; index < stream.length; index++) {
        const plain = bindings.lists.isOpen ? undefined : compiler.plain(index);
        if (plain) {
          ops.push(plain);
          if (compiler.duty(index).setsUniforms) changes.setsUniforms(bindings);
        } else {
          const call = stream.call(index);
          const duty = compiler.duty(index);
          if (duty.hasData) await this.#loadMissing({ stream, compiler, memory }, index);
          ops.push(compiler.compile(index, call));
          this.#followers.follow(compiler.toKeep(call), duty, changes);
        }
        if (bindings.insideBegin) isQuiet[index] = 1;
      }
    } catch (error) {
      throw located(error, frame, index);
    }
    if (bindings.attributeFloor < start.attributes)
      throw new GpuprofError(
        'missing-feature',
        `frame ${frame} takes attributes that were pushed before it by glPopAttrib or glPopClientAttrib, which cannot be put back`,
        { hint: 'replay it with --no-timing, which plays each frame once' },
      );
    const snapshot = await Snapshot.take(
      state,
      changes,
      {
        ...start,
        shape: (id) => start.shapes.shape(id),
        shapeAfter: (id) => this.#followers.shapes.shape(id),
      },
      (texture) => saveUploads(state, this.capture, frame, texture),
    )
      .then((taken) => {
        // The first run starts from restored contents like every other.
        taken.restore();
        return taken;
      })
      .catch((error) => {
        throw located(error, frame);
      });
    this.#errors.take(frame, 0, '(restoring what the frame changes)');
    const parts = { state, errors: this.#errors, snapshot, memory, listener: this.#listener, isQuiet };
    return new FrameReplay(frame, stream, ops, parts);
  }
}
