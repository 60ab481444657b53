import { close, constants, fstat, open, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { GpuprofError } from '../errors.ts';
import type { CaptureLimits } from './limits.ts';

/** Deflate cannot do better than this (zlib's technical notes), so a larger declared size is a lie. */
const maxRatio = 1032;
const chunkBytes = 2 ** 18;
const readAsync = promisify(read);

/**
 * The file under the ZIP reader. Its own, because yauzl's would hand offsets of 2^64 from a bad file to `fs.read`, which
 * throws where nobody can catch it.
 */
class FileReader extends yauzl.RandomAccessReader {
  private readonly fd: number;
  private readonly sizeBytes: number;

  constructor(fd: number, sizeBytes: number) {
    super();
    this.fd = fd;
    this.sizeBytes = sizeBytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (position + length > this.sizeBytes) setImmediate(callback, new Error('unexpected end of file'));
    else if (length === 0) setImmediate(callback, null, 0);
    else read(this.fd, buffer, offset, length, position, (error, bytesRead) => callback(error, bytesRead));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.chunks(start, end), { objectMode: false });
  }

  /** Not fs.createReadStream, which closes the file when it is destroyed, and the file serves many entries. */
  private async *chunks(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - at));
      const { bytesRead } = await readAsync(this.fd, buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error('unexpected end of file');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override close(callback: (error: Error | null) => void): void {
    close(this.fd, callback);
  }
}

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
    const reader = await openFile(path);
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(reader.file, reader.sizeBytes, {
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

  /** All bytes of an entry, in a buffer of their own that begins at its first byte. */
  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) throw new GpuprofError('bad-capture', `${this.path}: ${name} is missing`);
    const size = entry.uncompressedSize;
    if (size > maxBytes)
      throw new GpuprofError('bad-capture', `${this.path}: ${name} is ${size} bytes; at most ${maxBytes}`);
    try {
      const bytes = new Uint8Array(size);
      let at = 0;
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        bytes.set(chunk as Uint8Array, at);
        at += (chunk as Uint8Array).length;
      }
      if (at !== size) throw new Error(`${at} bytes instead of ${size}`);
      if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is wrong');
      return bytes;
    } catch (error) {
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
}

async function openFile(path: string): Promise<{ file: FileReader; sizeBytes: number }> {
  let fd: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = await promisify(fstat)(fd);
    if (!status.isFile()) throw new Error(status.isDirectory() ? 'it is a directory' : 'it is not a regular file');
    return { file: new FileReader(fd, status.size), sizeBytes: status.size };
  } catch (error) {
    if (fd !== undefined) await promisify(close)(fd);
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'no such file', EACCES: 'permission denied' };
    throw new GpuprofError('bad-input', `cannot read ${path}: ${reasons[code ?? ''] ?? message}`, { cause: error });
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
