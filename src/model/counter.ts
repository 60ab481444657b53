/** Counters: what can be measured of a leaf beside its time, and the sets they are collected in. */

/** How a counter's values combine, which decides what a parent of the event tree shows. */
export type CounterKind =
  /** Events, bytes, durations: a parent has the sum. */
  | 'sum'
  /** A quotient of two sums: a parent has the quotient of its leaves' sums. */
  | 'ratio'
  /** Percentages, rates, frequencies: a parent has the mean of its leaves, weighted by their time. */
  | 'average'
  /** A parent has the largest of its leaves. */
  | 'maximum'
  /** Sizes of objects: a parent counts each object once, however many of its leaves use it. */
  | 'distinct'
  /** Yes or no: a parent says yes when a leaf does. */
  | 'any'
  /** A point in time and the like: says nothing of a parent. */
  | 'point';

/** As the source delivers it. */
export type CounterDataType = 'u32' | 'u64' | 'f32' | 'f64' | 'bool';

/** A single value: whole numbers beyond 2^53 - 1 are bigint, so that 64 bits stay exact; null where there is none. */
export type CounterValue = number | bigint | boolean | null;

export interface CounterInfo {
  /** Unique: `SET/NAME`, with ` (2)` and so on behind a name that repeats within its set. */
  readonly id: string;
  /** The set's id. */
  readonly set: string;
  readonly name: string;
  readonly description: string;
  /** `ns`, `bytes`, `percent`, `Hz`, ...; empty for plain counts. */
  readonly unit: string;
  readonly dataType: CounterDataType;
  readonly kind: CounterKind;
  /** For `ratio` only: ids of dividend and divisor; the value is `scale` times their quotient. */
  readonly parts?: { readonly of: string; readonly by: string; readonly scale: number };
  /** Whether every run of a deterministic renderer gives the same value, so that a run that differs is questionable. */
  readonly exact: boolean;
}

/** Where a metric set comes from. */
export type MetricSourceName = 'timer' | 'statistics' | 'intel' | 'amd' | 'memory' | 'derived';

/** Counters that are collected together: a metric group in Intel's words. */
export interface MetricSet {
  /** `timer`, `statistics`, `memory`, `intel/Render Metrics Basic set`, `amd/GROUP`. */
  readonly id: string;
  readonly source: MetricSourceName;
  readonly name: string;
  readonly description: string;
  /** `global`: the values count what other contexts and programs do, too. */
  readonly scope: 'context' | 'global';
  readonly counters: readonly CounterInfo[];
}

/** Values of one counter by index (query or leaf): `u64` in a BigUint64Array, `bool` in a Uint8Array, the rest in doubles. */
export type CounterColumn = Float64Array | BigUint64Array | Uint8Array;

/** A column of zeros (NaN for doubles: nothing there yet) for a counter of this type. */
export function newColumn(dataType: CounterDataType, length: number): CounterColumn {
  if (dataType === 'u64') return new BigUint64Array(length);
  return dataType === 'bool' ? new Uint8Array(length) : new Float64Array(length).fill(Number.NaN);
}

/** A whole number as {@link CounterValue}: a number where that is exact. */
export const exactNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value;

/** One entry of a column; null for NaN. */
export function columnValue(column: CounterColumn, index: number): CounterValue {
  const value = column[index];
  if (typeof value === 'bigint') return exactNumber(value);
  if (column instanceof Uint8Array) return value !== 0;
  return Number.isNaN(value) ? null : value;
}
