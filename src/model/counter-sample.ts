/** Counter values of one frame: what the query layer hands to analysis. */
import type { CounterColumn, CounterInfo, MetricSet } from './counter.ts';

/** An object that a leaf uses, for counters of the kind `distinct`. */
export interface CountedObject {
  /** The same for the same object (`texture 3`) or part of it (`texture 3 level 0`). */
  readonly key: string;
  readonly amount: number;
}

/** One measured run of a metric set: one value a counter and leaf, put together from one replay pass or several. */
export interface CounterRun {
  /** In the order of {@link SetMeasurement.counters}; index: leaf number. */
  readonly columns: readonly CounterColumn[];
  /** Leaves without values in this run, and why. */
  readonly failed: ReadonlyMap<number, string>;
  /** Leaves whose values are doubtful in this run, and why. */
  readonly questionable: ReadonlyMap<number, string>;
  /** By id of a `distinct` counter, then leaf: the objects whose amounts are the leaf's value. */
  readonly objects?: ReadonlyMap<string, readonly (readonly CountedObject[])[]>;
}

/** On what a set was measured: not always the context that the times come from. */
export interface CounterOrigin {
  readonly driver: string;
  readonly api: string;
  readonly renderer: string;
  readonly version: string;
}

/** All runs of one metric set for one frame. */
export interface SetMeasurement {
  readonly set: MetricSet;
  /** The counters asked for, in the set's order. */
  readonly counters: readonly CounterInfo[];
  /** Null when it comes from the capture alone, or when there was nothing to measure on. */
  readonly origin: CounterOrigin | null;
  /** Replay passes that one run takes. */
  readonly passes: number;
  readonly runs: readonly CounterRun[];
  /** Why there are no values at all, one clause; null when there are. */
  readonly problem: string | null;
  /** Counters of the set that cannot be read, by id, and why. */
  readonly lost: ReadonlyMap<string, string>;
}
