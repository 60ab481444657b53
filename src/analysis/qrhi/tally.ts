import type { QrhiMemory } from '../../model/qrhi/usage.ts';

/** Running figures of one kind of memory. */
export class Tally implements QrhiMemory {
  created = 0;
  released = 0;
  recreated = 0;
  strayReleases = 0;
  liveCount = 0;
  peakCount = 0;
  liveBytes = 0n;
  peakBytes = 0n;

  /** Counts what is created; `replacedBytes` is the size of what it takes the place of, null for nothing. */
  create(sizeBytes: bigint, replacedBytes: bigint | null): void {
    this.created++;
    if (replacedBytes === null) this.liveCount++;
    else this.recreated++;
    this.liveBytes += sizeBytes - (replacedBytes ?? 0n);
    if (this.liveCount > this.peakCount) this.peakCount = this.liveCount;
    if (this.liveBytes > this.peakBytes) this.peakBytes = this.liveBytes;
  }

  release(sizeBytes: bigint): void {
    this.released++;
    this.liveCount--;
    this.liveBytes -= sizeBytes;
  }

  /** The figures as they are now. */
  snapshot(): QrhiMemory {
    return { ...this };
  }
}
