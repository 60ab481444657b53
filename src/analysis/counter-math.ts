/** Arithmetic on counter values, exact for whole numbers of any size. */
import { type CounterValue, exactNumber } from '../model/counter.ts';

type Quantity = number | bigint;
export type Known = Exclude<CounterValue, null>;

/** Sum of two whole numbers: a bigint where a number would round. */
export function addExactly(left: Quantity, right: Quantity): Quantity {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return exactNumber(BigInt(left) + BigInt(right));
}

/** Numbers and bigints compare by what they are worth; no comes before yes. */
export const compare = (left: Known, right: Known): number => (left < right ? -1 : left > right ? 1 : 0);

/** The middle value, or the lower of the middle two: always one that was observed. */
export function lowerMedian(values: readonly Known[]): CounterValue {
  if (values.length === 0) return null;
  if (values.every((value) => value === values[0])) return values[0];
  return [...values].sort(compare)[(values.length - 1) >> 1];
}

/** Yes counts as 1. */
export const quantity = (value: Known): Quantity => (typeof value === 'boolean' ? Number(value) : value);
