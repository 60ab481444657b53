/** The vertex arrays of the compatibility profile, and how far a draw reaches into arrays in client memory. */
import type { Argument, Call, DataArgument } from '../../model/call.ts';
import { numberNamed } from '../../model/named-arguments.ts';
import { indexBytes, typeBytes } from '../../model/texel-sizes.ts';
import { glEnums } from '../constants.ts';

/** An array in memory of the capture. */
export interface ClientArray {
  readonly lengthBytes: number;
  readonly strideBytes: number;
  readonly elementBytes: number;
  /** What keeps the memory alive, since GL keeps its address. */
  readonly owner: object;
}

/** The bytes of a call's data, wherever the capture keeps them; empty when there are none. */
export type BytesOf = (data: Argument) => Uint8Array;

const e = glEnums(
  'GL_VERTEX_ARRAY',
  'GL_NORMAL_ARRAY',
  'GL_COLOR_ARRAY',
  'GL_INDEX_ARRAY',
  'GL_TEXTURE_COORD_ARRAY',
  'GL_EDGE_FLAG_ARRAY',
  'GL_FOG_COORD_ARRAY',
  'GL_SECONDARY_COLOR_ARRAY',
);

/** The array that a command of this base name sets, as glEnableClientState names it; the components where not given. */
export const legacyPointers: Readonly<Record<string, readonly [array: number, components: number]>> = {
  VertexPointer: [e.GL_VERTEX_ARRAY, 4],
  NormalPointer: [e.GL_NORMAL_ARRAY, 3],
  ColorPointer: [e.GL_COLOR_ARRAY, 4],
  IndexPointer: [e.GL_INDEX_ARRAY, 1],
  TexCoordPointer: [e.GL_TEXTURE_COORD_ARRAY, 4],
  MultiTexCoordPointer: [e.GL_TEXTURE_COORD_ARRAY, 4],
  EdgeFlagPointer: [e.GL_EDGE_FLAG_ARRAY, 1],
  FogCoordPointer: [e.GL_FOG_COORD_ARRAY, 1],
  SecondaryColorPointer: [e.GL_SECONDARY_COLOR_ARRAY, 3],
};

/** Bytes of a vertex, and the arrays besides GL_VERTEX_ARRAY, of each format of glInterleavedArrays from GL_V2F on. */
export const interleaved: readonly (readonly [bytes: number, arrays: readonly number[]])[] = [
  [8, []],
  [12, []],
  [12, [e.GL_COLOR_ARRAY]],
  [16, [e.GL_COLOR_ARRAY]],
  [24, [e.GL_COLOR_ARRAY]],
  [24, [e.GL_NORMAL_ARRAY]],
  [40, [e.GL_COLOR_ARRAY, e.GL_NORMAL_ARRAY]],
  [20, [e.GL_TEXTURE_COORD_ARRAY]],
  [32, [e.GL_TEXTURE_COORD_ARRAY]],
  [24, [e.GL_TEXTURE_COORD_ARRAY, e.GL_COLOR_ARRAY]],
  [32, [e.GL_TEXTURE_COORD_ARRAY, e.GL_COLOR_ARRAY]],
  [32, [e.GL_TEXTURE_COORD_ARRAY, e.GL_NORMAL_ARRAY]],
  [48, [e.GL_TEXTURE_COORD_ARRAY, e.GL_COLOR_ARRAY, e.GL_NORMAL_ARRAY]],
  [60, [e.GL_TEXTURE_COORD_ARRAY, e.GL_COLOR_ARRAY, e.GL_NORMAL_ARRAY]],
];

/** An array in a buffer, by id. */
export interface BufferArray extends Omit<ClientArray, 'lengthBytes' | 'owner'> {
  readonly buffer: number;
  readonly offsetBytes: number;
}

function layoutOf(call: Call, components: number): Pick<ClientArray, 'strideBytes' | 'elementBytes'> {
  const size = Math.min(4, numberNamed(call, 'size') ?? components);
  const type = numberNamed(call, 'type');
  // A packed type holds all components; GL_BGRA as a size means four.
  const bytes = type === undefined ? 1 : typeBytes(type) || 8;
  const elementBytes = size * bytes;
  return { strideBytes: (numberNamed(call, 'stride') ?? 0) || elementBytes, elementBytes };
}

/** What a pointer command says of an array in client memory; undefined when its data is none. */
export function clientArray(call: Call, components: number, owner: object): ClientArray | undefined {
  const data = call.args[call.args.length - 1] as DataArgument;
  if (data?.kind !== 'inline' && data?.kind !== 'resource') return undefined;
  const lengthBytes = data.kind === 'inline' ? data.bytes.byteLength : data.byteLength;
  return { ...layoutOf(call, components), lengthBytes, owner };
}

/** What a pointer command says of an array in the buffer that is bound. */
export function bufferArray(call: Call, components: number, buffer: number): BufferArray {
  const data = call.args[call.args.length - 1] as DataArgument;
  return { ...layoutOf(call, components), buffer, offsetBytes: data?.kind === 'offset' ? data.offset : 0 };
}

const n = (value: Argument | undefined): number => Math.max(0, Number(value ?? 0));
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** What begins before the first vertex reaches as far as any memory. */
const last = (first: number, count: number) =>
  count <= 0 ? -1 : first < 0 ? Number.POSITIVE_INFINITY : first + count - 1;

/** The greatest of `count` indices but the one that restarts primitives, -1 for none. */
export function greatestIndex(bytes: Uint8Array, count: number, type: number, restart: number | null): number {
  const size = indexBytes(type) ?? 0;
  if (size === 0) return Number.POSITIVE_INFINITY;
  const view = viewOf(bytes);
  let greatest = -1;
  for (let at = 0, left = count; left > 0 && at + size <= view.byteLength; left--, at += size) {
    const index = size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
    if (index > greatest && index !== restart) greatest = index;
  }
  return greatest;
}

/**
 * The greatest vertex a draw reads, -1 for none, Infinity when it reads before the first, or when its indices are in a
 * buffer, which the replayer does not look into. `restart` is the index that restarts primitives of this index type, if any does.
 */
export function greatestVertex(name: string, call: Call, bytesOf: BytesOf, restart: number | null): number {
  const a = call.args;
  if (name === 'ArrayElement') return last(Number(a[0]), 1);
  if (/^DrawArrays(Instanced(BaseInstance)?)?$/.test(name)) return last(Number(a[1]), Number(a[2]));
  if (/^MultiDrawArrays(Instanced)?$/.test(name)) {
    const [firsts, counts] = [viewOf(bytesOf(a[1])), viewOf(bytesOf(a[2]))];
    let greatest = -1;
    for (let at = 0; at + 4 <= Math.min(firsts.byteLength, counts.byteLength, n(a[3]) * 4); at += 4)
      greatest = Math.max(greatest, last(firsts.getInt32(at, true), counts.getInt32(at, true)));
    return greatest;
  }
  if (!/^Draw(Range)?Elements/.test(name) || /Indirect/.test(name)) return Number.POSITIVE_INFINITY;
  const ranged = name.startsWith('DrawRange') ? 2 : 0;
  const data = a[3 + ranged] as DataArgument;
  if (n(a[1 + ranged]) === 0) return -1;
  if (data?.kind !== 'inline' && data?.kind !== 'resource') return Number.POSITIVE_INFINITY;
  const greatest = greatestIndex(bytesOf(data), n(a[1 + ranged]), Number(a[2 + ranged]), restart);
  const base = numberNamed(call, 'basevertex') ?? 0;
  return greatest < 0 ? -1 : base < 0 ? Number.POSITIVE_INFINITY : greatest + base;
}

/**
 * The greatest element that a draw reads of an attribute which advances every `divisor` instances; Infinity when their
 * number is in a buffer.
 */
export function greatestInstance(call: Call, divisor: number): number {
  if (/Indirect/.test(call.signature.name)) return Number.POSITIVE_INFINITY;
  const instances = numberNamed(call, 'instancecount', 'primcount') ?? 1;
  return Math.ceil(Math.max(0, instances) / divisor) - 1 + Math.max(0, numberNamed(call, 'baseinstance') ?? 0);
}
