import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { formatCall } from '../gl/format-call.ts';
import { Bindings } from '../model/bindings.ts';
import type { Call, DataArgument } from '../model/call.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Capture } from '../model/capture.ts';
import { TextureShapes } from '../model/texture-shapes.ts';
import { CanvasFramebuffer } from './canvas.ts';
import { Lifetimes } from './checks/lifetimes.ts';
import { MemoryBudget } from './checks/memory-budget.ts';
import { checkRequirements } from './checks/requirements.ts';
import { refuseFailedBufferCall, VertexChecks } from './checks/vertex-checks.ts';
import { CallMemory } from './compile/call-memory.ts';
import { Compiler } from './compile/compiler.ts';
import type { Op } from './compile/invokers.ts';
import type { ReplayState, Site } from './compile/site.ts';
import { desktopDefaults } from './desktop-defaults.ts';
import { FrameReplay } from './frame-replay.ts';
import { type GlErrorRecord, GlErrors } from './gl-errors.ts';
import { LiveObjects } from './live-objects.ts';
import { PixelStore } from './pixel-store.ts';
import { Programs } from './programs.ts';
import type { ReplayListener } from './replay-listener.ts';
import { copyBindings } from './restore/bindings.ts';
import { FrameChanges } from './restore/frame-changes.ts';
import { Snapshot } from './restore/snapshot.ts';
import { saveUploads } from './restore/texture-uploads.ts';
import { AttributeKinds } from './restore/vertex-attributes.ts';

export interface ReplayOptions {
  /** Leave the program's own timer and occlusion queries out; true by default, as they disturb a measurement. */
  readonly skipApplicationQueries?: boolean;
  /** Most GPU memory a capture may ask for, as estimated from its calls; 4 GiB by default. */
  readonly maxGpuBytes?: number;
  readonly listener?: ReplayListener;
}

const GL_PRIMITIVE_RESTART_FIXED_INDEX = 0x8d69;
const defaultMaxGpuBytes = 4 * 2 ** 30;
/** Resources kept in memory while the setup runs, since the next call may use the same one. */
const setupCacheBytes = 64 * 2 ** 20;

/** Plays a capture on a context. One replayer uses a context at a time. */
export class Replayer {
  readonly context: GlContext;
  readonly capture: Capture;
  readonly #state: ReplayState;
  readonly #errors: GlErrors;
  readonly #checks: ConstructorParameters<typeof Compiler>[3];
  readonly #shapes = new TextureShapes();
  readonly #attributeKinds = new AttributeKinds();
  readonly #setupMemory: CallMemory[] = [];
  readonly #listener: ReplayListener | undefined;
  #current: FrameReplay | undefined;
  /** The last frame whose calls the bindings have seen. */
  #compiled = 0;

  private constructor(context: GlContext, capture: Capture, options: ReplayOptions) {
    this.context = context;
    this.capture = capture;
    this.#listener = options.listener;
    const { manifest } = capture;
    const objects = new LiveObjects(manifest);
    const budget = new MemoryBudget(options.maxGpuBytes ?? defaultMaxGpuBytes);
    const { width, height, samples } = manifest.canvas;
    budget.set('canvas', width * height * Math.max(1, samples) * 8, 'the canvas');
    this.#checks = {
      budget,
      vertexChecks: new VertexChecks((buffer) => budget.bufferBytes(buffer)),
      lifetimes: new Lifetimes(),
    };
    this.#errors = new GlErrors(context);
    const esOnDesktop = context.api === 'gl' && manifest.api !== 'gl';
    const canvas = new CanvasFramebuffer(context, manifest.canvas, !manifest.api.startsWith('webgl'));
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
    };
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
    context.makeCurrent();
    checkRequirements(context, capture.manifest);
    const replayer = new Replayer(context, capture, options);
    await replayer.#setup();
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
    const count = this.capture.manifest.frames.length;
    if (!(frame >= 1 && frame <= count))
      throw new GpuprofError(
        'bad-usage',
        `the capture has ${count} frame${count === 1 ? '' : 's'}; there is no frame ${frame}`,
      );
    if (this.#current && frame < this.#compiled)
      throw new GpuprofError(
        'bad-usage',
        `frame ${frame} comes before frame ${this.#compiled}, which is loaded already`,
      );
    if (this.#current && frame === this.#compiled) {
      this.#current.restore();
      return this.#current;
    }
    for (let next = this.#compiled + 1; next <= frame; next++) {
      if (this.#current) {
        this.#current.restore();
        this.#current.play();
        this.#current.collectErrors();
        this.#current.destroy();
        this.#listener?.frameLeft();
      }
      this.#current = await this.#load(next);
      this.#compiled = next;
    }
    return this.#current!;
  }

  /** Frees what the replayer made itself; the capture's objects go with the context. */
  destroy(): void {
    this.#current?.destroy();
    this.#current = undefined;
    this.#state.canvas.destroy();
  }

  #memoryFor(stream: CallStream): CallMemory {
    return new CallMemory(stream, this.#state.objects, this.capture.manifest.resources.length, this.#state.esOnDesktop);
  }

  async #loadResources(call: Call, memory: CallMemory): Promise<void> {
    for (const [index, param] of call.signature.params.entries()) {
      const data = param.type === 'data' ? (call.args[index] as DataArgument) : null;
      if (data?.kind !== 'resource' || memory.has(data.resource)) continue;
      if (data.resource >= this.capture.manifest.resources.length)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} uses resource ${data.resource}, which is not there`,
        );
      memory.load(data.resource, await this.capture.resource(data.resource));
    }
  }

  /** What follows the calls, in this order, once a call has been compiled. */
  #follow(call: Call): void {
    this.#shapes.observe(call, this.#state.bindings);
    this.#state.programs.observe(call);
    this.#attributeKinds.observe(call);
    this.#state.bindings.apply(call);
  }

  #compiler(stream: CallStream, memory: CallMemory, keep: Site['keep']): Compiler {
    return new Compiler(this.#state, stream, memory, this.#checks, keep);
  }

  async #setup(): Promise<void> {
    const stream = await this.capture.setup();
    const memory = this.#memoryFor(stream);
    const compiler = this.#compiler(stream, memory, undefined);
    let holdsClientArrays = false;
    for (let index = 0; index < stream.length; index++) {
      const call = stream.call(index);
      await this.#loadResources(call, memory);
      const op = this.#located(null, index, () => compiler.compile(index, call));
      op?.(stream.starts[index]);
      const failed = op && this.#errors.take(null, index + 1, () => formatCall(call, this.capture.manifest));
      if (failed) refuseFailedBufferCall(call);
      this.#follow(call);
      await this.#listener?.setupCall(index);
      // GL keeps the addresses of client arrays.
      holdsClientArrays ||= /Pointer/.test(call.signature.name) && this.#clientData(call);
      if (memory.loadedBytes > setupCacheBytes && !holdsClientArrays) memory.unload();
    }
    if (holdsClientArrays) this.#setupMemory.push(memory);
  }

  #clientData({ args }: Call): boolean {
    const last = args[args.length - 1] as DataArgument;
    return last?.kind === 'inline' || last?.kind === 'resource';
  }

  async #load(frame: number): Promise<FrameReplay> {
    const state = this.#state;
    const stream = await this.capture.frame(frame);
    const memory = this.#memoryFor(stream);
    const start = {
      names: state.objects.copy(),
      bindings: copyBindings(state.bindings),
      programs: state.programs.snapshot(),
      attributeKinds: this.#attributeKinds.copy(),
      shapes: this.#shapes.copy(),
    };
    const changes = new FrameChanges();
    const compiler = this.#compiler(stream, memory, changes.existedBefore);
    const ops: (Op | null)[] = [];
    for (let index = 0; index < stream.length; index++) {
      const call = stream.call(index);
      await this.#loadResources(call, memory);
      ops.push(this.#located(frame, index, () => compiler.compile(index, call)));
      changes.observe(call, state.bindings);
      this.#follow(call);
    }
    const snapshot = await Snapshot.take(
      state,
      changes,
      {
        names: start.names,
        bindings: start.bindings,
        programs: start.programs,
        attributeKinds: start.attributeKinds,
        shape: (id) => start.shapes.shape(id),
        shapeAfter: (id) => this.#shapes.shape(id),
      },
      (texture) => saveUploads(state, this.capture, frame, texture),
    );
    // The first run starts from restored contents like every other.
    snapshot.restore();
    this.#errors.take(frame, 0, () => '(restoring what the frame changes)');
    const listener = this.#listener;
    return new FrameReplay(frame, stream, ops, { state, errors: this.#errors, snapshot, memory, listener });
  }

  /** Says which call an error is about. */
  #located<T>(frame: number | null, index: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GpuprofError)) throw error;
      const place = frame === null ? `setup call ${index + 1}` : `frame ${frame}, event ${index + 1}`;
      throw new GpuprofError(error.code, `${place}: ${error.message}`, {
        ...(error.hint && { hint: error.hint }),
        cause: error,
      });
    }
  }
}
