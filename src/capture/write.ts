import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { GpuprofError } from '../errors.ts';
import type { Argument } from '../model/call.ts';
import { encodeCall } from '../model/call-words.ts';
import type { Manifest, ResourceInfo } from '../model/capture.ts';
import type { Signature } from '../model/signature.ts';
import type { CaptureHead, CaptureSink } from '../model/sink.ts';
import { defaultLimits, frameEntry, manifestEntry, referenceEntry, resourceEntry, setupEntry } from './limits.ts';
import { parseManifest } from './manifest.ts';
import { CaptureTables } from './tables.ts';
import { captureVersion } from './upgrade.ts';
import { openWhole, type WholeFile } from './whole-file.ts';

/** The earliest time a ZIP entry can have; the same for all, so that the same input gives the same bytes. */
const entryTime = new Date(Date.UTC(1980, 0, 1));
const chunkWords = 2 ** 16;
/** {@link CaptureWriter.drain} waits while more resource bytes than this are not yet written. */
const maxPendingBytes = 64 * 2 ** 20;

/** The words of the setup or of one frame, in chunks. */
class CallChunks {
  calls = 0;
  private flushedWords = 0;
  private readonly chunks: Uint32Array[] = [];
  private words: number[] = [];

  add(signatureIndex: number, signature: Signature, args: readonly Argument[], result: number): void {
    encodeCall(this.words, signatureIndex, signature, args, result);
    this.calls++;
    if (this.words.length >= chunkWords) this.flush();
  }

  get sizeBytes(): number {
    return (this.flushedWords + this.words.length) * 4;
  }

  /** Hands the bytes over; nothing is kept. */
  *bytes(): Generator<Uint8Array> {
    this.flush();
    for (let chunk = this.chunks.shift(); chunk; chunk = this.chunks.shift()) yield new Uint8Array(chunk.buffer);
  }

  private flush(): void {
    if (this.words.length > 0) this.chunks.push(Uint32Array.from(this.words));
    this.flushedWords += this.words.length;
    this.words = [];
  }
}

/** What is known at a capture's end. */
interface FinishOptions {
  /** A PNG of the canvas after the last frame. */
  readonly reference?: Uint8Array;
  /** In place of what the head says. */
  readonly requires?: Manifest['requires'];
  /** Left out of the manifest when there are none. */
  readonly notes?: readonly string[];
}

/**
 * Writes a `.cap` file as it is recorded: resources go out as they come, calls are kept (40 bytes or so each) until
 * {@link finish}. Everything goes to a temporary file beside the target, which takes the target's name at the end; after
 * {@link abort} or a failure nothing is left. Call `await drain()` now and then when writing many resources.
 */
export class CaptureWriter implements CaptureSink {
  private readonly path: string;
  private readonly head: CaptureHead;
  private readonly zip = new yazl.ZipFile();
  private readonly target: WholeFile;
  private readonly file: Writable;
  private readonly written: Promise<void>;
  private failure: unknown;
  private pendingBytes = 0;
  /** Calls of {@link drain} to go on when resources are written or never will be. */
  private readonly waiting: (() => void)[] = [];
  private readonly streams: CallChunks[] = [new CallChunks()];
  private readonly tables = new CaptureTables();
  private readonly resources: ResourceInfo[] = [];
  private readonly resourceIndex = new Map<string, number>();

  private constructor(path: string, head: CaptureHead) {
    this.path = path;
    this.head = head;
    this.target = openWhole(path);
    this.file = new Writable({
      write: (bytes: Buffer, _, done) => {
        try {
          this.target.write(bytes);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    });
    this.zip.outputStream.pipe(this.file);
    this.zip.on('error', (error) => this.fail(error));
    this.written = finished(this.file).catch((error) => {
      this.fail(error);
      this.target.discard();
    });
  }

  /** Begins a capture file. Throws `output-failed` when it cannot be created. */
  static async create(path: string, head: CaptureHead): Promise<CaptureWriter> {
    return new CaptureWriter(path, head);
  }

  resource(bytes: Uint8Array): number {
    this.check();
    this.checkSize('a resource', bytes.byteLength, defaultLimits.resourceBytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.resourceIndex.get(sha256);
    if (known !== undefined) return known;
    const index = this.resources.length;
    const sizeBytes = bytes.byteLength;
    this.resources.push({ sha256, sizeBytes });
    this.resourceIndex.set(sha256, index);
    this.pendingBytes += sizeBytes;
    this.add(resourceEntry(sha256), Buffer.from(bytes), true, () => {
      this.pendingBytes -= sizeBytes;
      this.wake();
    });
    return index;
  }

  location(program: number, name: string): number {
    return this.tables.location(program, name);
  }

  call(signature: Signature, args: readonly Argument[], result = 0): void {
    this.check();
    const index = this.tables.add(signature, args, result);
    this.streams[this.streams.length - 1].add(index, signature, args, result);
  }

  beginFrame(): void {
    this.streams.push(new CallChunks());
  }

  /** Waits until few enough resource bytes are held back by the disk. */
  async drain(): Promise<void> {
    while (this.pendingBytes > maxPendingBytes && this.failure === undefined)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.check();
  }

  /** Writes what is left and puts the file in its place. */
  async finish(options: FinishOptions = {}): Promise<void> {
    try {
      this.check();
      const manifest = Buffer.from(`${JSON.stringify(this.manifest(options), null, 1)}\n`);
      this.checkSize(manifestEntry, manifest.length, defaultLimits.manifestBytes);
      this.checkSize(referenceEntry, options.reference?.length ?? 0, defaultLimits.referenceBytes);
      for (const [index, stream] of this.streams.entries()) {
        const name = index === 0 ? setupEntry : frameEntry(index);
        this.checkSize(name, stream.sizeBytes, defaultLimits.callsBytes);
        this.add(name, stream.bytes(), true);
      }
      if (options.reference) this.add(referenceEntry, Buffer.from(options.reference), false);
      this.add(manifestEntry, manifest, true);
      this.zip.end();
      await this.written;
      this.check();
      this.target.commit();
    } catch (error) {
      await this.abort();
      if (error instanceof GpuprofError) throw error;
      throw new GpuprofError('output-failed', `cannot write ${this.path}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Gives up and leaves nothing behind. May be called at any time, also after a failure. */
  async abort(): Promise<void> {
    this.fail(new Error('the capture was given up'));
    await this.written;
    this.target.discard();
  }

  /** The manifest is checked as a reader will check it, so that nothing is written that cannot be read. */
  private manifest({ reference, requires, notes = [] }: FinishOptions): Manifest {
    const [setup, ...frames] = this.streams;
    if (frames.length === 0) throw new GpuprofError('bad-usage', 'nothing was captured: no frame was begun');
    return parseManifest({
      format: 'gpuprof-capture',
      version: captureVersion,
      ...this.head,
      ...(requires && { requires }),
      setup: { calls: setup.calls },
      frames: frames.map(({ calls }) => ({ calls })),
      signatures: this.tables.signatures,
      locations: this.tables.locations,
      resources: this.resources,
      objects: this.tables.objects(),
      hasReference: reference !== undefined,
      ...(notes.length > 0 && { notes }),
    });
  }

  private checkSize(name: string, sizeBytes: number, mostBytes: number): void {
    if (sizeBytes > mostBytes)
      throw new GpuprofError('bad-input', `${name} of ${this.path} would be ${sizeBytes} bytes; at most ${mostBytes}`);
  }

  /** Queues an entry; its bytes are let go once they are written. */
  private add(name: string, content: Buffer | Iterable<Uint8Array>, compress: boolean, done?: () => void): void {
    let source: Buffer | Iterable<Uint8Array> | null = content;
    this.zip.addReadStreamLazy(name, { mtime: entryTime, mode: 0o100644, compress }, (give) => {
      const stream = Readable.from(Buffer.isBuffer(source) ? [source] : (source as Iterable<Uint8Array>));
      source = null;
      if (done) stream.once('close', done);
      give(null, stream);
    });
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    this.zip.outputStream.unpipe(this.file);
    this.file.destroy();
    this.wake();
  }

  private check(): void {
    if (this.failure === undefined) return;
    if (this.failure instanceof GpuprofError) throw this.failure;
    const reason = this.failure instanceof Error ? this.failure.message : String(this.failure);
    throw new GpuprofError('output-failed', `cannot write ${this.path}: ${reason}`, { cause: this.failure });
  }
}
