import type { TimeChange, TimeVerdict } from '../../model/comparison.ts';

/** An interval of a change and its middle, in nanoseconds. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface Decision extends Interval {
  readonly verdict: TimeVerdict;
}

const mirrored = ({ estimate, low, high }: Interval): Interval => ({ estimate: -estimate, low: -high, high: -low });

function between(interval: Interval, isSlower: (interval: Interval) => boolean, threshold: number): TimeVerdict {
  if (isSlower(interval)) return 'slower';
  if (isSlower(mirrored(interval))) return 'faster';
  return interval.low > -threshold && interval.high < threshold ? 'same' : 'undecided';
}

/**
 * The verdict of one sitting that stands alone. With t, the smallest change that matters: `slower` when the whole interval
 * lies above t / 2 for runs by turns, so that a change of t is found, and processes that differ by 2% for good (memory
 * layout) raise no alarm at a t of 5%. Above t for separate sittings, since more than the event differs between them.
 */
export function decideAlone(interval: Interval, threshold: number, paired: boolean): Decision {
  const alarm = paired ? threshold / 2 : threshold;
  return { ...interval, verdict: between(interval, ({ low }) => low > alarm, threshold) };
}

/**
 * The verdict of a first of two sittings, which lets through what may be a change of t although the processes hide a part
 * of it: `slower` when the whole interval lies above t / 4.
 */
export function decideFirst(interval: Interval, threshold: number): Decision {
  return { ...interval, verdict: between(interval, ({ low }) => low > threshold / 4, threshold) };
}

/** The mean of two independent estimates; half-widths add up as their squares do. */
function meanOf(first: Interval, second: Interval, firstEstimate: number): Interval {
  const estimate = (firstEstimate + second.estimate) / 2;
  return {
    estimate,
    low: estimate - Math.hypot(first.estimate - first.low, second.estimate - second.low) / 2,
    high: estimate + Math.hypot(first.high - first.estimate, second.high - second.estimate) / 2,
  };
}

/**
 * The verdict of the second of two sittings on what the first found: `slower` when both intervals lie above 0, which is
 * what the error rate holds for, and that of their mean above t / 2, which processes do not reach that differ for good by
 * 1%, as most do; `same` when the mean's lies within 3/4 t. One sitting in thirty has processes that differ by 10%: so the
 * first counts for t / 4 more than the second at most. The interval returned is the mean's.
 */
export function decideSecond(first: Interval, second: Interval, threshold: number): Decision {
  const isRise = first.estimate > 0;
  const most = second.estimate + (isRise ? threshold : -threshold) / 4;
  const mean = meanOf(first, second, isRise ? Math.min(first.estimate, most) : Math.max(first.estimate, most));
  const isBeyond = isRise ? first.low > 0 && second.low > 0 : first.high < 0 && second.high < 0;
  const isSlower = ({ low }: Interval) => isBeyond && low > threshold / 2;
  return { ...mean, verdict: between(mean, isSlower, 0.75 * threshold) };
}

/** The interval of a change; null where it has none. */
export const intervalOf = ({ deltaNs, lowNs, highNs }: TimeChange): Interval | null =>
  deltaNs === null || lowNs === null || highNs === null ? null : { estimate: deltaNs, low: lowNs, high: highNs };
