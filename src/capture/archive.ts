import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { GpuprofError } from '../errors.ts';
import { tooLarge } from '../model/memory-limit.ts';
import { FileReader } from './file-reader.ts';
import type { CaptureLimits } from './limits.ts';

/** Deflate cannot do better than this (zlib's technical notes), so a larger declared size is a lie. */
const maxRatio = 1032;
/** Inflated at once. */
const chunkBytes = 2 ** 16;

/** The entries of a ZIP file by name, each checked when listed and bounded when read. */
export class Archive {
  readonly path: string;
  readonly entries: ReadonlyMap<string, Entry>;
  private readonly zip: ZipFile;

  private constructor(path: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.path = path;
    this.zip = zip;
    this.entries = entries;
  }

  /** Throws `bad-input` when the file cannot be read, `bad-capture` when it is no sound ZIP file; `what` says what it should be. */
  static async open(path: string, limits: CaptureLimits, what = 'a capture'): Promise<Archive> {
    const file = await FileReader.open(path);
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(file, file.sizeBytes, {
        autoClose: false,
        strictFileNames: true,
      });
      zip.on('error', () => {}); // Rejections carry the errors; without a listener an event would end the process.
      try {
        return new Archive(path, zip, await listEntries(zip, path, limits));
      } catch (error) {
        zip.close();
        throw error;
      }
    } catch (error) {
      if (error instanceof GpuprofError) throw error;
      throw new GpuprofError('bad-capture', `${path} is not ${what}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Bytes of an entry. Throws `bad-capture` when it is missing or has more than `maxBytes`. */
  sizeOf(name: string, maxBytes: number): number {
    const size = this.entry(name).uncompressedSize;
    if (size > maxBytes) throw tooLarge('bad-capture', `${this.path}: ${name} has`, size, maxBytes);
    return size;
  }

  /** All bytes of an entry, in a buffer of their own that begins at its first byte. */
  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.sizeOf(name, maxBytes));
    await this.readInto(bytes, name);
    return bytes;
  }

  /**
   * Fills `bytes`, which has the entry's size, and tells `arrived` of how many are there, so that what is no good can be
   * refused before the rest of it takes memory.
   */
  async readInto(bytes: Uint8Array, name: string, arrived?: (bytes: number) => void): Promise<void> {
    const entry = this.entry(name);
    try {
      let at = 0;
      for await (const chunk of await this.unpacked(entry)) {
        if (at + chunk.length > bytes.length) throw new Error(`too many bytes; it should have ${bytes.length}`);
        bytes.set(chunk, at);
        at += chunk.length;
        arrived?.(at);
      }
      if (at !== bytes.length) throw new Error(`${at} bytes instead of ${bytes.length}`);
      if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is wrong');
    } catch (error) {
      if (error instanceof GpuprofError) throw error;
      throw new GpuprofError('bad-capture', `${this.path}: ${name} is damaged: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.zip.isOpen) return resolve();
      this.zip.once('close', resolve);
      this.zip.close();
    });
  }

  private entry(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new GpuprofError('bad-capture', `${this.path}: ${name} is missing`);
    return entry;
  }

  /** In larger pieces than yauzl's own, which are 16 KiB. */
  private async unpacked(entry: Entry): Promise<Readable> {
    const packed = await this.zip.openReadStreamPromise(entry, { decodeFileData: false });
    if (entry.compressionMethod === 0) return packed;
    const chunkSize = Math.min(chunkBytes, Math.max(64, entry.uncompressedSize + 1));
    // Errors come out of the iteration.
    return pipeline(packed, createInflateRaw({ chunkSize }), () => {});
  }
}

async function listEntries(zip: ZipFile, path: string, limits: CaptureLimits): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    const refuse = (problem: string): never => {
      throw new GpuprofError('bad-capture', `${path}: ${JSON.stringify(name.slice(0, 100))} ${problem}`);
    };
    if (name.endsWith('/')) continue; // A folder that an archiver added; it holds nothing.
    if (entries.has(name)) refuse('is in the file twice');
    if (entry.isEncrypted()) refuse('is encrypted');
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      refuse(`uses compression method ${entry.compressionMethod}; only stored and deflated can be read`);
    if (entry.compressedSize > zip.fileSize) refuse('is larger than the file');
    if (entry.uncompressedSize > entry.compressedSize * maxRatio)
      refuse(`cannot unpack to the ${entry.uncompressedSize} bytes it declares`);
    total += entry.uncompressedSize;
    if (total > limits.totalBytes) refuse(`takes the unpacked total over ${limits.totalBytes} bytes`);
    if (entries.size >= limits.entries) refuse(`is one of more than ${limits.entries} entries`);
    entries.set(name, entry);
  }
  return entries;
}
