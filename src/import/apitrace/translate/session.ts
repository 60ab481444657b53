import { signatureOf } from '../../../gl/command-table.ts';
import type { Argument } from '../../../model/call.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { ObjectClass, Signature } from '../../../model/signature.ts';
import type { CaptureBuilder } from '../../capture-builder.ts';
import { switchCalls } from '../../context-state/switch-context.ts';
import type { TraceCall } from '../trace.ts';
import { Contexts, type Drawable, type TraceContext } from './contexts.ts';
import { Programs } from './programs.ts';
import { WindowFramebuffers } from './window-framebuffers.ts';

/** Turns one call of the trace into calls of the capture. */
export type Translate = (call: TraceCall) => void;

/** A call cannot be expressed: it is counted and left out. The message ends "left out, since ...". */
export class LeftOut extends Error {}

/** Commands that make the objects whose names a program may use without asking for them. */
const makers: Readonly<Partial<Record<ObjectClass, string>>> = {
  buffer: 'glGenBuffers',
  texture: 'glGenTextures',
  framebuffer: 'glGenFramebuffers',
  renderbuffer: 'glGenRenderbuffers',
  vertexArray: 'glGenVertexArrays',
  query: 'glGenQueries',
  sampler: 'glGenSamplers',
  programPipeline: 'glGenProgramPipelines',
  transformFeedback: 'glGenTransformFeedbacks',
  assemblyProgram: 'glGenProgramsARB',
};

/** What all parts of a translation share. */
export class Session {
  readonly builder: CaptureBuilder;
  readonly contexts = new Contexts();
  readonly programs: Programs;
  /** Bytes of each buffer's storage, by id. */
  readonly bufferSizes = new Map<number, number>();
  /** What glGetString told of the driver, by enum. */
  readonly strings = new Map<number, string>();
  #context: TraceContext | null = null;
  /** The context that draws first, whose API the capture has. */
  #main: TraceContext | null = null;
  /** The context whose state the capture's has. */
  #live: TraceContext | null = null;
  readonly #windows: WindowFramebuffers;
  /** How the program got its contexts: `glx`, `egl`, `wgl` or `cgl`. */
  platform = 'glx';

  /** `shownLast` finds the address of the window that the last frame is shown in; it is asked when there are several. */
  constructor(builder: CaptureBuilder, shownLast: () => number | null = () => null) {
    this.builder = builder;
    this.programs = new Programs((program, name) => builder.location(program, name));
    let shown: number | null | undefined;
    const isMain = (drawable: Drawable) => {
      if (shown === undefined) shown = shownLast();
      return shown !== null && this.contexts.drawable(shown) === drawable;
    };
    this.#windows = new WindowFramebuffers(
      builder,
      (name, args) => this.#add(signatureOf(name) as Signature, args, 0),
      isMain,
    );
  }

  /** The context of the call at hand. */
  get context(): TraceContext {
    if (!this.#context) throw new LeftOut('no context was current');
    return this.#context;
  }

  get main(): TraceContext | null {
    return this.#main ?? this.#context;
  }

  /** Whether a context is current in the thread, which is taken from here on. */
  enter(thread: number): boolean {
    const context = this.contexts.current(thread);
    if (context !== null && context !== this.#context) this.#switchTo(context);
    return context !== null;
  }

  /** The current context or its window is another: the next call finds out. */
  leave(): void {
    this.#context = null;
  }

  emit(signature: Signature, args: readonly Argument[], result = 0): void {
    if (this.#main === null && this.builder.hasBegun) this.#main = this.#context;
    const context = this.context;
    const { windowFramebuffer, windowReadFramebuffer } = context;
    const isPlain = windowFramebuffer === 0 && windowReadFramebuffer === 0;
    const meant = isPlain ? args : this.#windows.meant(context, signature, args);
    this.#add(signature, meant, result);
  }

  #add(signature: Signature, args: readonly Argument[], result: number): void {
    const { group, state } = this.context;
    this.builder.call(signature, args, result);
    group.lists.apply(state, { signature, args });
  }

  /** Emits a call by its GL name. */
  named(name: string, args: readonly Argument[], result = 0): void {
    this.emit(signatureOf(name) as Signature, args, result);
  }

  /** The id of an object of the program; 0 for name 0. A name that was never asked for gets its object made here. */
  id(objectClass: ObjectClass, name: number): number {
    if (name === 0) return objectClass === 'framebuffer' ? this.context.windowFramebuffer : 0;
    const ids = this.context.names.of(objectClass);
    const known = ids.get(name);
    if (known !== undefined) return known;
    const maker = makers[objectClass];
    if (!maker) throw new LeftOut(`the trace does not make ${objectClass} ${name}`);
    const id = this.make(objectClass, name);
    this.named(maker, [1, [id]]);
    return id;
  }

  /** A new id for a name. */
  make(objectClass: ObjectClass, name: number): number {
    const id = this.builder.newId(objectClass);
    this.context.names.of(objectClass).set(name, id);
    return id;
  }

  /**
   * Whether another context uses the object: then it lives on without its name (GL 4.6, section 5.1.3), and the capture,
   * which has one context, must not delete it.
   */
  isHeldElsewhere(objectClass: ObjectClass, id: number): boolean {
    const { names } = this.context;
    for (const other of this.contexts.all())
      if (other !== this.context && other.names.of(objectClass) === names.of(objectClass))
        if (other.state.holds(objectClass, id)) return true;
    return false;
  }

  /** Objects of the current context are deleted, under whatever names. */
  forget(objectClass: ObjectClass, ids: readonly number[]): void {
    const { names, windowFramebuffer, windowReadFramebuffer } = this.context;
    const gone = new Set(ids);
    if (objectClass === 'framebuffer' && (windowFramebuffer !== 0 || windowReadFramebuffer !== 0)) {
      const { drawFramebuffer, readFramebuffer } = this.context.state.selected;
      if (gone.has(drawFramebuffer)) this.named('glBindFramebuffer', [GL.DRAW_FRAMEBUFFER, windowFramebuffer]);
      if (gone.has(readFramebuffer)) this.named('glBindFramebuffer', [GL.READ_FRAMEBUFFER, windowReadFramebuffer]);
    }
    for (const other of this.contexts.all())
      if (other.names.of(objectClass) === names.of(objectClass)) other.state.forget(objectClass, gone);
  }

  /** Framebuffer 0 is drawn into up to there: the window is at least that big. */
  growWindow(width: number, height: number): void {
    const { context } = this;
    const { drawable, bindings, windowFramebuffer } = context;
    if (!drawable || bindings.drawFramebuffer !== windowFramebuffer || !drawable.grow(width, height)) return;
    this.#windows.fit(context);
    context.scissorIsWindow = true;
    if (context.scissors) this.setScissor();
  }

  /** As glretrace has it, a window that grows is the scissor rectangle from then on: this says so before it matters. */
  setScissor(): void {
    const { context } = this;
    const { drawable } = context;
    if (drawable && context.scissorIsWindow) this.named('glScissor', [0, 0, drawable.width, drawable.height]);
    context.scissorIsWindow = false;
  }

  /** A capture has one context: it takes the state of the one whose turn it is. */
  #switchTo(context: TraceContext): void {
    this.#context = context;
    this.builder.bindings = context.bindings;
    if (this.#live && this.#live !== context)
      for (const { signature, args } of switchCalls(this.#live.state, context.state, signatureOf))
        this.builder.call(signature, args);
    this.#live = context;
    this.#windows.fit(context);
  }
}
