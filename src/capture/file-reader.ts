import { close, constants, fstat, open, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { readFailure } from './read-failure.ts';

/** Of an entry's bytes at once. */
const chunkBytes = 2 ** 16;
/** Of the directory, whose entries are asked for one by one, and of an entry from its own header on. */
const aheadBytes = 2 ** 16;
const readAsync = promisify(read);

/**
 * The file under the ZIP reader. Its own, because yauzl's would hand offsets of 2^64 from a bad file to `fs.read`, which
 * throws where nobody can catch it.
 */
export class FileReader extends yauzl.RandomAccessReader {
  readonly sizeBytes: number;
  readonly #fd: number;
  /** What was read last, and where it stands in the file. */
  #ahead: Uint8Array = new Uint8Array();
  #aheadAt = 0;

  private constructor(fd: number, sizeBytes: number) {
    super();
    this.#fd = fd;
    this.sizeBytes = sizeBytes;
  }

  /** Throws GpuprofError `bad-input` when it cannot be read. */
  static async open(path: string): Promise<FileReader> {
    let fd: number | undefined;
    try {
      // Without O_NONBLOCK, opening a named pipe waits for a writer.
      fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const status = await promisify(fstat)(fd);
      if (!status.isFile()) throw new Error(status.isDirectory() ? 'it is a directory' : 'it is not a regular file');
      return new FileReader(fd, status.size);
    } catch (error) {
      if (fd !== undefined) await promisify(close)(fd);
      throw readFailure(path, error);
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const known = this.#known(position, position + length);
    if (known?.length === length) {
      buffer.set(known, offset);
      callback(null, length);
    } else if (position + length > this.sizeBytes) setImmediate(callback, new Error('unexpected end of file'));
    else if (length > aheadBytes)
      read(this.#fd, buffer, offset, length, position, (error, bytesRead) => callback(error, bytesRead));
    else
      this.#readAhead(length, position).then(
        (bytes) => {
          buffer.set(bytes, offset);
          callback(null, bytes.length);
        },
        (error) => callback(error),
      );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  override close(callback: (error: Error | null) => void): void {
    close(this.#fd, callback);
  }

  /** Reads so many bytes, and as many behind them as are worth a call. */
  async #readAhead(length: number, position: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(aheadBytes, this.sizeBytes - position));
    const { bytesRead } = await readAsync(this.#fd, buffer, 0, buffer.length, position);
    if (bytesRead < length) throw new Error('unexpected end of file');
    this.#ahead = buffer.subarray(0, bytesRead);
    this.#aheadAt = position;
    return this.#ahead.subarray(0, length);
  }

  /** As many of the bytes from `start` on as have been read; undefined when none have. */
  #known(start: number, end: number): Uint8Array | undefined {
    const from = start - this.#aheadAt;
    if (from < 0 || from >= this.#ahead.length) return undefined;
    return this.#ahead.subarray(from, Math.min(this.#ahead.length, from + end - start));
  }

  /** Not fs.createReadStream, which closes the file when it is destroyed, and the file serves many entries. */
  async *#chunks(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      let bytes = this.#known(at, end);
      if (!bytes) {
        const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - at));
        const { bytesRead } = await readAsync(this.#fd, buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new Error('unexpected end of file');
        bytes = buffer.subarray(0, bytesRead);
      }
      yield bytes;
      at += bytes.length;
    }
  }
}
