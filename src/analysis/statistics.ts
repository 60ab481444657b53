import { median } from '../model/median.ts';
import type { Statistics } from '../model/report.ts';

/**
 * Ranks (from 1) of the order statistics that hold the median with at least 95% confidence: the largest k with
 * 2 * P(Binomial(n, 1/2) < k) <= 5%, and n + 1 - k. Below six values no such k exists and the ranks are 1 and n.
 */
export function medianRanks(count: number): readonly [number, number] {
  let logTerm = -count * Math.LN2;
  let below = Math.exp(logTerm);
  let rank = 1;
  for (let next = 1; next < count / 2; next++) {
    if (2 * below > 0.05) break;
    rank = next;
    logTerm += Math.log((count - next + 1) / next);
    below += Math.exp(logTerm);
  }
  return [rank, count + 1 - rank];
}

/** Of a single finite value, in its own unit. */
export const statisticsOfOne = (value: number): Statistics => ({
  median: value,
  min: value,
  max: value,
  mad: 0,
  low95: value,
  high95: value,
  runs: 1,
});

/** Statistics of the values that are finite numbers, in the values' own unit; null when none is. */
export function statisticsOf(values: Iterable<number | null>): Statistics | null {
  const sorted: number[] = [];
  for (const value of values) if (value !== null && Number.isFinite(value)) sorted.push(value);
  if (sorted.length === 0) return null;
  if (sorted.length === 1) return statisticsOfOne(sorted[0]);
  sorted.sort((a, b) => a - b);
  const middle = median(sorted);
  const [low, high] = medianRanks(sorted.length);
  return {
    median: middle,
    min: sorted[0],
    max: sorted[sorted.length - 1],
    mad: median(sorted.map((value) => Math.abs(value - middle))),
    low95: sorted[low - 1],
    high95: sorted[high - 1],
    runs: sorted.length,
  };
}
