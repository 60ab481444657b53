import { isUtf8 } from 'node:buffer';
import { GpuprofError } from '../../errors.ts';
import type { PackedFile } from './container/packed-file.ts';
import type { Pieces } from './container/pieces.ts';
import type { TraceLimits } from './limits.ts';

/** Thrown where the contents end inside something; what that means is for the caller to say. */
export const endOfTrace = Symbol('end of trace');

const nothing = Buffer.alloc(0);

/**
 * Reads the basic types of the trace format over the pieces of a container. One piece is in memory, and what crosses
 * from one into the next. The hot path of an import: kept monomorphic, and free of allocation but for its results.
 */
export class ByteReader {
  private readonly file: PackedFile;
  private readonly pieces: Pieces;
  private readonly limits: TraceLimits;
  private bytes: Buffer = nothing;
  /** Over `bytes`. */
  private numbers: DataView = new DataView(nothing.buffer);
  private at = 0;
  private end = 0;
  /** Offset of `bytes` in the contents. */
  private base = 0;
  private readonly scratch = new DataView(new ArrayBuffer(8));

  constructor(file: PackedFile, pieces: Pieces, limits: TraceLimits) {
    this.file = file;
    this.pieces = pieces;
    this.limits = limits;
  }

  /** Of the next byte, in the unpacked contents. */
  get offsetBytes(): number {
    return this.base + this.at;
  }

  isAtEnd(): boolean {
    return this.at === this.end && !this.nextPiece();
  }

  u8(): number {
    if (this.at === this.end && !this.nextPiece()) throw endOfTrace;
    return this.bytes[this.at++];
  }

  /** A variable-length unsigned integer of at most 64 bits; a bigint only beyond 2^53. */
  uint(): number | bigint {
    let byte = this.u8();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return this.largeUint(value);
  }

  /** A `uint` that counts or names something: a number of at most `most`. */
  count(most: number, what: string): number {
    const value = this.uint();
    if (typeof value === 'number' && value <= most) return value;
    throw this.fault(`${what} ${value}, more than the ${most} that can be`);
  }

  f32(): number {
    if (this.end - this.at >= 4) {
      this.at += 4;
      return this.numbers.getFloat32(this.at - 4, true);
    }
    for (let index = 0; index < 4; index++) this.scratch.setUint8(index, this.u8());
    return this.scratch.getFloat32(0, true);
  }

  f64(): number {
    for (let index = 0; index < 8; index++) this.scratch.setUint8(index, this.u8());
    return this.scratch.getFloat64(0, true);
  }

  /** A copy of the next bytes. */
  blob(lengthBytes: number): Uint8Array {
    return new Uint8Array(this.view(lengthBytes));
  }

  /** C text: UTF-8, or else Latin-1, up to a NUL. */
  text(lengthBytes: number): string {
    const view = this.view(lengthBytes);
    const zero = view.indexOf(0);
    const bytes = zero < 0 ? view : view.subarray(0, zero);
    return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  }

  skip(lengthBytes: number): void {
    let rest = lengthBytes;
    while (rest > this.end - this.at) {
      rest -= this.end - this.at;
      if (!this.nextPiece()) throw endOfTrace;
    }
    this.at += rest;
  }

  /** What is wrong, and where: by default just before what is read next. */
  fault(problem: string, offsetBytes = this.offsetBytes, hint?: string): GpuprofError {
    const piece = `byte ${this.pieces.offsetBytes} of the file, where its piece begins`;
    return new GpuprofError(
      'bad-input',
      `${this.file.path}: at byte ${offsetBytes} of the unpacked trace (${piece}): ${problem}.`,
      { ...(hint !== undefined && { hint }) },
    );
  }

  /** The next bytes in one stretch, valid until the next read. */
  private view(lengthBytes: number): Buffer {
    const start = this.at;
    if (lengthBytes <= this.end - start) {
      this.at = start + lengthBytes;
      return this.bytes.subarray(start, this.at);
    }
    const parts = [this.bytes.subarray(start, this.end)];
    let rest = lengthBytes - parts[0].length;
    while (rest > 0) {
      if (!this.nextPiece()) throw endOfTrace;
      const part = this.bytes.subarray(0, Math.min(rest, this.end));
      parts.push(part);
      rest -= part.length;
      this.at = part.length;
    }
    return Buffer.concat(parts, lengthBytes);
  }

  /** What remains of a `uint` whose first four bytes gave `low`. */
  private largeUint(low: number): number | bigint {
    let middle = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.u8();
      middle |= (byte & 0x7f) << shift;
      if (byte < 0x80) return joined(low, middle, 0);
    }
    const ninth = this.u8();
    if (ninth < 0x80) return joined(low, middle, ninth);
    const tenth = this.u8();
    if (tenth > 1) throw this.fault('an integer of more than 64 bits', this.offsetBytes - 10);
    return joined(low, middle, (ninth & 0x7f) | (tenth << 7));
  }

  /** Makes the next piece the one that is read; false at the end. */
  private nextPiece(): boolean {
    const piece = this.pieces.next();
    this.base += this.end;
    this.bytes = piece ?? nothing;
    this.numbers = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.at = 0;
    this.end = this.bytes.length;
    if (this.base + this.end > this.limits.totalBytes) {
      throw this.fault(`more than the ${this.limits.totalBytes} bytes that are read of one trace`);
    }
    return piece !== null;
  }
}

/** 28 bits, 28 bits and 8 bits. */
function joined(low: number, middle: number, high: number): number | bigint {
  if (high === 0 && middle < 2 ** 25) return middle * 2 ** 28 + low;
  return (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
}
