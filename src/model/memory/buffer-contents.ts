/**
 * Contents of buffers as far as a capture shows them, for indices and indirect parameters. Resources are read when a
 * draw first needs them; what the GPU writes is not known.
 */
import type { Bindings } from '../bindings.ts';
import type { Call, DataArgument } from '../call.ts';
import type { Capture } from '../capture.ts';
import { baseName } from '../gl-constants.ts';
import { firstData, numberNamed } from '../named-arguments.ts';
import { writes } from '../writes.ts';
import { bufferOf, defining } from './buffers.ts';
import { amount } from './image-bytes.ts';

/** Buffers and resources beyond this are not looked into. */
const largestBytes = 256 * 2 ** 20;
/** Nor, once so much has been unpacked, are any others. */
const allBytes = 1024 * 2 ** 20;
/** Indices looked at in all; then draws are bounded by their index counts alone. */
const mostIndices = 2 ** 28;

interface Write {
  readonly at: number;
  readonly data: DataArgument;
}

interface Contents {
  readonly sizeBytes: number;
  pending: Write[];
  bytes: Uint8Array | null;
  isKnown: boolean;
  ranges: Map<string, number>;
}

const updating = /^(Named)?BufferSubData$/;

export class BufferContents {
  readonly #capture: Capture;
  readonly #contents = new Map<number, Contents>();
  #unpackedBytes = 0;
  #indicesLeft = mostIndices;

  constructor(capture: Capture) {
    this.#capture = capture;
  }

  /** To be called with each call that changes buffers, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    if (defining.test(name)) {
      const data = firstData(call);
      this.#contents.set(bufferOf(call, bindings), {
        sizeBytes: amount(numberNamed(call, 'size') ?? 0),
        pending: data ? [{ at: 0, data }] : [],
        bytes: null,
        isKnown: true,
        ranges: new Map(),
      });
    } else if (updating.test(name)) {
      const contents = this.#contents.get(bufferOf(call, bindings));
      if (!contents?.isKnown) return;
      const write = { at: amount(numberNamed(call, 'offset') ?? 0), data: firstData(call) };
      const isWhole = write.at === 0 && numberNamed(call, 'size') === contents.sizeBytes;
      if (isWhole) contents.pending = [write];
      else contents.pending.push(write);
      contents.ranges.clear();
    } else
      for (const ref of writes(call, bindings))
        if (ref.class === 'buffer') {
          const contents = this.#contents.get(ref.id);
          if (!contents) continue;
          Object.assign(contents, { isKnown: false, pending: [], bytes: null });
          contents.ranges.clear();
        }
  }

  /** A buffer's bytes; null when they are not known. Throws GpuprofError `bad-capture` for a broken resource. */
  async bytes(id: number): Promise<Uint8Array | null> {
    const contents = this.#contents.get(id);
    if (!contents?.isKnown || contents.sizeBytes > largestBytes) return null;
    if (!contents.bytes) {
      this.#unpackedBytes += contents.sizeBytes;
      if (this.#unpackedBytes > allBytes) return null;
      contents.bytes = new Uint8Array(contents.sizeBytes);
    }
    const { pending } = contents;
    contents.pending = [];
    for (const { at, data } of pending) {
      const source = await this.#source(data);
      if (!source) {
        Object.assign(contents, { isKnown: false, bytes: null });
        return null;
      }
      if (at < contents.sizeBytes) contents.bytes.set(source.subarray(0, contents.sizeBytes - at), at);
    }
    return contents.bytes;
  }

  async #source(data: DataArgument): Promise<Uint8Array | null> {
    if (data?.kind === 'inline') return data.bytes;
    if (data?.kind !== 'resource') return null;
    if ((this.#capture.manifest.resources[data.resource]?.sizeBytes ?? 0) > largestBytes) return null;
    const resource = await this.#capture.resource(data.resource);
    return resource.subarray(data.byteOffset, data.byteOffset + data.byteLength);
  }

  /**
   * How many vertices lie between the least and the greatest of these indices of a buffer; Infinity when not known.
   * `restart`: the index that stands for no vertex, -1 for none.
   */
  async span(id: number, indexBytes: number, offset: number, count: number, restart: number): Promise<number> {
    const bytes = await this.bytes(id);
    if (!bytes) return Number.POSITIVE_INFINITY;
    const { ranges } = this.#contents.get(id) as Contents;
    const key = `${indexBytes}/${offset}/${count}/${restart}`;
    let found = ranges.get(key);
    if (found === undefined) {
      found = this.spanOf(bytes.subarray(offset, offset + count * indexBytes), indexBytes, restart);
      ranges.set(key, found);
    }
    return found;
  }

  /** The same of indices in client memory. */
  spanOf(bytes: Uint8Array, indexBytes: number, restart: number): number {
    const length = Math.floor(bytes.byteLength / indexBytes);
    this.#indicesLeft -= length;
    if (this.#indicesLeft < 0) return Number.POSITIVE_INFINITY;
    // A copy, since the bytes may lie at any address.
    const { buffer } = bytes.slice(0, length * indexBytes);
    const indices =
      indexBytes === 1 ? new Uint8Array(buffer) : indexBytes === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
    let least = Number.POSITIVE_INFINITY;
    let greatest = -1;
    for (const index of indices) {
      if (index === restart) continue;
      if (index < least) least = index;
      if (index > greatest) greatest = index;
    }
    return greatest < 0 ? 0 : greatest - least + 1;
  }
}
