import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readFailure } from '../../../capture/read-failure.ts';
import { GpuprofError } from '../../../errors.ts';

/** A file that is read from its start, as far as it goes. */
export class PackedFile {
  readonly path: string;
  readonly sizeBytes: number;
  private readonly fd: number;
  private position = 0;

  /** @throws GpuprofError (bad-input) when there is no such file or it cannot be read */
  constructor(path: string) {
    this.path = path;
    let fd: number | undefined;
    try {
      // Without O_NONBLOCK, opening a named pipe waits for a writer.
      fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const status = fstatSync(fd);
      if (!status.isFile()) throw new Error(status.isDirectory() ? 'it is a directory' : 'it is not a regular file');
      this.fd = fd;
      this.sizeBytes = status.size;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw readFailure(path, error);
    }
  }

  /** Of the next byte that is read. */
  get offsetBytes(): number {
    return this.position;
  }

  get remainingBytes(): number {
    return this.sizeBytes - this.position;
  }

  /** The first bytes, whatever was read. */
  peek(lengthBytes: number): Buffer {
    const bytes = Buffer.alloc(Math.min(lengthBytes, this.sizeBytes));
    return bytes.subarray(0, this.readInto(bytes, 0, 0));
  }

  /** The next bytes, fewer where the file ends. */
  read(lengthBytes: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(lengthBytes, this.remainingBytes)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = this.readInto(bytes, filled, this.position + filled);
      if (count === 0) break;
      filled += count;
    }
    this.position += filled;
    return bytes.subarray(0, filled);
  }

  skip(lengthBytes: number): void {
    this.position += Math.min(lengthBytes, this.remainingBytes);
  }

  close(): void {
    closeSync(this.fd);
  }

  /** What is wrong with the container, with the byte of the file where it is. */
  fault(offsetBytes: number, problem: string): GpuprofError {
    return new GpuprofError('bad-input', `${this.path}: at byte ${offsetBytes} of the file: ${problem}.`);
  }

  private readInto(bytes: Buffer, filled: number, position: number): number {
    try {
      return readSync(this.fd, bytes, filled, bytes.length - filled, position);
    } catch (error) {
      throw readFailure(this.path, error);
    }
  }
}
