/**
 * What a source measured between subscribe and unsubscribe. Values stand in the order queried, one row of
 * `metrics.length` a query; NaN where a query gave no result.
 */
export interface QueryResults {
  readonly values: Float64Array;
  /** Ids of queries without a result. */
  readonly failed: readonly number[];
  /** Why none of the values can be trusted, or null. */
  readonly questionable: string | null;
}

/**
 * Something measurable around a bracket: a timer, the CPU clock, later statistics and vendor counters. The contract is
 * Intel's IQueryManager: subscribe for a number of queries, begin and end each by its id (0, 1, 2, ... in the order
 * queried, never nested), unsubscribe for the results. Begin and end neither wait nor allocate.
 */
export interface TimerReader {
  /** Names of the columns, units included (`durationNs`). */
  readonly metrics: readonly string[];
  subscribe(queries: number): void;
  beginQuery(id: number): void;
  endQuery(id: number): void;
  /** Waits for and reads all results. */
  unsubscribe(): QueryResults;
  /** Frees the source's GL objects. */
  dispose(): void;
}

/** Results of a source whose single metric cannot fail. */
export function allResults(values: Float64Array): QueryResults {
  return { values, failed: [], questionable: null };
}
