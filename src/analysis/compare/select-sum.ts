/** How many sums are at most the bound, the largest of those and the smallest above. */
interface Cut {
  count: number;
  below: number;
  above: number;
}

/** Sums of every entry of `a` with every entry of `b`, both ascending; with `isTriangle` (a is b) each pair once. */
function cut(a: Float64Array, b: Float64Array, isTriangle: boolean, bound: number, into: Cut): void {
  let count = 0;
  let twins = 0;
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  let end = b.length;
  for (let row = 0; row < a.length; row++) {
    while (end > 0 && a[row] + b[end - 1] > bound) end--;
    if (end > 0) below = Math.max(below, a[row] + b[end - 1]);
    if (end < b.length) above = Math.min(above, a[row] + b[end]);
    count += end;
    if (isTriangle && 2 * a[row] <= bound) twins++;
  }
  into.count = isTriangle ? (count + twins) / 2 : count;
  into.below = below;
  into.above = above;
}

/**
 * The rank-th smallest (from 1) of the sums of every entry of `a` with every entry of `b`, both ascending. With
 * `isTriangle` both are the same array and each pair of entries counts once, entries with themselves included.
 * Halves the range of values, always from one sum to another, so that it is exact; the sums are never built.
 */
export function selectSum(a: Float64Array, b: Float64Array, isTriangle: boolean, rank: number): number {
  let low = a[0] + b[0];
  let high = a[a.length - 1] + b[b.length - 1];
  const at: Cut = { count: 0, below: 0, above: 0 };
  while (low < high) {
    const middle = low + (high - low) / 2;
    cut(a, b, isTriangle, middle < high ? middle : low, at);
    if (at.count >= rank) high = at.below;
    else low = at.above;
  }
  return high;
}

/** The median of the same sums. */
export function medianSum(a: Float64Array, b: Float64Array, isTriangle: boolean): number {
  const count = isTriangle ? (a.length * (a.length + 1)) / 2 : a.length * b.length;
  const middle = Math.ceil(count / 2);
  const lower = selectSum(a, b, isTriangle, middle);
  return count % 2 === 1 ? lower : (lower + selectSum(a, b, isTriangle, middle + 1)) / 2;
}
