/** What one call of a setup is for, as trimming needs to know. */
import { actionKind } from '../../model/actions.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import type { Canvas } from '../../model/capture.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import { mayWrite, setsUniforms, writes } from '../../model/writes.ts';
import { type Selected, settingsOf } from '../context-state/families.ts';
import type { Clears } from './clears.ts';
import { canvasKeys, heldKeys, type Key, keyOf, keysOf, namedKeys } from './keys.ts';

/** A piece of state: a later call for the same piece makes an earlier one pointless. */
export interface Piece {
  readonly family: string;
  /** '' for the whole family. */
  readonly index: string;
}

export interface Facts {
  /**
   * `make` and `delete` name objects; `state` sets pieces; `object` changes objects by what it is given; `action` also by
   * what is bound; `always` is kept whatever it does.
   */
  readonly kind: 'make' | 'delete' | 'state' | 'object' | 'action' | 'always' | 'never';
  readonly pieces: readonly Piece[];
  /** Objects that it makes, deletes or changes. */
  readonly writes: readonly Key[];
  readonly reads: readonly Key[];
  /** Written objects of whose contents nothing is left. */
  readonly replaces: readonly Key[];
}

const makes = /^(Gen(?!erate|Lists|Symbols)|Create(?!Commands|States))/;
const deletes = /^Delete(?!Lists)/;
/** Waiting, and messages to debuggers: a setup needs none of them. */
const needless = /^(ClientWaitSync|WaitSync|Finish|Flush|DebugMessage\w+|StringMarker|InsertEventMarker)$/;
/** They change nothing, but stay: frames may end groups, and barriers are for draws that stay. */
const harmless = /^((Push|Pop)(DebugGroup|GroupMarker)|MemoryBarrier(ByRegion)?|TextureBarrier)$/;
/** They also take what is set besides. */
const entangled = /^(RasterPos|WindowPos)[234]|^ColorMaterial$/;
export const GL_COLOR_MATERIAL = 0xb57;
const acting: ReadonlySet<string> = new Set(['draw', 'clear', 'dispatch', 'blit', 'resolve', 'copy', 'mipmap']);
/** While GL_COLOR_MATERIAL is enabled, colors are materials too. */
export const setsColor = /^Color[34]\w+$/;
/** Begin and end what draws do between them. */
const brackets = /^(Begin|End|Pause|Resume)(TransformFeedback|Query(Indexed)?)$/;

const traits = perSignature((signature) => {
  const base = baseName(signature.name);
  return {
    base,
    makes: makes.test(base) || signature.result.type === 'object',
    deletes: deletes.test(base),
    needless: needless.test(base),
    harmless: harmless.test(base),
    entangled: entangled.test(base),
    switches: /^(Enable|Disable)$/.test(base),
    setsColor: setsColor.test(base),
    counts: /v$/.test(base),
    brackets: brackets.test(base),
    labels: /^(Label)?Object(Label)?$/.test(base) || base === 'ObjectLabel',
    setsUniforms: setsUniforms(signature),
    programUniform: /^ProgramUniform/.test(base),
    mayWrite: mayWrite(signature),
    settings: settingsOf(base),
    selects: /^(Client)?ActiveTexture$/.test(base),
  };
});

const none: readonly never[] = [];

/** Uniforms are pieces of their program, by location; of arrays so many elements. */
function uniformFacts(program: number, location: number, count: number): Facts {
  const key = keyOf('program', program);
  return {
    kind: 'state',
    pieces: [{ family: `${key} uniform ${location} ${count}`, index: '' }],
    writes: [key],
    reads: none,
    replaces: none,
  };
}

const changes: ReadonlySet<string> = new Set(['BufferSubData', 'NamedBufferSubData']);

/** The same bytes of a buffer, written again. */
function rangePieces(base: string, call: Call, b: Bindings): readonly Piece[] {
  if (!changes.has(base)) return none;
  const [first, offset, size] = call.args;
  const buffer = base === 'BufferSubData' ? b.buffer(Number(first)) : Number(first);
  return [{ family: `${keyOf('buffer', buffer)} range ${offset} ${size}`, index: '' }];
}

/** Where a stream's calls have led to. */
export interface Standing {
  readonly bindings: Bindings;
  readonly selected: Selected;
  readonly clears: Clears;
  readonly canvas: Canvas;
  /** All that is bound, and what that holds. */
  readonly bound: readonly Key[];
  /** GL_COLOR_MATERIAL was enabled at some time. */
  readonly colorIsMaterial: boolean;
}

/** The facts of a call from where things stand before it. */
export function factsOf(call: Call, standing: Standing): Facts {
  const { bindings: b, selected: at, clears, canvas, colorIsMaterial } = standing;
  const { signature, args } = call;
  const t = traits(signature);
  const plain = { pieces: none, reads: none, replaces: none };
  // The canvas has its size whether anybody sees what it held or not.
  if (t.base === 'gpuprofCanvasSize') return { ...plain, kind: 'always', writes: canvasKeys, replaces: canvasKeys };
  if (t.needless) return { ...plain, kind: 'never', writes: none };
  if (t.deletes) return { ...plain, kind: 'delete', writes: namedKeys(call) };
  if (t.makes) return { ...plain, kind: 'make', writes: namedKeys(call) };
  if (t.labels) return { ...plain, kind: 'object', writes: namedKeys(call) };
  if (t.harmless) return { ...plain, kind: 'object', writes: none };
  if (t.setsUniforms) return uniformFacts(b.activeProgram(), Number(args[0]), t.counts ? Number(args[1]) : 1);
  if (t.programUniform) return uniformFacts(Number(args[0]), Number(args[1]), t.counts ? Number(args[2]) : 1);
  if (t.entangled || (t.switches && args[0] === GL_COLOR_MATERIAL) || (t.setsColor && colorIsMaterial))
    return { ...plain, kind: 'always', writes: none };
  if (t.selects) return { ...plain, kind: 'state', pieces: [{ family: t.base, index: '' }], writes: none };
  const pieces = t.settings?.(args, at) ?? none;
  if (pieces.length > 0) {
    const arrayBuffer = pieces.some(({ need }) => need === 'arrayBuffer') ? [keyOf('buffer', at.arrayBuffer)] : none;
    return { ...plain, kind: 'state', pieces, writes: none, reads: [...namedKeys(call), ...arrayBuffer] };
  }
  if (!t.mayWrite) return { ...plain, kind: 'always', writes: none, reads: namedKeys(call) };
  const written = keysOf(writes(call, b));
  const kind = actionKind(call, b, canvas);
  const replaces = clears.replaced(call, b);
  if (kind !== null && acting.has(kind)) {
    const named = namedKeys(call);
    const { bound } = standing;
    const held = named.flatMap((key) => heldKeys(b, key));
    const reads = named.length === 0 ? bound : [...bound, ...named, ...held];
    return { kind: 'action', pieces: none, writes: written, reads, replaces };
  }
  const reads = namedKeys(call).concat(t.brackets ? standing.bound : none, unpackBuffer(b), arrayBufferFor(t.base, at));
  return { kind: 'object', pieces: rangePieces(t.base, call, b), writes: written, reads, replaces };
}

const unpackBuffer = (b: Bindings): readonly Key[] => {
  const buffer = b.buffer(GL.PIXEL_UNPACK_BUFFER);
  return buffer === 0 ? none : [keyOf('buffer', buffer)];
};

/** Attribute pointers take the array buffer into the vertex array. */
const arrayBufferFor = (base: string, at: Selected): readonly Key[] =>
  /Pointer$/.test(base) && at.arrayBuffer !== 0 ? [keyOf('buffer', at.arrayBuffer)] : none;
