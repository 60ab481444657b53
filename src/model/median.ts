/** Middle of the values, or the mean of the middle two; NaN when there are none. The values may be in any order. */
export function median(values: Iterable<number>): number {
  if (Array.isArray(values) && values.length === 1) return values[0];
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
