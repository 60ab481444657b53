import { shareOfMemory } from '../../model/memory-limit.ts';

/** The most that a trace may ask a reader to hold or to do; each is checked before anything is allocated. */
export interface TraceLimits {
  /** One piece of the container, packed or unpacked. */
  readonly pieceBytes: number;
  /** The whole trace, unpacked. */
  readonly totalBytes: number;
  /** Blobs of the calls that have not returned, all together. */
  readonly blobBytes: number;
  /** Everything else of the calls that have not returned (strings, arrays, structures), as JavaScript holds it. */
  readonly heapBytes: number;
  /** Properties and signatures of functions and structures, as JavaScript holds them. */
  readonly tableBytes: number;
  /** Milliseconds that Zstandard blocks may take to unpack beyond one for every 8 KiB, which is far more than sound ones take. */
  readonly zstdMs: number;
  /** Arrays and structures inside each other. */
  readonly depth: number;
}

/** What apitrace itself writes at once. */
const leastPieceBytes = 2 ** 20;

/** Shares of the memory limit, for what is held. */
export const defaultTraceLimits: TraceLimits = {
  get pieceBytes() {
    return Math.max(leastPieceBytes, shareOfMemory(1 / 64));
  },
  totalBytes: 64 * 2 ** 30,
  get blobBytes() {
    return shareOfMemory(1 / 4);
  },
  get heapBytes() {
    return shareOfMemory(1 / 16);
  },
  get tableBytes() {
    return shareOfMemory(1 / 64);
  },
  zstdMs: 5000,
  depth: 64,
};
