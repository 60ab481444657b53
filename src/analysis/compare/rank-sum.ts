import { medianSum, selectSum } from './select-sum.ts';
import { normalQuantile, type Shift } from './shift.ts';

/** Steps that the exact distribution may take: 100 against 100 values, or 10 against 10,000. */
const exactSteps = 1e6;

const known = new Map<string, number>();

/** Adds up the probabilities of the Mann-Whitney counts 0, 1, 2... until they pass `tail`; -1 when the first one does. */
function exactValue(m: number, n: number, tail: number): number {
  const counts = m * n;
  // The coefficients of the Gaussian binomial m + n over m, the product of (1 - q^(n + part)) / (1 - q^part), over their sum.
  const chance = new Float64Array(counts + 1);
  chance[0] = 1;
  for (let part = 1; part <= m; part++) {
    const scale = part / (n + part);
    for (let count = counts; count >= n + part; count--) chance[count] -= chance[count - n - part];
    for (let count = part; count <= counts; count++) chance[count] += chance[count - part];
    for (let count = 0; count <= counts; count++) chance[count] *= scale;
  }
  let below = 0;
  for (let count = 0; count <= counts; count++) {
    below += chance[count];
    if (below > tail) return count - 1;
  }
  return counts;
}

/**
 * Critical value of the Mann-Whitney test of m against n values: the largest U with P(count <= U) <= alpha / 2 when
 * there is no difference; -1 when there is none. Exact for up to 100 values a side, beyond by the normal approximation
 * with continuity correction (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 4.1).
 */
export function rankSumCritical(m: number, n: number, alpha: number): number {
  const key = `${m} ${n} ${alpha}`;
  let value = known.get(key);
  if (value === undefined) {
    const deviation = Math.sqrt((m * n * (m + n + 1)) / 12);
    value =
      m * n * Math.min(m, n) <= exactSteps
        ? exactValue(Math.min(m, n), Math.max(m, n), alpha / 2)
        : Math.max(-1, Math.floor((m * n) / 2 - normalQuantile(alpha / 2) * deviation - 0.5));
    known.set(key, value);
  }
  return value;
}

/**
 * By how much `after` lies above `before` (at least one value each, in any order): the median of all differences, and the
 * interval that inverts the Mann-Whitney test at the two-sided error rate `alpha` (Hollander, Wolfe and Chicken, 4.3).
 */
export function unpairedShift(before: readonly number[], after: readonly number[], alpha: number): Shift {
  // Copied one by one: Float64Array.from takes ten times as long for a few.
  const less = new Float64Array(before.length);
  const more = new Float64Array(after.length);
  for (let at = 0; at < less.length; at++) less[at] = -before[at];
  for (let at = 0; at < more.length; at++) more[at] = after[at];
  less.sort();
  more.sort();
  const estimate = medianSum(less, more, false);
  const critical = rankSumCritical(less.length, more.length, alpha);
  if (critical < 0) return { estimate, low: null, high: null };
  return {
    estimate,
    low: selectSum(less, more, false, critical + 1),
    high: selectSum(less, more, false, less.length * more.length - critical),
  };
}
