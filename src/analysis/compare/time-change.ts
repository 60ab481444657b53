import type { TimeChange, TimeVerdict } from '../../model/comparison.ts';
import { unpairedShift } from './rank-sum.ts';
import type { Shift } from './shift.ts';
import { pairedShift } from './signed-rank.ts';

/** An event's time on one side. */
export interface SideTime {
  /** Null when it could not be measured. */
  readonly medianNs: number | null;
  /** Per run, in run order; null where a run has no value. */
  readonly samplesNs: readonly (number | null)[];
  /** Why it is not known, or why no run of it can be trusted; else null. */
  readonly problem: string | null;
}

export interface TimeRule {
  /** Part of base, 0 to 1. */
  readonly threshold: number;
  readonly minChangeNs: number;
  /** Whether run i of one side stands beside run i of the other (A B B A). */
  readonly paired: boolean;
  /** Two-sided error rate of this event's interval. */
  readonly alpha: number;
}

const none = { deltaNs: null, lowNs: null, highNs: null, thresholdNs: null, verdict: null } as const;

/** What is said of an event whose times are not compared. */
export const notCompared = (baseNs: number | null, newNs: number | null, reason: string): TimeChange => ({
  ...none,
  baseNs,
  newNs,
  reason,
});

/** The smallest change that matters for an event. */
const thresholdOf = (baseNs: number, { threshold, minChangeNs }: Pick<TimeRule, 'threshold' | 'minChangeNs'>): number =>
  Math.max(threshold * baseNs, minChangeNs);

/** Whether an event is so short on both sides that no change of it can matter. */
export const isTooSmall = (base: SideTime, next: SideTime, minChangeNs: number): boolean =>
  base.medianNs !== null &&
  next.medianNs !== null &&
  base.medianNs < minChangeNs / 2 &&
  next.medianNs < minChangeNs / 2;

/** Whether a verdict will be given, so that the event shares the error rate with others. */
export const isJudged = (base: SideTime, next: SideTime, minChangeNs: number): boolean =>
  base.medianNs !== null && next.medianNs !== null && !isTooSmall(base, next, minChangeNs);

/**
 * New less base, one value for two consecutive pairs of runs (A B B A). The run that follows a run of the other side is
 * slower, by 5% on llvmpipe where two processes share a core, and that is the second run of each pair; over both pairs it
 * cancels, and the values no longer depend on each other.
 */
function differencesOf(base: SideTime['samplesNs'], next: SideTime['samplesNs']): number[] {
  const differences: number[] = [];
  for (let run = 0; run + 1 < Math.min(base.length, next.length); run += 2) {
    const [a, b, c, d] = [base[run], next[run], base[run + 1], next[run + 1]];
    if (a !== null && b !== null && c !== null && d !== null) differences.push((b - a + d - c) / 2);
  }
  return differences;
}

const known = (samples: SideTime['samplesNs']): number[] => samples.filter((value) => value !== null);

function shiftOf(base: SideTime, next: SideTime, { paired, alpha }: TimeRule): Shift | null {
  if (paired) {
    const differences = differencesOf(base.samplesNs, next.samplesNs);
    return differences.length === 0 ? null : pairedShift(differences, alpha);
  }
  const [before, after] = [known(base.samplesNs), known(next.samplesNs)];
  return before.length === 0 || after.length === 0 ? null : unpairedShift(before, after, alpha);
}

function verdictOf(low: number, high: number, threshold: number, alarm: number): TimeVerdict {
  if (low > alarm) return 'slower';
  if (high < -alarm) return 'faster';
  return low > -threshold && high < threshold ? 'same' : 'undecided';
}

function undecidedReason(low: number, high: number, threshold: number): string {
  if (low > -threshold) return 'the runs do not tell whether it is slower';
  return high < threshold
    ? 'the runs do not tell whether it is faster'
    : 'the runs tell neither that it is slower nor that it is faster';
}

/**
 * The decision on one event. With t, the smallest change that matters (`threshold` of base, at least `minChangeNs`), and
 * the interval of the change that holds at `alpha`: `same` when it lies within -t and t; `slower` when all of it lies above
 * the alarm line, `faster` when all lies below; else `undecided`. The alarm line of runs in one sitting is t / 2: a change
 * of t is then found once the interval is narrower than t, and two processes that differ by a few per cent for good
 * (memory layout) raise no alarm. Of separate sittings it is t, since more than the event differs between them.
 */
export function timeChange(base: SideTime, next: SideTime, rule: TimeRule): TimeChange {
  const { medianNs: baseNs } = base;
  const { medianNs: newNs } = next;
  if (baseNs === null || newNs === null) {
    const [side, { problem }] = baseNs === null ? ['base', base] : ['new', next];
    return notCompared(baseNs, newNs, `no time in ${side}: ${problem ?? 'it was not measured'}`);
  }
  const thresholdNs = thresholdOf(baseNs, rule);
  const change = { baseNs, newNs, deltaNs: newNs - baseNs, lowNs: null, highNs: null, thresholdNs };
  if (isTooSmall(base, next, rule.minChangeNs))
    return { ...change, verdict: 'same', reason: 'below the smallest change that matters' };
  const shift = shiftOf(base, next, rule);
  if (shift === null || shift.low === null || shift.high === null)
    return { ...change, verdict: 'undecided', reason: 'too few runs for an interval' };
  const { estimate: deltaNs, low: lowNs, high: highNs } = shift;
  const interval = { ...change, deltaNs, lowNs, highNs };
  const problem = base.problem ?? next.problem;
  if (problem !== null) return { ...interval, verdict: 'undecided', reason: problem };
  const verdict = verdictOf(lowNs, highNs, thresholdNs, rule.paired ? thresholdNs / 2 : thresholdNs);
  return { ...interval, verdict, reason: verdict === 'undecided' ? undecidedReason(lowNs, highNs, thresholdNs) : null };
}
