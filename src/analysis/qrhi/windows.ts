import type { QrhiRecord } from '../../model/qrhi/line.ts';
import type { QrhiWindows } from '../../model/qrhi/usage.ts';

interface Times {
  readonly minMs: number;
  readonly maxMs: number;
  readonly avgMs: number;
}

/** The frame times of a line of op 16, 17 or 18. */
export function timesOf({ op, ints, floats }: QrhiRecord): Times {
  if (op === 16)
    return {
      minMs: floats.Fmin_ms_gpu_frame_time,
      maxMs: floats.Fmax_ms_gpu_frame_time,
      avgMs: floats.Favg_ms_gpu_frame_time,
    };
  const word = op === 17 ? 'delta' : 'build';
  return {
    minMs: Number(ints[`min_ms_frame_${word}`]),
    maxMs: Number(ints[`max_ms_frame_${word}`]),
    avgMs: floats[`Favg_ms_frame_${word}`],
  };
}

/** Running minimum, maximum and average of windows. */
export class WindowTally {
  #windows = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #odd = 0;
  #last: Times = { minMs: 0, maxMs: 0, avgMs: 0 };

  add(times: Times): void {
    this.#windows++;
    this.#min = Math.min(this.#min, times.minMs);
    this.#max = Math.max(this.#max, times.maxMs);
    this.#sum += times.avgMs;
    if (times.minMs > times.avgMs) this.#odd++;
    this.#last = times;
  }

  /** Null before the first window. */
  figures(): QrhiWindows | null {
    if (this.#windows === 0) return null;
    return {
      windows: this.#windows,
      minMs: this.#min,
      maxMs: this.#max,
      avgMs: this.#sum / this.#windows,
      minimumAboveAverage: this.#odd,
      last: this.#last,
    };
  }
}
