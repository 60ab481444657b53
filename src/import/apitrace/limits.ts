const mebibyte = 2 ** 20;

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

export const defaultTraceLimits: TraceLimits = {
  pieceBytes: 64 * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  blobBytes: 1024 * mebibyte,
  heapBytes: 256 * mebibyte,
  tableBytes: 64 * mebibyte,
  zstdMs: 5000,
  depth: 64,
};
