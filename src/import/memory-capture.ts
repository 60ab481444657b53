import { createHash } from 'node:crypto';
import { parseManifest } from '../capture/manifest.ts';
import { CaptureTables } from '../capture/tables.ts';
import { captureVersion } from '../capture/upgrade.ts';
import { GpuprofError } from '../errors.ts';
import type { Argument } from '../model/call.ts';
import { CallStream } from '../model/call-stream.ts';
import { encodeCall } from '../model/call-words.ts';
import type { Capture, Manifest, ResourceInfo } from '../model/capture.ts';
import { shareOfMemory, tooLarge } from '../model/memory-limit.ts';
import type { Signature } from '../model/signature.ts';
import type { CaptureHead } from '../model/sink.ts';
import type { ImportTarget } from './import-target.ts';

const firstWords = 2 ** 12;
const firstCalls = 2 ** 8;
const movedWords = 2 ** 10;
const longestNote = 1000;
const mostNotes = 1000;

/** What a capture in memory takes. Throws GpuprofError `bad-input` when that is over the memory limit. */
class Held {
  readonly #file: string;
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    const mostBytes = shareOfMemory(1);
    if (this.#bytes > mostBytes)
      throw tooLarge('bad-input', `${this.#file}: its capture would take memory of`, this.#bytes, mostBytes);
  }
}

/** The words of the setup or of one frame, with room to grow. */
class GrowingStream {
  calls = 0;
  /** What its arrays have grown by. */
  grownBytes = 0;
  readonly #held: Held;
  #length = 0;
  #words = new Uint32Array(firstWords);
  #starts = new Uint32Array(firstCalls);
  /** Of the newest calls: many are moved at once, since a few words take a typed array as long. */
  #newest: number[] = [];

  constructor(held: Held) {
    this.#held = held;
  }

  add(index: number, signature: Signature, args: readonly Argument[], result: number): void {
    this.#start(this.#length + this.#newest.length);
    encodeCall(this.#newest, index, signature, args, result);
    if (this.#newest.length >= movedWords) this.#move();
  }

  append(other: GrowingStream): void {
    this.#move();
    const from = this.#length;
    const { words, starts } = other.stream([]);
    for (const start of starts) this.#start(from + start);
    this.#put(words);
  }

  stream(signatures: readonly Signature[]): CallStream {
    this.#move();
    return new CallStream(signatures, this.#words.subarray(0, this.#length), this.#starts.subarray(0, this.calls));
  }

  /** An array twice as long, or of a length if that is more, that begins with the same numbers. */
  #larger(array: Uint32Array, least = 0): Uint32Array<ArrayBuffer> {
    const length = Math.max(least, array.length * 2);
    const grownBytes = (length - array.length) * Uint32Array.BYTES_PER_ELEMENT;
    this.#held.add(grownBytes);
    this.grownBytes += grownBytes;
    const grown = new Uint32Array(length);
    grown.set(array);
    return grown;
  }

  #start(at: number): void {
    if (this.calls === this.#starts.length) this.#starts = this.#larger(this.#starts);
    this.#starts[this.calls++] = at;
  }

  #move(): void {
    if (this.#newest.length === 0) return;
    this.#put(this.#newest);
    this.#newest = [];
  }

  #put(words: ArrayLike<number>): void {
    const end = this.#length + words.length;
    if (end > this.#words.length) this.#words = this.#larger(this.#words, end);
    this.#words.set(words, this.#length);
    this.#length = end;
  }
}

/** A capture that was never a file of ours. */
class MemoryCapture implements Capture {
  readonly path: string;
  readonly manifest: Manifest;
  readonly #streams: readonly GrowingStream[];
  readonly #resources: readonly Uint8Array[];

  constructor(path: string, manifest: Manifest, streams: readonly GrowingStream[], resources: readonly Uint8Array[]) {
    this.path = path;
    this.manifest = manifest;
    this.#streams = streams;
    this.#resources = resources;
  }

  async setup(): Promise<CallStream> {
    return this.#streams[0].stream(this.manifest.signatures);
  }

  async frame(frame: number): Promise<CallStream> {
    if (!(frame >= 1 && frame < this.#streams.length))
      throw new GpuprofError('bad-usage', `${this.path} has no frame ${frame}; it has ${this.#streams.length - 1}`);
    return this.#streams[frame].stream(this.manifest.signatures);
  }

  async resource(index: number): Promise<Uint8Array> {
    const bytes = this.#resources[index];
    if (!bytes) throw new GpuprofError('bad-capture', `${this.path} has no resource ${index}`);
    return bytes;
  }

  async reference(): Promise<Uint8Array | null> {
    return null;
  }

  async close(): Promise<void> {}
}

/** Throws GpuprofError `bad-input` when it is more than a capture can hold. */
function manifestFor(path: string, json: object): Manifest {
  try {
    return parseManifest(json);
  } catch (error) {
    const { message } = error as Error;
    throw new GpuprofError('bad-input', `${path} cannot become a capture: ${message}`, { cause: error });
  }
}

/** Builds a capture in memory, for a file that is imported. */
export class MemoryCaptureBuilder implements ImportTarget {
  readonly #tables = new CaptureTables();
  readonly #held: Held;
  readonly #streams: GrowingStream[];
  readonly #resources: Uint8Array[] = [];
  readonly #infos: ResourceInfo[] = [];
  readonly #resourceIndex = new Map<string, number>();

  /** `file` is what is imported. */
  constructor(file = 'what is imported') {
    this.#held = new Held(file);
    this.#streams = [new GrowingStream(this.#held)];
  }

  /** Keeps a copy of the bytes. */
  resource(bytes: Uint8Array): number {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.#resourceIndex.get(sha256);
    if (known !== undefined) return known;
    this.#held.add(bytes.byteLength);
    this.#resourceIndex.set(sha256, this.#resources.length);
    this.#infos.push({ sha256, sizeBytes: bytes.byteLength });
    return this.#resources.push(Uint8Array.prototype.slice.call(bytes)) - 1;
  }

  location(program: number, name: string): number {
    return this.#tables.location(program, name);
  }

  call(signature: Signature, args: readonly Argument[], result = 0): void {
    const index = this.#tables.add(signature, args, result);
    this.#streams[this.#streams.length - 1].add(index, signature, args, result);
  }

  beginFrame(): void {
    this.#streams.push(new GrowingStream(this.#held));
  }

  dropFrame(): void {
    if (this.#streams.length > 1) this.#held.add(-(this.#streams.pop()?.grownBytes ?? 0));
  }

  joinFrame(): void {
    const frame = this.#streams.length > 1 ? this.#streams.pop() : undefined;
    if (!frame) return;
    this.#streams[this.#streams.length - 1].append(frame);
    this.#held.add(-frame.grownBytes);
  }

  /**
   * The finished capture; `path` is the file that was imported. Throws GpuprofError `bad-input` when it has no frame or
   * is more than a capture can hold.
   */
  finish(path: string, head: CaptureHead, notes: readonly string[] = []): Capture {
    const [setup, ...frames] = this.#streams;
    if (frames.length === 0)
      // What is missing of a file that was cut off comes first among its notes.
      throw new GpuprofError('bad-input', `${path} has no frame: it draws nothing`, { hint: notes[0] });
    const kept = notes.slice(0, mostNotes).map((note) => note.slice(0, longestNote));
    const manifest = manifestFor(path, {
      format: 'gpuprof-capture',
      version: captureVersion,
      ...head,
      setup: { calls: setup.calls },
      frames: frames.map(({ calls }) => ({ calls })),
      signatures: this.#tables.signatures,
      locations: this.#tables.locations,
      resources: this.#infos,
      objects: this.#tables.objects(),
      hasReference: false,
      ...(kept.length > 0 && { notes: kept }),
    });
    return new MemoryCapture(path, manifest, this.#streams, this.#resources);
  }
}
