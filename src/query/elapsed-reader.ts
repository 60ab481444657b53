import type { GlContext } from '../gl/context.ts';
import { disjointReason, GL_TIME_ELAPSED, GlQueries } from './gl-queries.ts';
import type { QueryResults, TimerReader } from './timer-reader.ts';

/** A TIME_ELAPSED query around each bracket: what RenderDoc and apitrace do. */
export class ElapsedReader implements TimerReader {
  readonly metrics = ['durationNs'];
  readonly #queries: GlQueries;
  #names: Uint32Array = new Uint32Array(0);
  #count = 0;

  constructor(context: GlContext) {
    this.#queries = new GlQueries(context);
  }

  subscribe(queries: number): void {
    this.#names = this.#queries.reserve(queries);
    this.#count = queries;
    this.#queries.takeDisjoint();
  }

  beginQuery(id: number): void {
    this.#queries.begin(GL_TIME_ELAPSED, this.#names[id]);
  }

  endQuery(_id: number): void {
    this.#queries.end(GL_TIME_ELAPSED);
  }

  unsubscribe(): QueryResults {
    const values = new Float64Array(this.#count);
    const failed: number[] = [];
    for (let id = 0; id < this.#count; id++) {
      this.#queries.read(this.#names[id]);
      values[id] = this.#queries.failed ? Number.NaN : this.#queries.high * 2 ** 32 + this.#queries.low;
      if (this.#queries.failed) failed.push(id);
    }
    return { values, failed, questionable: this.#queries.takeDisjoint() ? disjointReason : null };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
