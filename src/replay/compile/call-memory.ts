import { addressOf, Scratch } from '../../gl/native.ts';
import type { Argument, DataArgument } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { afterArgument, noneWord } from '../../model/call-words.ts';
import type { ObjectClass, ParamType } from '../../model/signature.ts';
import type { LiveObjects } from '../live-objects.ts';

/** Small typed arrays may live on V8's movable heap (gl/native.ts), so anything smaller is copied to a bigger buffer. */
const leastBytes = 256;

function settled(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer.byteLength >= leastBytes) return bytes;
  const roomy = new Uint8Array(new ArrayBuffer(leastBytes), 0, bytes.byteLength);
  roomy.set(bytes);
  return roomy;
}

/** What invokers read: one stream's words with their address, the resources in memory, and room for lists and results. */
export class CallMemory {
  readonly words: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  /** Address of the first word. */
  readonly base: number;
  readonly names: LiveObjects['names'];
  readonly locations: Int32Array;
  /** Address of each resource in memory, by index; NaN for the others. */
  readonly resources: Float64Array;
  readonly #loaded = new Map<number, Uint8Array>();
  readonly #texts = new Map<number, Scratch>();
  readonly #lists = new Map<number, Scratch>();
  readonly #convert = new Scratch(64);
  #out: Scratch = new Scratch(256);
  /** Where GL may write what a call reads back. */
  outAddress = this.#out.address;
  /** Bytes of resources in memory. */
  loadedBytes = 0;

  /** `copy` keeps the stream's own words unchanged when the replayer rewrites some. */
  constructor(stream: CallStream, objects: LiveObjects, resourceCount: number, copy: boolean) {
    const own = new Uint8Array(stream.words.buffer, stream.words.byteOffset, stream.words.byteLength);
    const bytes = settled(copy ? own.slice() : own);
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    this.i32 = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    this.f32 = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    this.base = addressOf(bytes);
    this.names = objects.names;
    this.locations = objects.locations;
    this.resources = new Float64Array(resourceCount).fill(Number.NaN);
  }

  /** Makes a resource's bytes readable by GL until {@link unload}. */
  load(index: number, bytes: Uint8Array): void {
    const kept = settled(bytes);
    this.#loaded.set(index, kept);
    this.resources[index] = kept.byteLength > 0 ? addressOf(kept) : this.base;
    this.loadedBytes += kept.byteLength;
  }

  has(index: number): boolean {
    return this.#loaded.has(index);
  }

  resourceSize(index: number): number {
    return this.#loaded.get(index)?.byteLength ?? 0;
  }

  /** The bytes of a data argument; empty for none and for an offset into a buffer. */
  readonly bytesOf = (argument: Argument): Uint8Array => {
    const data = argument as DataArgument;
    if (data?.kind === 'inline') return data.bytes;
    if (data?.kind !== 'resource') return new Uint8Array();
    const from = data.byteOffset;
    return this.#loaded.get(data.resource)?.subarray(from, from + data.byteLength) ?? new Uint8Array();
  };

  unload(): void {
    this.#loaded.clear();
    this.resources.fill(Number.NaN);
    this.loadedBytes = 0;
  }

  /** Makes room for a call that writes this many bytes. */
  reserveOut(sizeBytes: number): void {
    if (sizeBytes <= this.#out.sizeBytes) return;
    this.#out = new Scratch(sizeBytes);
    this.outAddress = this.#out.address;
  }

  /** The place after a variable-length argument. */
  after(at: number, type: ParamType): number {
    return afterArgument(this.words, at, { name: '', type });
  }

  double(at: number): number {
    this.#convert.u32[0] = this.words[at];
    this.#convert.u32[1] = this.words[at + 1];
    return this.#convert.f64[0];
  }

  /** Address of the GL names of a list of ids, looked up now; 0 for an empty list, which stands for a null pointer. */
  nameList(objectClass: ObjectClass, at: number): number {
    const count = this.words[at];
    if (count === 0) return 0;
    let list = this.#lists.get(at);
    if (!list) {
      list = new Scratch(count * 4);
      this.#lists.set(at, list);
    }
    for (let index = 0; index < count; index++) list.u32[index] = this.names[objectClass][this.words[at + 1 + index]];
    return list.address;
  }

  /** Address of an array of pointers to a list of texts; made once. */
  textList(at: number): number {
    let list = this.#texts.get(at);
    if (!list) {
      const count = this.words[at];
      list = new Scratch(count * 8);
      let next = at + 1;
      for (let index = 0; index < count; index++) {
        list.u64[index] = BigInt(this.words[next] === noneWord ? 0 : this.base + (next + 1) * 4);
        next = this.after(next, 'string');
      }
      this.#texts.set(at, list);
    }
    return list.address;
  }
}
