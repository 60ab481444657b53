import { median } from '../model/median.ts';

/** Runs before a median can count as settled, how far back it must have stayed, and within which part of itself. */
const leastRuns = 5;
const steadyRuns = 3;
const steadyWithin = 0.01;

/**
 * Whether a quantity's median has settled: over the last three runs the median of all runs so far has moved by no more
 * than 1%. Never before five runs.
 */
export function hasSettled(values: readonly number[]): boolean {
  if (values.length < leastRuns) return false;
  const last = median(values);
  for (let back = 1; back <= steadyRuns; back++) {
    const before = median(values.slice(0, values.length - back));
    if (!(Math.abs(before - last) <= steadyWithin * last)) return false;
  }
  return true;
}
