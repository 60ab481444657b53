/** The draws that a drawing command consists of, with their counts; from indirect buffers where these are known. */
import { inlineWords } from '../argument-values.ts';
import type { Bindings } from '../bindings.ts';
import type { Argument, Call, DataArgument } from '../call.ts';
import { baseName, GL } from '../gl-constants.ts';
import { numberNamed } from '../named-arguments.ts';
import { indexBytes } from '../texel-sizes.ts';
import type { BufferContents } from './buffer-contents.ts';
import { wideNumbers } from './buffers.ts';

/** One draw. Infinity: not known. */
export interface DrawPart {
  /** Of one instance: vertices, or indices of an indexed draw. */
  readonly count: number;
  readonly instances: number;
  /** What the command says of the range of its indices; Infinity when nothing. */
  readonly spanAtMost: number;
  /** Where an indexed draw's indices begin, in bytes; null when not known. */
  readonly offset: number | null;
}

export interface DrawParts {
  readonly parts: readonly DrawPart[];
  /** Bytes of an index; 0 for draws without. */
  readonly indexBytes: number;
  /** Indices that the call brings itself. */
  readonly clientIndices: DataArgument;
  /** Bytes of indirect parameters that the command reads. */
  readonly indirectBytes: number;
}

const unknown = Number.POSITIVE_INFINITY;
/** Draws of an indirect command that are looked at one by one. */
const mostDraws = 2 ** 20;

const part = (count: number, instances = 1, offset: number | null = null, spanAtMost = unknown): DrawPart => ({
  count: Math.max(0, count),
  instances: Math.max(0, instances),
  offset,
  spanAtMost,
});

const none: DrawParts = { parts: [], indexBytes: 0, clientIndices: null, indirectBytes: 0 };
const sizeOfIndex = (type: Argument | undefined): number => indexBytes(Number(type)) ?? 4;
const integers = (value: Argument): readonly number[] => inlineWords(value).map((word) => word | 0);

/** Lists of a multi-draw, at the places where all its forms have them. */
function multiDraw(name: string, { args }: Call, drawCount: number): DrawParts {
  const isIndexed = name.includes('Elements');
  const counts = integers(args[isIndexed ? 1 : 2] ?? null);
  const offsets = isIndexed ? wideNumbers(args[3] ?? null) : [];
  const instances = name.includes('Instanced') ? integers(args[isIndexed ? 4 : 3] ?? null) : null;
  const indexed = isIndexed ? sizeOfIndex(args[2]) : 0;
  if (drawCount === 0) return { ...none, parts: [part(0)] };
  if (counts.length === 0) return { ...none, parts: [part(unknown, unknown)], indexBytes: indexed };
  const parts = counts
    .slice(0, drawCount)
    .map((count, draw) => part(count, instances ? (instances[draw] ?? unknown) : 1, offsets[draw] ?? null));
  return { ...none, parts, indexBytes: indexed };
}

async function indirect(name: string, call: Call, bindings: Bindings, contents: BufferContents): Promise<DrawParts> {
  const isIndexed = name.includes('Elements');
  const words = isIndexed ? 5 : 4;
  const indexed = isIndexed ? sizeOfIndex(call.args[1]) : 0;
  const data = call.args[isIndexed ? 2 : 1] as DataArgument;
  const draws = Math.max(0, name.startsWith('Multi') ? (numberNamed(call, 'maxdrawcount', 'drawcount') ?? 1) : 1);
  const strideBytes = numberNamed(call, 'stride') || words * 4;
  const indirectBytes = draws === 0 ? 0 : (draws - 1) * strideBytes + words * 4;
  // What is counted in another buffer may be less than all.
  const bytes = data?.kind === 'inline' ? data.bytes : await contents.bytes(bindings.buffer(GL.DRAW_INDIRECT_BUFFER));
  const offset = data?.kind === 'offset' ? data.offset : 0;
  if (!bytes || draws > mostDraws || strideBytes <= 0 || offset + indirectBytes > bytes.byteLength)
    return { ...none, parts: [part(draws === 0 ? 0 : unknown, unknown)], indexBytes: indexed, indirectBytes };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = Array.from({ length: draws }, (_, draw) => {
    const at = offset + draw * strideBytes;
    const first = isIndexed ? view.getUint32(at + 8, true) * indexed : null;
    return part(view.getUint32(at, true), view.getUint32(at + 4, true), first);
  });
  return { ...none, parts, indexBytes: indexed, indirectBytes };
}

/** `contents` is asked for indirect parameters only. Commands that draw without vertex arrays have no parts. */
export async function drawParts(call: Call, bindings: Bindings, contents: BufferContents): Promise<DrawParts> {
  const name = baseName(call.signature.name);
  if (/^(Multi)?Draw(Arrays|Elements)Indirect/.test(name)) return indirect(name, call, bindings, contents);
  if (/^MultiDraw(Arrays|Elements)/.test(name))
    return multiDraw(name, call, Math.max(0, numberNamed(call, 'drawcount', 'primcount') ?? 0));
  const instances = numberNamed(call, 'instancecount', 'instanceCount', 'primcount') ?? 1;
  if (/^DrawArrays/.test(name)) return { ...none, parts: [part(numberNamed(call, 'count') ?? 0, instances)] };
  if (/^DrawTransformFeedback|^(Multi)?ModeDraw|^DrawMesh/.test(name))
    return { ...none, parts: [part(unknown, unknown)] };
  if (!/^Draw(Range)?Elements/.test(name)) return none;
  const ranged = name.startsWith('DrawRange');
  const data = call.args[ranged ? 5 : 3] as DataArgument;
  const isClient = data?.kind === 'inline' || data?.kind === 'resource';
  const range = ranged ? Math.max(0, (numberNamed(call, 'end') ?? 0) - (numberNamed(call, 'start') ?? 0) + 1) : unknown;
  return {
    ...none,
    parts: [part(numberNamed(call, 'count') ?? 0, instances, data?.kind === 'offset' ? data.offset : 0, range)],
    indexBytes: sizeOfIndex(call.args[ranged ? 4 : 2]),
    clientIndices: isClient ? data : null,
  };
}
