import { hostNs, processCpuNs } from '../gl/clock.ts';
import type { QueryResults, TimerReader } from './timer-reader.ts';
import { allResults } from './timer-reader.ts';

/** Reads a clock of the host before and after each bracket; the brackets must be isolated (a finish before each read). */
class ClockReader implements TimerReader {
  readonly metrics: readonly string[];
  readonly #clock: () => number;
  #begins = new Float64Array(0);
  #ends = new Float64Array(0);

  constructor(metric: string, clock: () => number) {
    this.metrics = [metric];
    this.#clock = clock;
  }

  subscribe(queries: number): void {
    this.#begins = new Float64Array(queries);
    this.#ends = new Float64Array(queries);
  }

  beginQuery(id: number): void {
    this.#begins[id] = this.#clock();
  }

  endQuery(id: number): void {
    this.#ends[id] = this.#clock();
  }

  unsubscribe(): QueryResults {
    return allResults(this.#ends.map((end, id) => end - this.#begins[id]));
  }

  dispose(): void {}
}

/** Wall-clock time of a bracket. */
export const hostClockReader = (): TimerReader => new ClockReader('durationNs', hostNs);

/** CPU time of all threads of the process during a bracket: on a software renderer, the work done. */
export const cpuClockReader = (): TimerReader => new ClockReader('cpuNs', processCpuNs);
