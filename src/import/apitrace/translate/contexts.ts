import { Bindings } from '../../../model/bindings.ts';
import { GL } from '../../../model/gl-constants.ts';
import { ContextState } from '../../context-state/context-state.ts';
import { ContextNames, ShareGroup } from './names.ts';
import { UnpackState } from './unpack-state.ts';

/** What a context was asked to be. */
export interface Profile {
  readonly api: 'gl' | 'gles';
  readonly version: readonly [number, number];
  readonly isCore: boolean;
  /** Samples a pixel of the windows made for it; 0 for one. */
  readonly samples: number;
}

/** What glXCreateContext makes: the version that every desktop driver has, with all of the old commands. */
export const legacyProfile: Profile = { api: 'gl', version: [2, 1], isCore: false, samples: 0 };

/** The least that a window has before its size is known, as glretrace makes it. */
const leastSize = 32;
/** The most that a capture's canvas has; viewports may reach beyond a window. */
const mostSize = 16384;

/** Ids of the framebuffer that stands for a window, and of its renderbuffers. */
export interface WindowStandIn {
  readonly framebuffer: number;
  readonly color: number;
  readonly depthStencil: number;
}

/** The capture's own canvas. */
export const canvasStandIn: WindowStandIn = { framebuffer: 0, color: 0, depthStencil: 0 };

/** A window or pbuffer. Traces do not tell windows' sizes: they grow to what is drawn into them. */
export class Drawable {
  width: number;
  height: number;
  readonly hasFixedSize: boolean;
  /** What stands for it in the capture, once it is known to be drawn into: 0 for the canvas. */
  standIn: WindowStandIn | null = null;
  #isSeen = false;

  constructor(size?: { readonly width: number; readonly height: number }) {
    this.width = Math.min(Math.max(1, size?.width ?? leastSize), mostSize);
    this.height = Math.min(Math.max(1, size?.height ?? leastSize), mostSize);
    this.hasFixedSize = size !== undefined;
  }

  /** Whether the window had to grow. */
  grow(width: number, height: number): boolean {
    if (this.hasFixedSize || !(width > 0 && height > 0)) return false;
    if (this.#isSeen && width <= this.width && height <= this.height) return false;
    this.#isSeen = true;
    this.width = Math.min(Math.max(width, this.width), mostSize);
    this.height = Math.min(Math.max(height, this.height), mostSize);
    return true;
  }
}

/** A GL context of the traced program, with the state that its calls' meaning depends on. */
export class TraceContext {
  readonly profile: Profile;
  readonly group: ShareGroup;
  readonly names: ContextNames;
  readonly bindings = new Bindings();
  /** What its calls have set, which the capture's one context is given when it is this one's turn. */
  readonly state = new ContextState();
  /** The framebuffers that its framebuffer 0 means in the calls so far, for drawing and for reading. */
  windowFramebuffer = 0;
  windowReadFramebuffer = 0;
  readonly unpack = new UnpackState();
  /** Whether its scissor rectangle is to be the window, of which GL has not been told yet. */
  scissorIsWindow = false;
  /** What it draws into. */
  drawable: Drawable | null = null;
  /** What it reads from, mostly the same. */
  readable: Drawable | null = null;

  constructor(profile: Profile, group: ShareGroup) {
    this.profile = profile;
    this.group = group;
    this.names = new ContextNames(group);
  }

  /** Whether the scissor test is enabled. */
  get scissors(): boolean {
    return this.state.families.get(`Enable ${GL.SCISSOR_TEST}`)?.get('')?.call.signature.name === 'glEnable';
  }
}

/** Contexts and windows by their addresses, and which context is current in which thread. */
export class Contexts {
  readonly #contexts = new Map<number, TraceContext>();
  readonly #drawables = new Map<number, Drawable>();
  #groups = 0;
  readonly #current: (TraceContext | null)[] = [];

  /** The current context of a thread. */
  current(thread: number): TraceContext | null {
    return this.#current[thread] ?? null;
  }

  create(address: number, profile: Profile, shareWith: number): void {
    const group = this.#contexts.get(shareWith)?.group ?? new ShareGroup(this.#groups++);
    this.#contexts.set(address, new TraceContext(profile, group));
  }

  /** A context by address; of one whose making the trace does not have, a legacy one. Undefined for address 0. */
  context(address: number): TraceContext | undefined {
    if (address === 0) return undefined;
    if (!this.#contexts.has(address)) this.create(address, legacyProfile, 0);
    return this.#contexts.get(address);
  }

  all(): Iterable<TraceContext> {
    // Threads without a context leave holes in the list.
    return new Set([...this.#contexts.values(), ...this.#current.filter((context) => context !== null)]);
  }

  /** Forgets an address, which the program may get again; a context that is current lives on. */
  destroy(address: number): void {
    this.#contexts.delete(address);
  }

  addDrawable(address: number, drawable: Drawable): void {
    this.#drawables.set(address, drawable);
  }

  drawable(address: number): Drawable | undefined {
    return this.#drawables.get(address);
  }

  destroyDrawable(address: number): void {
    this.#drawables.delete(address);
  }

  /** `readable` is the drawable that the context reads from, when it is another. */
  makeCurrent(thread: number, context: number, drawable: number, readable = drawable): void {
    const current = this.context(context) ?? null;
    this.#current[thread] = current;
    if (!current) return;
    current.drawable = this.#drawable(drawable);
    current.readable = this.#drawable(readable);
  }

  #drawable(address: number): Drawable {
    let found = this.#drawables.get(address);
    if (!found) {
      found = new Drawable();
      this.#drawables.set(address, found);
    }
    return found;
  }

  /** `wglShareLists`: the second context, which has no objects yet, takes part in the first one's. */
  share(first: number, second: number): void {
    const [from, to] = [this.context(first), this.context(second)];
    if (!from || !to) return;
    const joined = new TraceContext(to.profile, from.group);
    joined.drawable = to.drawable;
    joined.readable = to.readable;
    this.#contexts.set(second, joined);
    for (const [thread, current] of this.#current.entries()) if (current === to) this.#current[thread] = joined;
  }
}
