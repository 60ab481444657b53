/** What a timer read between subscribe and unsubscribe. */
export interface TimerReadings {
  /** Nanoseconds by query id; NaN where there is no result. */
  readonly values: Float64Array;
  /** Why none of the values can be trusted, or null. */
  readonly suspect: string | null;
}

/** One way to take one kind of time around a bracket; the timer source calls it as the query manager calls the source. */
export interface TimerReader {
  subscribe(queries: number): void;
  /** Neither waits nor allocates; nor does {@link endQuery}. */
  beginQuery(id: number): void;
  endQuery(id: number): void;
  /** Waits, within a bound, for the results of the queries in `order` and reads them. */
  unsubscribe(order: Uint32Array): TimerReadings;
  /** Frees the reader's GL objects. */
  dispose(): void;
}
