import type { GlContext } from '../gl/context.ts';
import { disjointReason, GL_TIME_ELAPSED, TimerQueries } from './timer-queries.ts';
import type { TimerReader, TimerReadings } from './timer-reader.ts';

/** A TIME_ELAPSED query around each bracket: what RenderDoc and apitrace do. */
export class ElapsedReader implements TimerReader {
  readonly #queries: TimerQueries;
  #names: Uint32Array = new Uint32Array(0);
  #count = 0;
  #isOpen = false;

  constructor(context: GlContext) {
    this.#queries = new TimerQueries(context);
  }

  subscribe(queries: number): void {
    this.#names = this.#queries.reserve(queries);
    this.#count = queries;
    this.#queries.takeDisjoint();
  }

  beginQuery(id: number): void {
    // Another's query would make begin fail, and be ended in its place.
    this.#isOpen = this.#queries.current(GL_TIME_ELAPSED) === 0;
    if (this.#isOpen) this.#queries.begin(GL_TIME_ELAPSED, this.#names[id]);
  }

  endQuery(_id: number): void {
    if (this.#isOpen) this.#queries.end(GL_TIME_ELAPSED);
  }

  unsubscribe(order: Uint32Array): TimerReadings {
    const queries = this.#queries;
    const values = new Float64Array(this.#count).fill(Number.NaN);
    queries.reading(() => {
      for (const id of order) if (queries.read(this.#names[id])) values[id] = queries.high * 2 ** 32 + queries.low;
    });
    return { values, suspect: queries.takeDisjoint() ? disjointReason : null };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
