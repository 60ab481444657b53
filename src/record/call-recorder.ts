import { constants as c } from '../gl/webgl2/constants.ts';
import type { Manifest } from '../model/capture.ts';
import type { CaptureHead, CaptureSink } from '../model/sink.ts';
import { CaptureInProgress } from './capture-in-progress.ts';
import { describeContext, type Producer } from './describe-context.ts';
import type { SignatureOf } from './encode/call-list.ts';
import type { Encoded } from './encode/encoding.ts';
import { plainName } from './encode/webgl-commands.ts';
import { BufferSettings } from './observe/buffer-settings.ts';
import { BufferObserver } from './observe/buffers.ts';
import { type Observer, observers } from './observe/calls.ts';
import { type Defines, definitions } from './observe/definitions.ts';
import { HeldPrograms } from './observe/held-programs.ts';
import { NativeIds } from './observe/native-ids.ts';
import { PixelStore } from './observe/pixel-unpack.ts';
import { Shadows } from './observe/shadows.ts';
import { TextureObserver } from './observe/textures.ts';
import { isUpload, type PixelsOf, pixelsOfImageData, type Upload, UploadParser } from './observe/uploads.ts';
import { dropErrors, guarded, type Target } from './read-back/gl-guard.ts';
import { type ReferencePixels, readCanvas } from './snapshot/canvas.ts';
import { type Method, type Methods, markWrapper, methodNames, unwrapped, type WebGl } from './webgl.ts';

export interface RecorderOptions {
  /** Signatures of GL commands by name: `signatureOf` of gl/command-table.ts, or a trimmed table. */
  readonly signatureOf: SignatureOf;
  /** Who records; goes into the capture's origin. */
  readonly producer: Producer;
  /** Looks into image sources; by default only `{ width, height, data }` objects are known and others are read back. */
  readonly pixelsOf?: PixelsOf;
  /** When the context does not say: headless-gl calls its WebGL 2 "WebGL 1.0". */
  readonly version?: 1 | 2;
  /** A handle's GL name, for contexts whose getParameter mixes the two up (headless-gl's WebGL 2: `handle._`). */
  readonly nativeIdOf?: (handle: object) => unknown;
  /**
   * Told of each GL call just before it is made, and whether it draws, clears or blits: a frame may be begun there, and
   * the call is then its first.
   */
  readonly beforeCall?: (action: boolean) => void;
}

/** What is known only when a capture ends. */
export interface CaptureEnd {
  readonly reference: ReferencePixels;
  /** Extensions and limits that the captured calls need. */
  readonly requires: Manifest['requires'];
  /** What the capture does not hold as it was, in plain sentences; few or none. */
  readonly notes: readonly string[];
}

/**
 * Methods that put something into a picture, by core name: a frame is one that has such a call. A transform feedback begins
 * in the frame whose draws it takes.
 */
const action =
  /^(beginTransformFeedback$|draw(Arrays|Elements|RangeElements)|multiDraw|clear(Buffer[a-z]+)?$|blitFramebuffer)/;

const markers = ['pushGroupMarkerEXT', 'popGroupMarkerEXT', 'insertEventMarkerEXT'];

function inheritedProperty(object: object, name: string): PropertyDescriptor | undefined {
  const parent = Object.getPrototypeOf(object);
  return parent ? (Object.getOwnPropertyDescriptor(parent, name) ?? inheritedProperty(parent, name)) : undefined;
}

/** Whether a call may define something; one whose arguments make no sense may do anything. */
function mayDefine(defines: Defines, args: readonly unknown[]): boolean {
  try {
    return defines(args);
  } catch {
    return true;
  }
}

function versionOf(gl: object, options: RecorderOptions): 1 | 2 {
  if (options.version) return options.version;
  const text = String((gl as WebGl).getParameter(c.VERSION));
  return /WebGL 2/.test(text) || /WebGL2/.test(gl.constructor?.name ?? '') ? 2 : 1;
}

/**
 * Records frames of a program from its WebGL context. Methods of the context (and of the extension objects it hands out)
 * are replaced in place by ones that look on; objects, results and errors stay the program's own. Attach it before the
 * program's first call: contents that came before are unknown.
 */
export class CallRecorder {
  readonly #raw: WebGl;
  readonly #target: Target;
  readonly #extensions = new Map<string, Methods>();
  readonly #options: RecorderOptions;
  readonly #shadows = new Shadows();
  readonly #held: HeldPrograms;
  readonly #store = new PixelStore();
  readonly #textures: TextureObserver;
  readonly #uploads: UploadParser;
  readonly #observers: Readonly<Record<string, Observer>>;
  readonly #definitions: Readonly<Record<string, Defines>>;
  readonly #restores: (() => void)[] = [];
  readonly #pendingErrors: number[] = [];
  #capture: CaptureInProgress | undefined;
  #captures = 0;
  #failure: unknown;
  #quiet = false;
  /** Names of the groups that the program is in. */
  readonly #openGroups: string[] = [];

  constructor(gl: object, options: RecorderOptions) {
    this.#options = options;
    const names = methodNames(gl);
    const methods: Record<string, unknown> = {};
    // Its own calls are not the program's: another recorder of the same context does not see them.
    for (const name of names) methods[name] = unwrapped((gl as Methods)[name]).bind(gl);
    for (const name of ['drawingBufferWidth', 'drawingBufferHeight'])
      Object.defineProperty(methods, name, { get: () => (gl as Record<string, unknown>)[name] });
    if (options.nativeIdOf) {
      const ids = new NativeIds(options.nativeIdOf);
      const getParameter = methods.getParameter as WebGl['getParameter'];
      methods.getParameter = (pname: number) => ids.resolve(pname, getParameter(pname));
      this.#shadows.onAdd = (kind, handle) => ids.add(kind, handle);
    }
    const raw = methods as unknown as WebGl;
    this.#raw = raw;
    this.#held = new HeldPrograms(raw);
    const version = versionOf(gl, options);
    const bufferSettings = new BufferSettings();
    this.#target = { gl: raw, version, extensions: this.#extensions, bufferSettings };
    this.#textures = new TextureObserver(raw, this.#shadows);
    const buffers = new BufferObserver(raw, this.#shadows);
    this.#uploads = new UploadParser(raw, version, this.#store, this.#shadows, options.pixelsOf ?? pixelsOfImageData);
    const observed = {
      gl: raw,
      version,
      shadows: this.#shadows,
      textures: this.#textures,
      buffers,
      store: this.#store,
      bufferSettings,
    };
    this.#observers = {
      ...observers(observed),
      pushGroupMarkerEXT: ([name]) => void this.#openGroups.push(String(name)),
      popGroupMarkerEXT: () => void this.#openGroups.pop(),
    };
    this.#definitions = definitions(this.#textures);
    for (const name of names) this.#wrap(gl as Methods, name);
    for (const name of markers)
      if (!names.has(name))
        this.#replace(
          gl as Methods,
          name,
          this.#wrapper(name, () => undefined),
        );
  }

  #replace(owner: Methods, name: string, replacement: Method): void {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    // Programs go through a context's methods with for...in: what they found there they must still find.
    const enumerable = (own ?? inheritedProperty(owner, name))?.enumerable ?? false;
    Object.defineProperty(owner, name, { value: replacement, configurable: true, writable: true, enumerable });
    this.#restores.push(() => {
      if (own) Object.defineProperty(owner, name, own);
      else delete owner[name];
    });
  }

  #wrap(owner: Methods, name: string): void {
    const original = this.#held.method(name, owner[name]);
    const wrapper =
      name === 'getError'
        ? this.#getError(original)
        : name === 'getExtension'
          ? this.#getExtension(original)
          : this.#wrapper(name, original);
    markWrapper(wrapper, owner[name]);
    Object.defineProperty(wrapper, 'name', { value: owner[name].name });
    Object.defineProperty(wrapper, 'length', { value: owner[name].length });
    this.#replace(owner, name, wrapper);
  }

  #wrapper(name: string, original: Method): Method {
    const recorder = this;
    const observe = this.#observers[name] ?? this.#observers[plainName(name)];
    const upload = isUpload(name);
    const isAction = action.test(name);
    const defines = this.#definitions[plainName(name)];
    const { beforeCall } = this.#options;
    return function (this: unknown, ...args: unknown[]): unknown {
      if (beforeCall) beforeCall(isAction);
      if (recorder.#capture) return recorder.#record(name, original, this, args, observe);
      if (upload) return recorder.#observeUpload(name, original, this, args);
      if (!observe) return original.apply(this, args);
      const { result, failed } = recorder.#call(
        original,
        this,
        args,
        defines !== undefined && mayDefine(defines, args),
      );
      if (!failed) recorder.#safely(() => observe(args, result));
      return result;
    };
  }

  /** Makes a call; where it may fail, and what is known would be wrong then, GL says whether it did. */
  #call(original: Method, self: unknown, args: unknown[], isDoubtful: boolean): { result: unknown; failed: boolean } {
    if (isDoubtful) this.#collectErrors();
    const result = original.apply(self, args);
    return { result, failed: isDoubtful && this.#collectErrors() };
  }

  /** The program must not meet the recorder's own trouble: that ends the capture instead. */
  #safely<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#failure ??= error;
      return undefined;
    }
  }

  /** Undefined when the arguments make no sense, of which the context will complain. */
  #parse(name: string, args: readonly unknown[]): Upload | undefined {
    return args.length < 6 ? undefined : this.#uploads.parse(name, args);
  }

  #tryToParse(name: string, args: readonly unknown[]): { upload?: Upload; trouble?: unknown } {
    try {
      return { upload: this.#parse(name, args) };
    } catch (trouble) {
      return { trouble };
    }
  }

  #observeUpload(name: string, original: Method, self: unknown, args: unknown[]): unknown {
    const { upload, trouble } = this.#tryToParse(name, args);
    const isDoubtful = upload !== undefined && this.#textures.redefines(upload);
    const { result, failed } = this.#call(original, self, args, isDoubtful);
    // Had the context thrown as well, the arguments would have made no sense, and that be all.
    this.#failure ??= trouble;
    if (upload && !failed) this.#safely(() => this.#textures.upload(upload));
    return result;
  }

  #record(name: string, original: Method, self: unknown, args: unknown[], observe: Observer | undefined): unknown {
    const capture = this.#capture as CaptureInProgress;
    const { upload, encoded } = this.#prepare(capture, name, args);
    const result = original.apply(self, args);
    // A call that failed changed nothing: it is the program's error, and no part of the frame.
    if (encoded && this.#collectErrors()) return result;
    this.#safely(() => {
      if (encoded && upload) this.#textures.upload(upload);
      observe?.(args, result);
      encoded?.(result);
    });
    return result;
  }

  #prepare(capture: CaptureInProgress, name: string, args: unknown[]): { upload?: Upload; encoded: Encoded | null } {
    let refused: unknown;
    try {
      const upload = isUpload(name) ? this.#parse(name, args) : undefined;
      return { upload, encoded: capture.encode(name, args, upload) };
    } catch (error) {
      refused = error;
    }
    // The context most likely throws as well, since the arguments make no sense; if it does not, the frame lacks a call.
    return {
      encoded: () => {
        throw refused;
      },
    };
  }

  /** Takes GL's pending errors, to be handed to the program when it asks. */
  #collectErrors(): boolean {
    let any = false;
    for (let error = this.#raw.getError(); error !== c.NO_ERROR; error = this.#raw.getError()) {
      any = true;
      if (!this.#pendingErrors.includes(error)) this.#pendingErrors.push(error);
      // A lost context reports itself for ever.
      if (error === c.CONTEXT_LOST_WEBGL) break;
    }
    return any;
  }

  readonly #quietly = <T>(work: () => T): T => {
    const within = this.#quiet;
    // Errors that are pending inside are the recorder's own.
    if (within) dropErrors(this.#raw);
    else this.#collectErrors();
    this.#quiet = true;
    try {
      return work();
    } finally {
      dropErrors(this.#raw);
      this.#quiet = within;
    }
  };

  #getError(original: Method): Method {
    const pending = this.#pendingErrors;
    return function (this: unknown, ...args: unknown[]): unknown {
      return pending.length > 0 ? pending.shift() : original.apply(this, args);
    };
  }

  /** Extension objects are wrapped when the program first gets them. */
  #getExtension(original: Method): Method {
    const recorder = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      const extension = original.apply(this, args);
      if (typeof extension === 'object' && extension !== null)
        recorder.#addExtension(String(args[0]).toLowerCase(), extension as Methods);
      return extension;
    };
  }

  #addExtension(name: string, extension: Methods): void {
    if (this.#extensions.has(name)) return;
    const methods: Methods = {};
    const names = methodNames(extension);
    for (const method of names) methods[method] = unwrapped(extension[method]).bind(extension);
    this.#extensions.set(name, methods);
    for (const method of names) this.#wrap(extension, method);
  }

  /** Whether the context is lost: its calls do nothing then, and it answers null. */
  get isLost(): boolean {
    return this.#raw.isContextLost();
  }

  /** The capture's head as of now: canvas and origin. */
  describe(): CaptureHead {
    return this.#quietly(() => describeContext(this.#target, this.#options.producer));
  }

  /**
   * Begins a frame: the first call takes in all state, and from here to {@link finish} calls and the objects they touch go
   * to the sink. Further calls begin further frames of the same capture.
   */
  beginFrame(sink: CaptureSink): void {
    const isFirst = !this.#capture;
    if (isFirst) {
      const parts = {
        target: this.#target,
        shadows: this.#shadows,
        textures: this.#textures,
        store: this.#store,
        quietly: this.#quietly,
      };
      this.#capture = this.#quietly(
        () => new CaptureInProgress(parts, sink, this.#options.signatureOf, ++this.#captures, this.describe().canvas),
      );
    }
    this.#capture?.beginFrame();
    // What the frame draws first stands in groups that were opened before it.
    if (isFirst)
      for (const name of this.#openGroups) this.#capture?.encode('pushGroupMarkerEXT', [name], undefined)?.(undefined);
  }

  /**
   * Ends the capture: everything goes to the sink. Returns the canvas as the last frame left it. Throws what went wrong
   * in the recorder on the way, of which the program was told nothing.
   */
  finish(): CaptureEnd {
    const capture = this.#capture;
    if (!capture) throw new Error('no frame has begun');
    this.#capture = undefined;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const reference = this.#quietly(() => guarded(this.#target, () => readCanvas(this.#raw)));
      return { reference, ...this.#quietly(() => capture.finish()) };
    } catch (error) {
      this.#quietly(() => capture.dispose());
      throw error;
    }
  }

  /** Gives a capture up; nothing more goes to its sink. */
  abort(): void {
    const capture = this.#capture;
    this.#capture = undefined;
    if (capture) this.#quietly(() => capture.dispose());
  }

  /** Takes the recorder off: the context and its extension objects have their own methods again. */
  detach(): void {
    this.abort();
    this.#held.release();
    for (const restore of this.#restores.reverse()) restore();
    this.#restores.length = 0;
  }
}

/** Attaches a recorder to a context, before the program's first call. */
export function attachRecorder(gl: object, options: RecorderOptions): CallRecorder {
  return new CallRecorder(gl, options);
}
