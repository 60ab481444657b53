import { uncompress } from 'snappyjs';
import type { TraceLimits } from '../limits.ts';
import type { PackedFile } from './packed-file.ts';
import type { Pieces } from './pieces.ts';
import { measureSnappy, type SnappyExtent } from './snappy-extent.ts';

/** apitrace's own framing of Snappy (docs/FORMAT.markdown): "at", then blocks, each after its length in four bytes. */
export class SnappyPieces implements Pieces {
  offsetBytes = 0;
  cut: string | null = null;
  private readonly file: PackedFile;
  private readonly limits: TraceLimits;
  private isOver = false;

  constructor(file: PackedFile, limits: TraceLimits) {
    this.file = file;
    this.limits = limits;
    file.read(2);
  }

  next(): Buffer | null {
    while (!this.isOver) {
      const piece = this.nextBlock();
      if (piece.length > 0) return piece;
    }
    return null;
  }

  private nextBlock(): Buffer {
    this.offsetBytes = this.file.offsetBytes;
    const head = this.file.read(4);
    if (head.length < 4) return this.end(head.length === 0 ? null : 'it stops inside the length of a Snappy block');
    const length = head.readUInt32LE();
    // apitrace reads no further; a file whose last blocks never reached the disk may end in zeros.
    if (length === 0)
      return this.end(this.file.remainingBytes === 0 ? null : 'it goes on after a Snappy block of no bytes');
    if (length > this.limits.pieceBytes) {
      throw this.fault(`a Snappy block of ${length} bytes, more than the ${this.limits.pieceBytes} that are read`);
    }
    const block = this.file.read(length);
    const extent = measureSnappy(block);
    if (extent.declaredBytes > this.limits.pieceBytes) {
      throw this.fault(
        `a Snappy block that unpacks to ${extent.declaredBytes} bytes, more than the ${this.limits.pieceBytes} that are read`,
      );
    }
    if (block.length < length) return this.start(block, extent);
    if (extent.wholeBytes < length || extent.unpackedBytes !== extent.declaredBytes) throw this.malformed();
    return this.unpack(block);
  }

  /** As much of a block that is cut off as its bytes say. */
  private start(block: Buffer, extent: SnappyExtent): Buffer {
    this.end('it stops inside a Snappy block');
    const { declaredBytes, firstElement, wholeBytes, unpackedBytes, literalStart } = extent;
    if (declaredBytes >= 0 && unpackedBytes > declaredBytes) throw this.malformed();
    const elements = Buffer.concat([variableLength(unpackedBytes), block.subarray(firstElement, wholeBytes)]);
    const literal = literalStart > wholeBytes ? block.subarray(literalStart) : Buffer.alloc(0);
    return Buffer.concat([this.unpack(elements), literal]);
  }

  private unpack(block: Buffer): Buffer {
    try {
      return uncompress(block);
    } catch {
      throw this.malformed();
    }
  }

  private end(cut: string | null): Buffer {
    this.isOver = true;
    this.cut = cut;
    return Buffer.alloc(0);
  }

  private malformed(): Error {
    return this.fault('a malformed Snappy block');
  }

  private fault(problem: string): Error {
    return this.file.fault(this.offsetBytes, problem);
  }
}

function variableLength(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
