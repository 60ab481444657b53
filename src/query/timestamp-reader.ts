import type { GlContext } from '../gl/context.ts';
import { disjointReason, GL_TIMESTAMP, GlQueries } from './gl-queries.ts';
import type { QueryResults, TimerReader } from './timer-reader.ts';

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
  readonly metrics = ['durationNs'];
  readonly #queries: GlQueries;
  readonly #bits: number;
  #names: Uint32Array = new Uint32Array(0);
  #count = 0;

  constructor(context: GlContext) {
    this.#queries = new GlQueries(context);
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

  unsubscribe(): QueryResults {
    const queries = this.#queries;
    const values = new Float64Array(this.#count);
    const failed: number[] = [];
    for (let id = 0; id < this.#count; id++) {
      queries.read(this.#names[2 * id]);
      const { low, high, failed: noBegin } = queries;
      queries.read(this.#names[2 * id + 1]);
      if (noBegin || queries.failed) failed.push(id);
      values[id] =
        noBegin || queries.failed ? Number.NaN : counterDifference(low, high, queries.low, queries.high, this.#bits);
    }
    return { values, failed, questionable: queries.takeDisjoint() ? disjointReason : null };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
