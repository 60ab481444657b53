/** Runs are added by this factor from look to look. */
const growth = 1.4;
/** What of the error rate is left over for later looks, about: see {@link lookShare}. */
const persistence = 0.8;

/**
 * Part of the error rate that a look (from 1) may spend. All looks together spend 1, however many there are, so that
 * looking again and again raises no false alarms (Bonferroni over looks). The shares are a negative binomial distribution:
 * little for the first looks, which decide little, most for the fourth and fifth, and enough for the tenth. 0 is a single
 * final look, which spends all.
 */
export function lookShare(look: number): number {
  return look === 0 ? 1 : look * (1 - persistence) ** 2 * persistence ** (look - 1);
}

/**
 * Error rate, two-sided, of the interval of one event at a look (from 1; 0 for a single final one): the share of that
 * look, divided among the events that are judged (Bonferroni).
 */
export function alphaAt(look: number, familySize: number, rate: number): number {
  return (rate * lookShare(look)) / Math.max(1, familySize);
}

/**
 * Error rate of each of two sittings, of which the second judges afresh only what the first found: no false verdict gets
 * past both more often than `rate`, the product of theirs.
 */
export const sittingRate = (rate: number): number => Math.sqrt(rate);

/** Observations, two pairs each (time-change.ts), from which an interval at this error rate exists, 2 / 2^n <= alpha. */
export const fewestObservations = (alpha: number): number => Math.ceil(1 - Math.log2(alpha));

/**
 * Pairs of runs at which to look (from 1): the first where an interval can be given at all for this many events, then 1.4
 * times as many each time. Always even, since two pairs (A B B A) are one observation.
 */
export function nextLook(look: number, familySize: number, rate: number): number {
  const first = fewestObservations(alphaAt(1, familySize, rate));
  return 2 * Math.max(Math.round(first * growth ** (look - 1)), fewestObservations(alphaAt(look, familySize, rate)));
}
