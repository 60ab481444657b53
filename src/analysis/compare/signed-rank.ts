import { medianSum, selectSum } from './select-sum.ts';
import { normalQuantile, type Shift } from './shift.ts';

/** Beyond this many differences the normal approximation is used; it errs on the safe side there, by about 1% of the value. */
const exactUpTo = 200;

const known = new Map<string, number>();

/** Adds up the probabilities of the rank sums 0, 1, 2... until they pass `tail`; -1 when the first one does. */
function exactValue(count: number, tail: number): number {
  const sums = (count * (count + 1)) / 2;
  const chance = new Float64Array(sums + 1);
  chance[0] = 1;
  // Each rank is in the sum or not, with probability 1/2.
  for (let rank = 1; rank <= count; rank++)
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum--)
      chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
  let below = 0;
  for (let sum = 0; sum <= sums; sum++) {
    below += chance[sum];
    if (below > tail) return sum - 1;
  }
  return sums;
}

/**
 * Critical value of Wilcoxon's signed-rank test: the largest rank sum T with P(sum <= T) <= alpha / 2 when there is no
 * difference; -1 when there is none. Exact up to 200 differences, beyond by the normal approximation with continuity
 * correction (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3.1).
 */
export function signedRankCritical(count: number, alpha: number): number {
  const key = `${count} ${alpha}`;
  let value = known.get(key);
  if (value === undefined) {
    const mean = (count * (count + 1)) / 4;
    const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
    value =
      count <= exactUpTo
        ? exactValue(count, alpha / 2)
        : Math.floor(mean - normalQuantile(alpha / 2) * deviation - 0.5);
    known.set(key, value);
  }
  return value;
}

/**
 * Shift of paired differences (in any order; at least one): the median of their Walsh averages, and the interval that
 * inverts Wilcoxon's signed-rank test at the two-sided error rate `alpha` (Hollander, Wolfe and Chicken, 3.3). It
 * supposes differences that are symmetric about the shift, nothing else: outliers, ties and zeros only widen it.
 */
export function pairedShift(differences: Iterable<number>, alpha: number): Shift {
  const sorted = Float64Array.from(differences).sort();
  const estimate = medianSum(sorted, sorted, true) / 2;
  const critical = signedRankCritical(sorted.length, alpha);
  if (critical < 0) return { estimate, low: null, high: null };
  const averages = (sorted.length * (sorted.length + 1)) / 2;
  return {
    estimate,
    low: selectSum(sorted, sorted, true, critical + 1) / 2,
    high: selectSum(sorted, sorted, true, averages - critical) / 2,
  };
}
