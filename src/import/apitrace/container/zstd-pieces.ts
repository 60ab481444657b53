import { Decompress } from 'fzstd';
import { WatchedWork } from '../../watched-work.ts';
import type { TraceLimits } from '../limits.ts';
import type { PackedFile } from './packed-file.ts';
import type { Pieces } from './pieces.ts';

/** The library reads match distances of up to 26 bits, and keeps a window in memory. */
const mostWindowBytes = 2 ** 26;
const mostBlockBytes = 2 ** 17;
const checksumFlag = 4;

/**
 * Zstandard frames (RFC 8878), seekable ones too. Frames and blocks are told apart here, so that sizes are checked before
 * the library allocates and a file that stops is no error; the library unpacks the blocks.
 */
export class ZstdPieces implements Pieces {
  offsetBytes = 0;
  cut: string | null = null;
  private readonly file: PackedFile;
  private readonly ready: Buffer[] = [];
  /** Of the frame whose blocks are being read. */
  private frame: { decompress: Decompress; head: Buffer; checksumBytes: number } | null = null;
  private readonly watched: WatchedWork;
  private isOver = false;

  constructor(file: PackedFile, limits: TraceLimits) {
    this.file = file;
    this.watched = new WatchedWork(limits.zstdMs);
  }

  next(): Buffer | null {
    while (this.ready.length === 0 && !this.isOver) {
      this.offsetBytes = this.file.offsetBytes;
      if (this.frame === null) this.beginFrame();
      else this.block(this.frame);
    }
    return this.ready.shift() ?? null;
  }

  private beginFrame(): void {
    if (this.file.remainingBytes === 0) {
      this.isOver = true;
      return;
    }
    const magic = this.take(4)?.readUInt32LE();
    if (magic === undefined) return;
    if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) {
      this.skipFrame();
      return;
    }
    if (magic !== 0xfd2fb528) throw this.fault('no Zstandard frame begins like this');
    const head = this.frameHead();
    if (head === undefined) return;
    const decompress = new Decompress((chunk) => {
      if (chunk.length === 0) return;
      this.ready.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      this.watched.earn(chunk.length);
    });
    const hasChecksum = (head[4] & checksumFlag) !== 0;
    // The library would wait for the checksum, which it does not read.
    head[4] &= ~checksumFlag;
    this.frame = { decompress, head, checksumBytes: hasChecksum ? 4 : 0 };
  }

  private skipFrame(): void {
    const length = this.take(4)?.readUInt32LE();
    if (length === undefined) return;
    if (length > this.file.remainingBytes) this.stop();
    else this.file.skip(length);
  }

  /** The head of a frame, its magic number included. */
  private frameHead(): Buffer | undefined {
    const flags = this.take(1)?.[0];
    if (flags === undefined) return undefined;
    const isSingle = (flags & 0x20) !== 0;
    const dictionaryBytes = [0, 1, 2, 4][flags & 3];
    const sizeBytes = flags >>> 6 === 0 ? (isSingle ? 1 : 0) : 2 ** (flags >>> 6);
    const windowBytes = isSingle ? 0 : 1;
    const rest = this.take(windowBytes + dictionaryBytes + sizeBytes);
    if (rest === undefined) return undefined;
    if ((flags & 8) !== 0) throw this.fault('a Zstandard frame with a reserved flag');
    const dictionary = rest.subarray(windowBytes, windowBytes + dictionaryBytes);
    if (dictionary.some((byte) => byte !== 0)) throw this.fault('a Zstandard frame that needs a dictionary');
    const window = isSingle
      ? littleEndian(rest.subarray(dictionaryBytes)) + (sizeBytes === 2 ? 256 : 0)
      : windowOf(rest[0]);
    if (window > mostWindowBytes) {
      throw this.fault(`a Zstandard window of ${window} bytes, more than the ${mostWindowBytes} that are read`);
    }
    return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, flags]), rest]);
  }

  private block(frame: NonNullable<typeof this.frame>): void {
    const head = this.take(3);
    if (head === undefined) return;
    const [isLast, kind, size] = [(head[0] & 1) === 1, (head[0] >>> 1) & 3, head.readUIntLE(0, 3) >>> 3];
    if (kind === 3) throw this.fault('a Zstandard block of no known kind');
    if (size > mostBlockBytes) throw this.fault(`a Zstandard block of ${size} bytes, more than ${mostBlockBytes}`);
    const body = this.take(kind === 1 ? 1 : size);
    if (body === undefined) return;
    try {
      const work = (): void => frame.decompress.push(Buffer.concat([frame.head, head, body]), isLast);
      if (kind === 2) this.watched.run(work);
      else work();
    } catch (cause) {
      throw this.fault(`a malformed Zstandard block (${(cause as Error).message})`);
    }
    frame.head = Buffer.alloc(0);
    if (!isLast) return;
    this.frame = null;
    this.take(frame.checksumBytes);
  }

  /** The next bytes; undefined, and the end, where the file has fewer. */
  private take(lengthBytes: number): Buffer | undefined {
    const bytes = this.file.read(lengthBytes);
    if (bytes.length === lengthBytes) return bytes;
    this.stop();
    return undefined;
  }

  private stop(): void {
    this.isOver = true;
    this.cut = 'it stops inside a Zstandard frame';
  }

  private fault(problem: string): Error {
    return this.file.fault(this.offsetBytes, problem);
  }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}
