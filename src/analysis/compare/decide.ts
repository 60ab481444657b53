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

/** Lines that an interval must lie beyond to say slower, or between to say same. */
interface Lines {
  readonly alarm: number;
  readonly same: number;
}

const mirrored = ({ estimate, low, high }: Interval): Interval => ({ estimate: -estimate, low: -high, high: -low });

function between(interval: Interval, isSlower: (interval: Interval) => boolean, same: number): TimeVerdict {
  if (isSlower(interval)) return 'slower';
  if (isSlower(mirrored(interval))) return 'faster';
  return interval.low > -same && interval.high < same ? 'same' : 'undecided';
}

/**
 * The verdict of one sitting that stands alone. With t, the smallest change that matters: `slower` when the whole interval
 * lies above t / 2 for runs by turns, so that a change of t is found, and processes that differ by 2% for good (memory
 * layout) raise no alarm at a t of 5%. Above t for separate sittings, since more than the event differs between them.
 */
export function decideAlone(interval: Interval, threshold: number, paired: boolean): Decision {
  const lines: Lines = { alarm: paired ? threshold / 2 : threshold, same: threshold };
  return { ...interval, verdict: between(interval, ({ low }) => low > lines.alarm, lines.same) };
}

/**
 * The verdict of a first of two sittings, which lets through what may be a change of t although the processes hide a part
 * of it: `slower` above t / 4, once the interval is narrower than 3/4 t, or above t at once; `same` within 3/4 t.
 */
export function decideFirst(interval: Interval, threshold: number): Decision {
  const isSlower = ({ low, high }: Interval) =>
    low > threshold || (low > threshold / 4 && high - low < 0.75 * threshold);
  return { ...interval, verdict: between(interval, isSlower, 0.75 * threshold) };
}

/**
 * The verdict of the second of two sittings on what the first found: `slower` when both intervals lie above 0, which is
 * what the error rate holds for, and that of their mean above t / 2, which the processes of two sittings, different for
 * good by 1% on average, do not reach; `same` when the mean's lies within 3/4 t. The interval returned is the mean's: its
 * half-width is that of two independent estimates.
 */
export function decideSecond(first: Interval, second: Interval, threshold: number): Decision {
  const estimate = (first.estimate + second.estimate) / 2;
  const mean: Interval = {
    estimate,
    low: estimate - Math.hypot(first.estimate - first.low, second.estimate - second.low) / 2,
    high: estimate + Math.hypot(first.high - first.estimate, second.high - second.estimate) / 2,
  };
  const isBeyond = first.low > 0 ? second.low > 0 : second.high < 0;
  const verdict = between(mean, ({ low }) => isBeyond && low > threshold / 2, 0.75 * threshold);
  return { ...mean, verdict };
}

/** The interval of a change; null where it has none. */
export const intervalOf = ({ deltaNs, lowNs, highNs }: TimeChange): Interval | null =>
  deltaNs === null || lowNs === null || highNs === null ? null : { estimate: deltaNs, low: lowNs, high: highNs };
