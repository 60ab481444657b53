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

/** Reads `file` from its start. */
export function openPieces(container: TraceContainer, file: PackedFile, limits: TraceLimits): Pieces {
  if (container === 'snappy') return new SnappyPieces(file, limits);
  if (container === 'zstd') return new ZstdPieces(file, limits);
  return new ZlibPieces(container, file, limits);
}
