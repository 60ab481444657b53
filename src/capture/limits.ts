import { shareOfMemory } from '../model/memory-limit.ts';

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

/** Shares of the memory limit, for what is held. */
export const defaultLimits: CaptureLimits = {
  get manifestBytes() {
    return shareOfMemory(1 / 64);
  },
  get callsBytes() {
    return shareOfMemory(1 / 4);
  },
  get resourceBytes() {
    return shareOfMemory(1 / 2);
  },
  get referenceBytes() {
    return shareOfMemory(1 / 4);
  },
  totalBytes: 64 * 2 ** 30,
  entries: 1_000_000,
};

/** Entry names of a capture, see FORMAT.md. */
export const manifestEntry = 'capture.json';
export const setupEntry = 'setup.calls';
export const referenceEntry = 'reference.png';
export const frameEntry = (frame: number): string => `frame-${frame}.calls`;
export const resourceEntry = (sha256: string): string => `resources/${sha256}`;
