import type { TraceLimits } from '../limits.ts';
import type { TraceContainer } from '../trace.ts';
import type { PackedFile } from './packed-file.ts';
import { SnappyPieces } from './snappy-pieces.ts';
import { ZlibPieces } from './zlib-pieces.ts';
import { ZstdPieces } from './zstd-pieces.ts';

/** The contents of a packed file, one piece after the other. */
export interface Pieces {
  /**
   * The next piece, never empty; null at the end.
   * @throws GpuprofError (bad-input) with the byte of the file, where the container is malformed
   */
  next(): Buffer | null;
  /** Byte of the file where the newest piece began. */
  readonly offsetBytes: number;
  /** Once `next()` gave null: how the file falls short, as a clause ("it stops ..."); null when it is whole. */
  readonly cut: string | null;
}

/** What packs a trace, by the first bytes of the file; Brotli has none of its own. */
export function containerOf(start: Uint8Array): TraceContainer {
  const [first, second, third, fourth] = start;
  if (first === 0x61 && second === 0x74) return 'snappy';
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // A file may begin with a frame that is to be skipped (0x184d2a50 to 0x184d2a5f).
  if (second === 0xb5 && third === 0x2f && fourth === 0xfd && first === 0x28) return 'zstd';
  if (second === 0x2a && third === 0x4d && fourth === 0x18 && (first & 0xf0) === 0x50) return 'zstd';
  return 'brotli';
}

/** Reads `file` from its start. */
export function openPieces(container: TraceContainer, file: PackedFile, limits: TraceLimits): Pieces {
  if (container === 'snappy') return new SnappyPieces(file, limits);
  if (container === 'zstd') return new ZstdPieces(file, limits);
  return new ZlibPieces(container, file, limits);
}
