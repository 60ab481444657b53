import { signatureOf } from '../gl/command-table.ts';
import { actionKind, drawCount, mayBeAction } from '../model/actions.ts';
import { Bindings } from '../model/bindings.ts';
import type { Argument, Call, DataArgument } from '../model/call.ts';
import type { Canvas } from '../model/capture.ts';
import { perSignature } from '../model/per-signature.ts';
import type { ObjectClass, Signature } from '../model/signature.ts';
import type { FrameRange, ImportSummary } from './formats.ts';
import type { ImportTarget } from './import-target.ts';

/** Data up to this size is stored in the call itself. */
const inlineBytes = 256;

/** What begins the first frame; uploads and copies before it belong to the setup. */
const beginning = new Set(['draw', 'feedback', 'clear', 'dispatch', 'blit', 'resolve']);

interface Traits {
  readonly binds: boolean;
  readonly acts: boolean;
  readonly list: 'begin' | 'end' | null;
  /** What cannot be cut in two with the draws inside it: glBegin, which counts as one, or transform feedback. */
  readonly opens: 'draw' | 'feedback' | null;
  /** 1 for what opens a group, -1 for what closes one. */
  readonly group: -1 | 0 | 1;
  /** 1 for what saves attributes or begins a list, -1 for its end: a frame holds both or neither. */
  readonly nesting: -1 | 0 | 1;
}

const opensGroup = /^glPush(DebugGroup(KHR)?|GroupMarkerEXT)$/;
const closesGroup = /^glPop(DebugGroup(KHR)?|GroupMarkerEXT)$/;

const nests = /^gl(Push(Client)?Attrib|NewList)$/;
const ends = /^gl(Pop(Client)?Attrib|EndList)$/;

const traitsOf = perSignature(
  (signature): Traits => ({
    binds: Bindings.follows(signature),
    acts: mayBeAction(signature),
    list: signature.name === 'glNewList' ? 'begin' : signature.name === 'glEndList' ? 'end' : null,
    opens:
      signature.name === 'glBegin' ? 'draw' : signature.name.startsWith('glBeginTransformFeedback') ? 'feedback' : null,
    group: opensGroup.test(signature.name) ? 1 : closesGroup.test(signature.name) ? -1 : 0,
    nesting: nests.test(signature.name) ? 1 : ends.test(signature.name) ? -1 : 0,
  }),
);

/** glNewList's mode that only records. */
const GL_COMPILE = 0x1300;

/**
 * What every importer tells of its source, in order: calls with ids and data of the capture, ends of frames, what was left
 * out. Decides where the setup ends and which frames are kept, and counts.
 */
export class CaptureBuilder {
  /** What is bound in the context that the source's calls are made in; the importer may put another one in its place. */
  bindings = new Bindings();
  /** Of the canvas that the capture begins with; the importer fills it in before the first action. */
  canvas: Canvas = {
    width: 1,
    height: 1,
    alpha: true,
    depth: true,
    stencil: true,
    samples: 0,
    preserved: true,
  };
  readonly #target: ImportTarget;
  readonly #range: FrameRange | undefined;
  readonly #drawsOf: (call: Call) => number;
  readonly #lastIds = new Map<ObjectClass, number>();
  readonly #dropped = new Map<string, { name: string; count: number; why: string }>();
  readonly #notes = new Set<string>();
  readonly #traits = new Map<Signature, Traits>();
  #state: 'setup' | 'between' | 'frame' = 'setup';
  /** Frames of the source that have ended. */
  #ended = 0;
  #frames = 0;
  #calls = 0;
  #draws = 0;
  /** Of the frame begun last, which may be taken away again. */
  #frameStart = { calls: 0, draws: 0 };
  #frameActs = false;
  #hasActed = false;
  #isCompilingList = false;
  /** Groups open in a first frame that begins with them, and that is none unless something is drawn in them. */
  #openGroups = 0;
  /** How much is saved and not put back, a list that is compiled included. */
  #depth = 0;
  /** Calls of the setup since it was left open, which belong to the first frame when that begins before it is closed. */
  #held: Call[] = [];

  /** `drawsOf` says how many draws the source's tool counts for a call that draws. */
  constructor(target: ImportTarget, frames?: FrameRange, drawsOf: (call: Call) => number = drawCount) {
    this.#target = target;
    this.#range = frames;
    this.#drawsOf = drawsOf;
  }

  /** Whether all frames that were asked for are there, so that nothing more need be read. */
  get isFull(): boolean {
    return this.#range !== undefined && this.#ended >= this.#range.last;
  }

  /** Whether anything has been drawn, cleared or dispatched, or a frame begun: from then on the canvas's size is a call. */
  get hasBegun(): boolean {
    return this.#hasActed || (this.#frames > 0 && this.#openGroups === 0);
  }

  /** Whether anything has been drawn since the last frame was shown. */
  get hasDrawn(): boolean {
    return this.#frameActs && this.#state !== 'between';
  }

  /** Adds a call; `result` is the id of the object it returns. */
  call(signature: Signature, args: readonly Argument[], result = 0): void {
    let traits = this.#traits.get(signature);
    if (!traits) {
      traits = traitsOf(signature);
      this.#traits.set(signature, traits);
    }
    if (this.#state === 'between') this.#beginFrame();
    if (traits.acts || traits.opens !== null) this.#observe({ signature, args, result }, traits);
    if (traits.group === 1 && !this.#hasActed) this.#openGroup();
    this.#calls++;
    if (traits.nesting !== 0) this.#depth = Math.max(0, this.#depth + traits.nesting);
    if (this.#holds(traits)) this.#held.push({ signature, args, result });
    else this.#target.call(signature, args, result);
    if (this.#depth === 0 && this.#held.length > 0) this.#release();
    if (traits.group === -1 && this.#openGroups > 0) this.#closeGroup();
    if (traits.binds) this.bindings.apply({ signature, args, result });
    if (traits.list !== null) this.#isCompilingList = traits.list === 'begin' && args[1] === GL_COMPILE;
  }

  /** Adds a call by its GL name, which must be a command that the table has. */
  named(name: string, args: readonly Argument[], result = 0): void {
    this.call(signatureOf(name) as Signature, args, result);
  }

  /** Bytes as an argument, within the call when they are few. The bytes are copied. */
  data(bytes: Uint8Array): DataArgument {
    if (bytes.byteLength <= inlineBytes) return { kind: 'inline', bytes };
    return { kind: 'resource', resource: this.#target.resource(bytes), byteOffset: 0, byteLength: bytes.byteLength };
  }

  location(program: number, name: string): number {
    return this.#target.location(program, name);
  }

  /** An id that no object of the class has had. */
  newId(objectClass: ObjectClass): number {
    const id = (this.#lastIds.get(objectClass) ?? 0) + 1;
    this.#lastIds.set(objectClass, id);
    return id;
  }

  /** Counts a call that is left out; `why` ends "left out, since ...". */
  drop(name: string, why: string): void {
    const key = `${name} ${why}`;
    const known = this.#dropped.get(key);
    if (known) known.count++;
    else this.#dropped.set(key, { name, count: 1, why });
  }

  /** A sentence for people, told once. */
  note(text: string): void {
    this.#notes.add(text);
  }

  /** The source itself says where its first frame begins, with state calls and all. */
  endSetup(): void {
    if (this.#state === 'setup' && (this.#range?.first ?? 1) === 1) this.#beginFrame();
  }

  /** The source shows a frame: the next call begins another. */
  endFrame(): void {
    const first = this.#range?.first ?? 1;
    this.#ended++;
    this.#openGroups = 0;
    if (this.#ended >= first && this.#state !== 'frame') this.#beginFrame();
    if (this.#ended >= first - 1) this.#state = 'between';
    else this.#frameActs = false;
  }

  /** Gives the canvas another size: the capture's own until anything has been drawn, a call from then on. */
  resizeCanvas(width: number, height: number): void {
    if (this.hasBegun) this.named('gpuprofCanvasSize', [width, height]);
    else this.canvas = { ...this.canvas, width, height };
  }

  /** What the import came to; a last frame that was never shown is kept when it draws. */
  finish(ending: { sourceCalls: number; isComplete: boolean; ending: string | null }): ImportSummary {
    this.#release();
    if (this.#openGroups > 0) this.#joinSetup();
    if (this.#state === 'frame' && this.#ended > 0) {
      if (this.#frameActs) this.note(`frame ${this.#ended + 1}, the last one, does not end with a swap`);
      else this.#takeFrameAway();
    }
    return {
      ...ending,
      sourceFrames: this.#ended + (this.#state === 'frame' || (this.#ended === 0 && this.#hasActed) ? 1 : 0),
      calls: this.#calls,
      frames: this.#frames,
      draws: this.#draws,
      notes: [...this.#notes],
      dropped: [...this.#dropped.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    };
  }

  #holds({ nesting }: Traits): boolean {
    if (this.#state !== 'setup' || (this.#range?.first ?? 1) > 1) return false;
    return this.#held.length > 0 || (nesting === 1 && this.#depth === 1);
  }

  #release(): void {
    for (const { signature, args, result } of this.#held) this.#target.call(signature, args, result);
    this.#held = [];
  }

  #beginFrame(): void {
    this.#target.beginFrame();
    this.#release();
    this.#frames++;
    this.#state = 'frame';
    this.#frameStart = { calls: this.#calls, draws: this.#draws };
    this.#frameActs = false;
  }

  /** Groups around the first action belong to the first frame. */
  #openGroup(): void {
    if (this.#openGroups === 0 && this.#state === 'frame') return;
    this.endSetup();
    if (this.#state === 'frame') this.#openGroups++;
  }

  #closeGroup(): void {
    if (--this.#openGroups === 0) this.#joinSetup();
  }

  /** Nothing was drawn in the groups: the frame has not begun yet. */
  #joinSetup(): void {
    this.#openGroups = 0;
    this.#target.joinFrame();
    this.#frames--;
    this.#state = 'setup';
  }

  #takeFrameAway(): void {
    this.#target.dropFrame();
    this.#state = 'between';
    this.#frames--;
    this.#calls = this.#frameStart.calls;
    this.#draws = this.#frameStart.draws;
  }

  /** Counts draws, and ends the setup with the first action when the first frame is wanted. */
  #observe(call: Call, { opens }: Traits): void {
    if (this.#isCompilingList) return;
    const kind = opens ?? actionKind(call, this.bindings, this.canvas);
    if (kind === null) return;
    if (beginning.has(kind)) {
      this.#hasActed = true;
      this.#openGroups = 0;
      if (this.#state === 'setup' && (this.#range?.first ?? 1) === 1) this.#beginFrame();
      this.#frameActs = true;
    }
    if (kind === 'draw' && this.#state === 'frame') this.#draws += this.#drawsOf(call);
  }
}
