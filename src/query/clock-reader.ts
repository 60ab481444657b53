import { hostNs, processCpuNs } from '../gl/clock.ts';
import type { TimerReader, TimerReadings } from './timer-reader.ts';

/** Reads a clock of the host before and after each bracket; the brackets must be isolated (a finish before each read). */
class ClockReader implements TimerReader {
  readonly #clock: () => number;
  #begins = new Float64Array(0);
  #ends = new Float64Array(0);

  constructor(clock: () => number) {
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

  unsubscribe(order: Uint32Array): TimerReadings {
    const values = new Float64Array(this.#begins.length).fill(Number.NaN);
    for (const id of order) values[id] = this.#ends[id] - this.#begins[id];
    return { values, suspect: null };
  }

  dispose(): void {}
}

/** Wall-clock time of a bracket. */
export const hostClockReader = (): TimerReader => new ClockReader(hostNs);

/** CPU time of all threads of the process during a bracket: on a software renderer, the work done. */
export const cpuClockReader = (): TimerReader => new ClockReader(processCpuNs);
