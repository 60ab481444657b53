import { BrotliDecompress, Gunzip } from 'minizlib';
import type { TraceLimits } from '../limits.ts';
import type { PackedFile } from './packed-file.ts';
import type { Pieces } from './pieces.ts';

/** Packed bytes taken at once. Brotli may unpack a few of them to very many, and what one take gives is held. */
const takeBytes = { gzip: 2 ** 14, brotli: 2 ** 12 };
const chunkBytes = 2 ** 18;

/** A gzip file or a Brotli stream. */
export class ZlibPieces implements Pieces {
  offsetBytes = 0;
  cut: string | null = null;
  private readonly container: 'gzip' | 'brotli';
  private readonly file: PackedFile;
  private readonly limits: TraceLimits;
  private readonly stream: Gunzip | BrotliDecompress;
  private readonly ready: Buffer[] = [];
  private failure: (Error & { code?: string | null }) | undefined;
  private isOver = false;

  constructor(container: 'gzip' | 'brotli', file: PackedFile, limits: TraceLimits) {
    this.container = container;
    this.file = file;
    this.limits = limits;
    // The library's types know only its own options, and pass Node's on; 0 is to flush nothing.
    const options = { flush: 0, chunkSize: chunkBytes, maxOutputLength: limits.pieceBytes };
    this.stream = container === 'gzip' ? new Gunzip(options) : new BrotliDecompress(options);
    this.stream.on('error', (error) => {
      this.failure = error as Error;
    });
    this.stream.on('data', (chunk) => {
      if (chunk.length > 0) this.ready.push(chunk as Buffer);
    });
  }

  next(): Buffer | null {
    while (this.ready.length === 0 && !this.isOver) this.take();
    return this.ready.shift() ?? null;
  }

  private take(): void {
    this.offsetBytes = this.file.offsetBytes;
    const packed = this.file.read(takeBytes[this.container]);
    if (packed.length > 0) this.stream.write(packed);
    else {
      this.isOver = true;
      this.stream.end();
    }
    if (this.failure === undefined) return;
    // Node calls the end of the file inside the stream a buffer error.
    if (this.isOver && this.failure.code === 'Z_BUF_ERROR') this.cut = `it stops inside its ${this.container} stream`;
    else throw this.file.fault(this.offsetBytes, this.problem(this.failure));
  }

  private problem(failure: Error & { code?: string | null }): string {
    if (failure.code === 'ERR_BUFFER_TOO_LARGE') {
      return `a few bytes that unpack to more than the ${this.limits.pieceBytes} that are read`;
    }
    if (this.container === 'gzip') return `a malformed gzip stream (${failure.message})`;
    return this.offsetBytes === 0
      ? 'no trace of apitrace: neither Snappy, gzip nor Zstandard begins like this, and Brotli cannot unpack it'
      : `a malformed Brotli stream (${failure.message})`;
  }
}
