/**
 * What a metric source is to the query manager. Each source stands in a file of its own and offers a function that takes
 * a context and gives the source, or one clause that says why it is not to be had there.
 */
import type { CounterColumn, CounterInfo, MetricSet, MetricSourceName } from '../model/counter.ts';
import type { CountedObject } from '../model/counter-sample.ts';

/** What a set measured between subscribe and unsubscribe. */
export interface SetResults {
  /** In the order of the open set's counters; index: query id. */
  readonly columns: readonly CounterColumn[];
  /** Queries without a result, by id, and why. */
  readonly failed: ReadonlyMap<number, string>;
  /** Queries whose result is doubtful, by id, and why. */
  readonly questionable: ReadonlyMap<number, string>;
  /** Why none of the results can be trusted, or null. */
  readonly suspect: string | null;
  /** By id of a `distinct` counter, then query: the objects whose amounts are the value. */
  readonly objects?: ReadonlyMap<string, readonly (readonly CountedObject[])[]>;
}

/** Counters of one set, ready to be collected together. Begin and end neither wait (timers aside) nor allocate. */
export interface OpenSet {
  readonly counters: readonly CounterInfo[];
  /** Makes ready for queries 0 to `queries - 1`. Throws GpuprofError `cannot-measure` when the driver refuses them. */
  subscribe(queries: number): void;
  /** A fault here shows in the results: a driver that fails at begin must not stop the replay. */
  beginQuery(id: number): void;
  endQuery(id: number): void;
  /**
   * Waits, within a bound, for the results of the queries that were ended since subscribe and reads them. `order` has
   * their ids in the order queried.
   */
  unsubscribe(order: Uint32Array): SetResults;
  /** Frees the GL objects. */
  dispose(): void;
}

export interface MetricSource {
  readonly type: MetricSourceName;
  /** Name and version of the implementation that counts. */
  readonly information: string;
  readonly sets: readonly MetricSet[];
  /** False when the values come from the capture alone, so that nothing needs to be replayed for them. */
  readonly replays: boolean;
  /** Counters that cannot be read, and sets of which none can, by id, and why; found out when the sets were listed. */
  readonly lost: ReadonlyMap<string, string>;
  /** Most queries of a set at once; may become less when the driver turns out to have fewer than it says. */
  maximumQueries(set: MetricSet): number;
  /** Counters as they can be collected together: each list takes a replay pass. */
  split(set: MetricSet, counters: readonly CounterInfo[]): readonly (readonly CounterInfo[])[];
  /** Makes counters of a set ready. Throws GpuprofError `cannot-measure` when the driver refuses. */
  open(set: MetricSet, counters: readonly CounterInfo[]): OpenSet;
}
