import type { TimeChange } from '../../model/comparison.ts';
import { type Decision, decideAlone, decideFirst, decideSecond, type Interval, intervalOf } from './decide.ts';
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
  /** As of CompareOptions; for the second sitting what the first said of this event. */
  readonly sitting: 'single' | 'first' | TimeChange;
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

function decide(interval: Interval, thresholdNs: number, { sitting, paired }: TimeRule): Decision {
  if (sitting === 'single') return decideAlone(interval, thresholdNs, paired);
  const first = sitting === 'first' ? null : intervalOf(sitting);
  return first ? decideSecond(first, interval, thresholdNs) : decideFirst(interval, thresholdNs);
}

function undecidedReason({ low, high }: Interval, threshold: number): string {
  if (low > -threshold) return 'the runs do not tell whether it is slower';
  return high < threshold
    ? 'the runs do not tell whether it is faster'
    : 'the runs tell neither that it is slower nor that it is faster';
}

/** The decision on one event, from the interval of its change that holds at `alpha`: by the rules of decide.ts. */
export function timeChange(base: SideTime, next: SideTime, rule: TimeRule): TimeChange {
  const { medianNs: baseNs } = base;
  const { medianNs: newNs } = next;
  if (baseNs === null || newNs === null) {
    const [side, { problem }] = baseNs === null ? ['base', base] : ['new', next];
    return notCompared(baseNs, newNs, `no time in ${side}: ${problem ?? 'it was not measured'}`);
  }
  const thresholdNs = thresholdOf(baseNs, rule);
  const plain = (verdict: TimeChange['verdict'], reason: string): TimeChange => ({
    baseNs,
    newNs,
    deltaNs: newNs - baseNs,
    lowNs: null,
    highNs: null,
    thresholdNs,
    verdict,
    reason,
  });
  if (isTooSmall(base, next, rule.minChangeNs)) return plain('same', 'below the smallest change that matters');
  const shift = shiftOf(base, next, rule);
  if (shift === null || shift.low === null || shift.high === null)
    return plain('undecided', 'too few runs for an interval');
  const { estimate, low, high } = shift;
  const decision = decide({ estimate, low, high }, thresholdNs, rule);
  const problem = base.problem ?? next.problem;
  const verdict = problem === null ? decision.verdict : 'undecided';
  return {
    baseNs,
    newNs,
    deltaNs: decision.estimate,
    lowNs: decision.low,
    highNs: decision.high,
    thresholdNs,
    verdict,
    reason: problem ?? (verdict === 'undecided' ? undecidedReason(decision, thresholdNs) : null),
  };
}
