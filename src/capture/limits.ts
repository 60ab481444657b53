const mebibyte = 2 ** 20;

/** The most a capture may ask a reader to hold; each is checked against what the file declares before it is read. */
export interface CaptureLimits {
  readonly manifestBytes: number;
  /** Of one call stream. */
  readonly callsBytes: number;
  readonly resourceBytes: number;
  readonly referenceBytes: number;
  /** Of all entries together, unpacked. */
  readonly totalBytes: number;
  readonly entries: number;
}

export const defaultLimits: CaptureLimits = {
  manifestBytes: 64 * mebibyte,
  callsBytes: 1024 * mebibyte,
  resourceBytes: 2048 * mebibyte,
  referenceBytes: 1024 * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  entries: 1_000_000,
};

/** Entry names of a capture, see FORMAT.md. */
export const manifestEntry = 'capture.json';
export const setupEntry = 'setup.calls';
export const referenceEntry = 'reference.png';
export const frameEntry = (frame: number): string => `frame-${frame}.calls`;
export const resourceEntry = (sha256: string): string => `resources/${sha256}`;
