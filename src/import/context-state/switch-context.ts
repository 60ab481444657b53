/** From one context's state to another's, in calls: a capture has one context where a program may have several. */
import { isDeepStrictEqual } from 'node:util';
import { GL } from '../../model/gl-constants.ts';
import type { Signature } from '../../model/signature.ts';
import type { ContextState, Entry, Family } from './context-state.ts';
import { defaultsOf, type NamedCall } from './defaults.ts';
import type { Need } from './families.ts';
import { callsOf, type Made, modeOf, type Stack, type StateCall } from './matrices.ts';

const GL_MODELVIEW = 0x1700;
const arrayBufferFamily = `Buffer ${GL.ARRAY_BUFFER}`;

const isSame = (a: Entry, b: Entry): boolean =>
  a.call.signature === b.call.signature &&
  (a.need !== 'matrices' || a.modelView === b.modelView) &&
  (a.need !== 'arrayBuffer' || a.arrayBuffer === b.arrayBuffer) &&
  isDeepStrictEqual(a.call.args, b.call.args);

function isSameFamily(a: Family, b: Family): boolean {
  if (a.size !== b.size) return false;
  const others = [...b];
  return [...a].every(([index, entry], at) => others[at][0] === index && isSame(entry, others[at][1]));
}

/** Calls can be too many to be compared by recursion; of two matrices that share a beginning, the rest decides. */
function isSameMatrix(a: Made | null, b: Made | null): boolean {
  let [one, other] = [a, b];
  while (one !== other) {
    if (!one || !other || one.call.signature !== other.call.signature) return false;
    if (!isDeepStrictEqual(one.call.args, other.call.args)) return false;
    [one, other] = [one.before, other.before];
  }
  return true;
}

const isSameStack = (a: Stack, b: Stack): boolean =>
  a.length === b.length && a.every((made, depth) => isSameMatrix(made, b[depth]));

/** Pieces that are set through what is bound then: first the containers, then what hangs on them, bindings last. */
function rank(family: string): number {
  if (family === 'BindVertexArray') return 3;
  if (/^Buffers /.test(family)) return 1;
  if (/^(Buffer |(Draw|Read)Framebuffer)/.test(family)) return 2;
  return 0;
}

/** Collects the calls of one switch. */
class Switch {
  readonly calls: StateCall[] = [];
  readonly #from: ContextState;
  readonly #to: ContextState;
  readonly #signatureOf: (name: string) => Signature | undefined;
  #unit: number;
  #clientUnit: number;
  #arrayBuffer: number;
  #mode: number;
  #hasMovedVertexArray = false;
  #hasMovedFramebuffers = false;

  constructor(from: ContextState, to: ContextState, signatureOf: (name: string) => Signature | undefined) {
    this.#from = from;
    this.#to = to;
    this.#signatureOf = signatureOf;
    this.#unit = from.selected.unit;
    this.#clientUnit = from.selected.clientUnit;
    this.#arrayBuffer = from.selected.arrayBuffer;
    this.#mode = from.selected.matrixMode;
  }

  run(): readonly StateCall[] {
    const families = [...new Set([...this.#from.families.keys(), ...this.#to.families.keys()])]
      .map((family) => ({ family, place: rank(family) }))
      .sort((a, b) => a.place - b.place);
    // Arrays and draw buffers of the default objects are set while those are bound.
    if (families.some(({ family }) => this.#differs(family) && /Pointer|Attribute|ElementBuffer/.test(family)))
      this.#moveVertexArray();
    const canvasBuffers = families.filter(({ family }) => /^(Draw|Read)Buffers?$/.test(family));
    if (canvasBuffers.some(({ family }) => this.#differs(family))) {
      this.#named(['glBindFramebuffer', GL.FRAMEBUFFER, 0]);
      this.#hasMovedFramebuffers = true;
    }
    this.#stacks();
    for (const { family } of families) if (this.#differs(family)) this.#family(family);
    this.#rebind();
    return this.calls;
  }

  #differs(family: string): boolean {
    const [a, b] = [this.#from.families.get(family), this.#to.families.get(family)];
    return a && b ? !isSameFamily(a, b) : a !== b;
  }

  #family(family: string): void {
    const [from, to] = [this.#from.families.get(family), this.#to.families.get(family)];
    // Parts alone: the rest is as a fresh context has it.
    if (from && !to?.has('')) {
      const [entry] = from.values();
      this.#needs(entry);
      for (const call of defaultsOf(family, [...from.keys()])) this.#default(call, entry.need);
    }
    for (const entry of to?.values() ?? []) {
      this.#needs(entry);
      if (entry.need === 'matrices') this.#under(entry.modelView, entry.call);
      else this.calls.push(entry.call);
    }
    if (family === arrayBufferFamily) this.#arrayBuffer = this.#to.selected.arrayBuffer;
  }

  #needs({ need, unit, clientUnit, arrayBuffer }: Entry): void {
    if (need === 'unit') this.#selectUnit(unit);
    if (need === 'clientUnit') this.#selectClientUnit(clientUnit);
    if (need === 'arrayBuffer' || need === 'clientUnit') this.#bindArrayBuffer(arrayBuffer);
  }

  #moveVertexArray(): void {
    if (this.#from.selected.vertexArray !== 0) this.#named(['glBindVertexArray', 0]);
    this.#hasMovedVertexArray = true;
  }

  #named([name, ...args]: NamedCall): void {
    const signature = this.#signatureOf(name);
    if (signature) this.calls.push({ signature, args });
  }

  #default([name, ...args]: NamedCall, need: Need | undefined): void {
    const signature = this.#signatureOf(name);
    if (!signature) return;
    if (need === 'matrices') this.#under(null, { signature, args });
    else this.calls.push({ signature, args });
  }

  #selectUnit(unit: number): void {
    if (unit !== this.#unit) this.#named(['glActiveTexture', GL.TEXTURE0 + unit]);
    this.#unit = unit;
  }

  #selectClientUnit(unit: number): void {
    if (unit !== this.#clientUnit) this.#named(['glClientActiveTexture', GL.TEXTURE0 + unit]);
    this.#clientUnit = unit;
  }

  #bindArrayBuffer(buffer: number): void {
    if (buffer !== this.#arrayBuffer) this.#named(['glBindBuffer', GL.ARRAY_BUFFER, buffer]);
    this.#arrayBuffer = buffer;
  }

  #selectMode(mode: number): void {
    if (mode !== this.#mode) this.#named(['glMatrixMode', mode]);
    this.#mode = mode;
  }

  #load(made: Made | null): void {
    this.#named(['glLoadIdentity']);
    this.calls.push(...callsOf(made));
  }

  /** Makes a call whose values go through the model view. */
  #under(modelView: Made | null, call: StateCall): void {
    this.#selectMode(GL_MODELVIEW);
    this.#named(['glPushMatrix']);
    this.#load(modelView);
    this.calls.push(call);
    this.#named(['glPopMatrix']);
  }

  #stacks(): void {
    const [from, to] = [this.#from.matrices, this.#to.matrices];
    for (const key of new Set([...from.stacks.keys(), ...to.stacks.keys()])) {
      const [old, next] = [from.stack(key), to.stack(key)];
      if (isSameStack(old, next)) continue;
      const { mode, unit } = modeOf(key);
      if (unit !== null) this.#selectUnit(unit);
      this.#selectMode(mode);
      this.#stack(old, next);
    }
  }

  #stack(old: Stack, next: Stack): void {
    for (let depth = old.length; depth > 1; depth--) this.#named(['glPopMatrix']);
    for (const [depth, made] of next.entries()) {
      if (depth > 0) this.#named(['glPushMatrix']);
      this.#load(made);
    }
  }

  /** What the switch itself has moved. */
  #rebind(): void {
    const { selected } = this.#to;
    this.#selectUnit(selected.unit);
    this.#selectClientUnit(selected.clientUnit);
    this.#selectMode(selected.matrixMode);
    this.#bindArrayBuffer(selected.arrayBuffer);
    if (this.#hasMovedVertexArray) this.#named(['glBindVertexArray', selected.vertexArray]);
    const bindings = ['DrawFramebuffer', 'ReadFramebuffer'];
    if (!this.#hasMovedFramebuffers && !bindings.some((family) => this.#differs(family))) return;
    this.#named(['glBindFramebuffer', GL.FRAMEBUFFER, selected.drawFramebuffer]);
    if (selected.readFramebuffer !== selected.drawFramebuffer)
      this.#named(['glBindFramebuffer', GL.READ_FRAMEBUFFER, selected.readFramebuffer]);
  }
}

/** The calls that give a context which is as `from` the state of `to`. */
export function switchCalls(
  from: ContextState,
  to: ContextState,
  signatureOf: (name: string) => Signature | undefined,
): readonly StateCall[] {
  return new Switch(from, to, signatureOf).run();
}
