import type { GlContext } from '../gl/context.ts';
import { disjointReason, GL_TIMESTAMP, TimerQueries } from './timer-queries.ts';
import type { TimerReader, TimerReadings } from './timer-reader.ts';

/**
 * Nanoseconds from one counter value to a later one, each as low and high word. A counter narrower than 64 bits (iris has
 * 36: 68.7 s) may have wrapped once in between.
 */
export function counterDifference(
  fromLow: number,
  fromHigh: number,
  toLow: number,
  toHigh: number,
  bits: number,
): number {
  const difference = (toHigh - fromHigh) * 2 ** 32 + (toLow - fromLow);
  return difference < 0 && bits < 64 ? difference + 2 ** bits : difference;
}

/** A GL_TIMESTAMP before and one after each bracket. */
export class TimestampReader implements TimerReader {
  readonly #queries: TimerQueries;
  readonly #bits: number;
  #names: Uint32Array = new Uint32Array(0);
  #count = 0;

  constructor(context: GlContext) {
    this.#queries = new TimerQueries(context);
    this.#bits = this.#queries.bits(GL_TIMESTAMP);
  }

  subscribe(queries: number): void {
    this.#names = this.#queries.reserve(queries * 2);
    this.#count = queries;
    this.#queries.takeDisjoint();
  }

  beginQuery(id: number): void {
    this.#queries.counter(this.#names[2 * id], GL_TIMESTAMP);
  }

  endQuery(id: number): void {
    this.#queries.counter(this.#names[2 * id + 1], GL_TIMESTAMP);
  }

  unsubscribe(order: Uint32Array): TimerReadings {
    const queries = this.#queries;
    const values = new Float64Array(this.#count).fill(Number.NaN);
    queries.reading(() => {
      for (const id of order) {
        if (!queries.read(this.#names[2 * id])) continue;
        const { low, high } = queries;
        if (!queries.read(this.#names[2 * id + 1])) continue;
        values[id] = counterDifference(low, high, queries.low, queries.high, this.#bits);
      }
    });
    return { values, suspect: queries.takeDisjoint() ? disjointReason : null };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
