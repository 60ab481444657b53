import { GpuprofError } from '../errors.ts';
import { namesFor, providersOf, signatureOf } from './command-table.ts';
import { bindFunction, type GlFunction, Scratch } from './native.ts';

export type DriverName = 'headless-gl' | 'egl' | 'swiftshader';
/** `es` is OpenGL ES, `gl` is desktop OpenGL. */
export type Api = 'es' | 'gl';

/** Which kind of context to make. A driver may give a newer version than asked, never an older one. */
export interface ContextRequest {
  readonly api: Api;
  /** Least version, [major, minor]. Without it: the newest the driver has. */
  readonly version?: readonly [number, number];
  /** For `gl` only; `compatibility` by default, since ES captures need what core removed. */
  readonly profile?: 'core' | 'compatibility';
  /** For the swiftshader driver: the browser (program or folder) whose SwiftShader draws; by default the one on PATH. */
  readonly browser?: string;
}

/** What a driver hands over: entry points and the context's life. */
export interface ContextBackend {
  readonly driver: DriverName;
  readonly api: Api;
  /** Address of a function, or null. May be non-null for functions the context does not have. */
  lookup(name: string): unknown;
  makeCurrent(): void;
  destroy(): void;
}

const GL_VENDOR = 0x1f00;
const GL_RENDERER = 0x1f01;
const GL_VERSION = 0x1f02;
const GL_EXTENSIONS = 0x1f03;
const GL_NUM_EXTENSIONS = 0x821d;
const GL_REQUESTABLE_EXTENSIONS_ANGLE = 0x93a8;
const softwareRenderers = /llvmpipe|softpipe|swrast|lavapipe|swiftshader|software rasterizer|basic render/i;

/** `glFoo(...)` by name; a command the context lacks throws GpuprofError `missing-feature` when first read. */
export type GlFunctions = Readonly<Record<`gl${string}`, GlFunction>>;

/** A current GL context and its command table. */
export class GlContext {
  readonly driver: DriverName;
  readonly api: Api;
  readonly version: readonly [number, number];
  readonly vendor: string;
  readonly renderer: string;
  /** GL_VERSION as the driver prints it. */
  readonly versionText: string;
  readonly extensions: ReadonlySet<string>;
  /** Whether the renderer draws on the CPU. */
  readonly software: boolean;
  /** Small native memory for arguments and results; contents last until the next call that uses it. */
  readonly scratch = new Scratch(64 * 1024);
  readonly gl: GlFunctions;

  readonly #backend: ContextBackend;
  readonly #functions = new Map<string, GlFunction | undefined>();

  /** The backend's context must be current. ANGLE's optional extensions are all switched on. */
  constructor(backend: ContextBackend) {
    this.#backend = backend;
    this.driver = backend.driver;
    this.api = backend.api;
    const getString = this.#bind('glGetString') as unknown as (name: number) => string | null;
    this.vendor = getString(GL_VENDOR) ?? '';
    this.renderer = getString(GL_RENDERER) ?? '';
    this.versionText = getString(GL_VERSION) ?? '';
    const digits = /(\d+)\.(\d+)/.exec(this.versionText);
    if (!digits)
      throw new GpuprofError(
        'gl-unavailable',
        `the ${this.driver} context has no readable GL version ("${this.versionText}")`,
      );
    this.version = [Number(digits[1]), Number(digits[2])];
    this.software = softwareRenderers.test(this.renderer);
    this.extensions = this.#readExtensions(getString);
    // Commands become members of their own when first read: a proxy's trap costs more than most commands.
    const gl: Record<string, GlFunction> = Object.create(
      new Proxy({}, { get: (_, name: string) => (gl[name] = this.require(name)) }),
    );
    this.gl = gl as GlFunctions;
  }

  #bind(name: string): GlFunction | undefined {
    const signature = signatureOf(name);
    const pointer = signature && this.#backend.lookup(name);
    return signature && pointer ? bindFunction(pointer, signature) : undefined;
  }

  #readExtensions(getString: (name: number) => string | null): ReadonlySet<string> {
    const requestable = /ANGLE/.test(this.versionText) ? getString(GL_REQUESTABLE_EXTENSIONS_ANGLE) : null;
    if (requestable) {
      const request = this.#bind('glRequestExtensionANGLE');
      for (const name of requestable.split(' ')) if (name) request?.(this.scratch.cString(name));
    }
    const getStringi = this.version[0] >= 3 ? this.#bind('glGetStringi') : undefined;
    if (!getStringi) return new Set((getString(GL_EXTENSIONS) ?? '').split(' ').filter(Boolean));
    const indexed = getStringi as unknown as (name: number, index: number) => string;
    this.#bind('glGetIntegerv')?.(GL_NUM_EXTENSIONS, this.scratch.address);
    return new Set(Array.from({ length: this.scratch.i32[0] }, (_, index) => indexed(GL_EXTENSIONS, index)));
  }

  /** Whether the context's version is at least this. */
  atLeast(major: number, minor: number): boolean {
    return this.version[0] > major || (this.version[0] === major && this.version[1] >= minor);
  }

  /** Whether the version or an extension of this context brings the command under exactly this name. */
  provides(name: string): boolean {
    return providersOf(name).some((provider) => {
      const version = /^(gl|es)(\d)\.(\d)$/.exec(provider);
      if (!version) return this.extensions.has(provider);
      return version[1] === this.api && this.atLeast(Number(version[2]), Number(version[3]));
    });
  }

  /** The command under its own name or an alias the context has, or undefined. */
  find(name: string): GlFunction | undefined {
    if (this.#functions.has(name)) return this.#functions.get(name);
    const available = namesFor(name).find((candidate) => this.provides(candidate));
    const found = available === undefined ? undefined : this.#bind(available);
    this.#functions.set(name, found);
    return found;
  }

  /** As {@link find}; throws GpuprofError `missing-feature` naming what would bring the command. */
  require(name: string): GlFunction {
    const found = this.find(name);
    if (found) return found;
    const providers = providersOf(name).map((provider) =>
      provider.replace(/^gl(?=\d)/, 'OpenGL ').replace(/^es(?=\d)/, 'OpenGL ES '),
    );
    throw new GpuprofError('missing-feature', `${this.renderer} (${this.versionText}) lacks ${name}`, {
      hint: providers.length > 0 ? `it comes with ${providers.join(' or ')}` : 'no GL registry knows it',
    });
  }

  /** One integer of context state. */
  integer(name: number): number {
    this.gl.glGetIntegerv(name, this.scratch.address);
    return this.scratch.i32[0];
  }

  makeCurrent(): void {
    this.#backend.makeCurrent();
  }

  /** Ends the context; its functions must not be called afterwards. */
  destroy(): void {
    this.#backend.destroy();
  }
}
