import type { CounterDataType, CounterKind } from '../model/counter.ts';

/** How a type of a vendor extension stands in a result. */
export interface ValueType {
  readonly dataType: CounterDataType;
  readonly sizeBytes: 4 | 8;
}

/** A value as it stands at an offset of a result, as a column takes it; booleans have four bytes and read 0 or 1. */
export function readValue(view: DataView, at: number, { dataType }: ValueType): number | bigint {
  if (dataType === 'u64') return view.getBigUint64(at, true);
  if (dataType === 'f64') return view.getFloat64(at, true);
  if (dataType === 'f32') return view.getFloat32(at, true);
  const value = view.getUint32(at, true);
  return dataType === 'bool' ? Number(value !== 0) : value;
}

/** Percentages may go beyond their bounds by this much: they are quotients of numbers that were not read at one time. */
const slackPercent = 1;

/** Why a counter's value cannot be right, one clause that names it, or null. `mostPercent`: for percentages, else null. */
export function valueDoubt(name: string, value: number | bigint, mostPercent: number | null): string | null {
  const number = Number(value);
  if (!Number.isFinite(number)) return `${name} is ${number}`;
  if (mostPercent === null || (number >= -slackPercent && number <= Math.max(100, mostPercent) + slackPercent))
    return null;
  return `${name} is ${Number(number.toPrecision(6))} percent`;
}

/** Notes one more reason why a query's result is doubtful. */
export function addDoubt(questionable: Map<number, string>, query: number, why: string): void {
  const known = questionable.get(query);
  questionable.set(query, known === undefined ? why : `${known}, ${why}`);
}

const rateUnits = /^(percent|[kMG]?Hz)$|\/|\bper\b/;
const rateNames = /\b(avg|average|rate|ratio)\b|frequency$/i;
/** In a text or, as drivers write names, in the midst of a word: `TypedReadsPerCacheLine`. */
const quotients = /\b(ratio|rate|avg|average|percent(age)?|per)\b/i;
const quotientNames = /(?<=[a-z\d])(Per|Ratio|Rate|Average|Percent(age)?)(?![a-z])/;
/** Raw values that say something about a moment or a report, not about work. */
const pointNames = /timestamp|marker|reserved|report ?id$|cfg ?id$/i;

/**
 * What a parent of the event tree can make of a driver's numbers, by all that the driver says of them: `sum`, `average` or
 * `point`. Work is counted in whole numbers: of a float without a unit, no sum is known to make sense.
 */
export function kindOfNumber(
  name: string,
  description: string,
  dataType: CounterDataType,
  unit: string,
): Extract<CounterKind, 'sum' | 'average' | 'point'> {
  if (pointNames.test(name)) return 'point';
  if (rateUnits.test(unit) || rateNames.test(name)) return 'average';
  if (dataType !== 'f32' && dataType !== 'f64') return 'sum';
  const isQuotient = quotients.test(name) || quotients.test(description) || quotientNames.test(name);
  return unit === '' || isQuotient ? 'average' : 'sum';
}
