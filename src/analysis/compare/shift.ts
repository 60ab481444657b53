/** By how much one set of values lies above another, in the values' own unit. */
export interface Shift {
  /** Hodges and Lehmann's estimate. */
  readonly estimate: number;
  /** Both null when so few values cannot reach the error rate. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * z with a probability of `tail` above it in the standard normal distribution, for tails up to 0.3: by bisection of
 * Laplace's continued fraction for Mills' ratio (Abramowitz and Stegun 26.2.14).
 */
export function normalQuantile(tail: number): number {
  let low = 0.5;
  let high = 40;
  for (let step = 0; step < 60; step++) {
    const z = (low + high) / 2;
    let fraction = z;
    for (let term = 200; term > 0; term--) fraction = z + term / fraction;
    const above = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / fraction;
    if (above > tail) low = z;
    else high = z;
  }
  return (low + high) / 2;
}
