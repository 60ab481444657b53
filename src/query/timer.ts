import type { GlContext } from '../gl/context.ts';
import { QueryManager, type QueryResults } from './query-manager.ts';
import type { TimerMethod } from './timer-method.ts';
import { cpuTimeId, durationId, timerSource } from './timer-source.ts';

/** Nanoseconds by query id; NaN where a query gave no result. */
export interface Times {
  readonly durationsNs: Float64Array;
  /** Null where the renderer or the method has no CPU time. */
  readonly cpuNs: Float64Array | null;
  /** Why none of them can be trusted, or null. */
  readonly suspect: string | null;
}

/** A query manager of its own for the timer alone. */
export class Timer {
  readonly manager: QueryManager;
  #results: QueryResults | null = null;

  constructor(context: GlContext, method: TimerMethod) {
    this.manager = new QueryManager(context, [timerSource(context, method)]);
    this.manager.registerCallback((results) => {
      this.#results = results;
    });
  }

  subscribe(queries: number): void {
    this.manager.subscribe('timer', queries);
  }

  /** Ends the subscription. */
  read(): Times {
    this.manager.unsubscribe();
    const { counters, columns, suspect } = this.#results as QueryResults;
    const column = (wanted: string) => columns[counters.findIndex(({ id }) => id === wanted)] as Float64Array;
    return { durationsNs: column(durationId), cpuNs: column(cpuTimeId) ?? null, suspect };
  }

  dispose(): void {
    this.manager.dispose();
  }
}
