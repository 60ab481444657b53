/** Times beside limits. */
import type { ComparedNode, TimeChange } from '../../model/comparison.ts';
import { changeText, quantityText } from '../../model/quantity-text.ts';
import type { Statistics } from '../../model/report.ts';
import type { Limit } from './limit.ts';
import type { Judged, Outcome } from './outcome.ts';

/** An event's time as measured now, and how it changed. */
export interface TimeFacts {
  readonly statistics: Statistics | null;
  /** Why there is no value, or a doubtful one. */
  readonly problem: string | null;
  /** `of CPU time`, or nothing. */
  readonly kind: string;
  /** Null where nothing was compared. */
  readonly change: { readonly match: ComparedNode['match']; readonly time: TimeChange } | null;
  /** Why there is no change to speak of. */
  readonly unknown: string;
  /** Why there is a base, but none to compare with; null when there is none of that. */
  readonly incomparable: string | null;
}

/** With the times that its text tells; null where it tells none. */
export interface JudgedTime extends Judged {
  readonly baseNs: number | null;
  readonly valueNs: number | null;
}

const time = (ns: number): string => quantityText(ns, 'ns');

const endings: Readonly<Record<Exclude<Outcome, 'unmeasured'>, (limit: Limit) => string>> = {
  within: ({ text }) => `is within ${text}`,
  over: ({ text }) => `is over the limit of ${text}`,
  undecided: ({ text }) => `may be over ${text} or not, the runs do not say`,
};

/** A time of now, as it is told. */
interface Value {
  readonly text: string;
  readonly valueNs: number;
  readonly baseNs?: number | null;
}

const judged = (
  limit: Limit,
  outcome: Exclude<Outcome, 'unmeasured'>,
  { text, valueNs, baseNs = null }: Value,
  why = '',
): JudgedTime => ({
  limit,
  outcome,
  text: `${text} ${endings[outcome](limit)}${why === '' ? '' : `: ${why}`}`,
  valueNs,
  baseNs,
});

const unmeasured = (limit: Limit, text: string): JudgedTime => ({
  limit,
  outcome: 'unmeasured',
  text,
  valueNs: null,
  baseNs: null,
});

/** A limit is broken when the whole interval lies over it, and holds when none of it does. */
function beside(low: number, high: number, limitNs: number): 'within' | 'over' | 'undecided' {
  if (low > limitNs) return 'over';
  return high <= limitNs ? 'within' : 'undecided';
}

function absolute(limit: Limit & { kind: 'absolute' }, { statistics, problem, kind }: TimeFacts): JudgedTime {
  if (!statistics) return unmeasured(limit, `could not be timed: ${problem ?? 'there is no value'}`);
  const { median, low95, high95 } = statistics;
  const value = { text: `${time(median)}${kind} (between ${time(low95)} and ${time(high95)})`, valueNs: median };
  if (problem !== null) return judged(limit, 'undecided', value, problem);
  return judged(limit, beside(low95, high95, limit.value), value);
}

/**
 * A change is over the limit when it matters (`slower`) and all of its interval lies over; and within when it does not
 * matter (`same`), or all of its interval lies under the limit or under the smallest change that matters.
 */
function changeOutcome(change: TimeChange, allowedNs: number): 'within' | 'over' | 'undecided' {
  const { lowNs, highNs, thresholdNs, verdict } = change;
  if (verdict === 'same' || verdict === 'faster') return 'within';
  if (lowNs === null || highNs === null) return 'undecided';
  if (verdict === 'slower' && lowNs > allowedNs) return 'over';
  return highNs <= Math.max(allowedNs, thresholdNs ?? 0) ? 'within' : 'undecided';
}

function relative(limit: Exclude<Limit, { kind: 'absolute' }>, facts: TimeFacts): JudgedTime {
  const { statistics, problem, kind, change, unknown, incomparable } = facts;
  const plain = ({ median }: Statistics, more = '') => ({ text: `${time(median)}${kind}${more}`, valueNs: median });
  if (statistics && incomparable !== null) return judged(limit, 'undecided', plain(statistics), incomparable);
  if (!change) return unmeasured(limit, `could not be compared: ${unknown}`);
  if (change.match === 'new') {
    if (!statistics) return unmeasured(limit, `could not be timed: ${problem ?? 'there is no value'}`);
    const outcome = beside(statistics.low95, statistics.high95, limit.kind === 'more' ? limit.value : 0);
    return judged(limit, outcome, plain(statistics, ' of a new event'));
  }
  const { baseNs, newNs, deltaNs, lowNs, highNs, verdict, reason } = change.time;
  if (newNs === null || baseNs === null)
    return unmeasured(limit, `could not be compared: ${reason ?? 'there is no value'}`);
  const interval =
    lowNs === null || highNs === null ? '' : `, between ${changeText(lowNs, 'ns')} and ${changeText(highNs, 'ns')}`;
  const text = `${time(newNs)}${kind} after ${time(baseNs)}${deltaNs === null ? '' : ` (${changeText(deltaNs, 'ns')}${interval})`}`;
  if (verdict === null) return unmeasured(limit, `could not be compared: ${reason ?? 'times are not compared'}`);
  const allowedNs = limit.kind === 'more' ? limit.value : (baseNs * limit.percent) / 100;
  const why = verdict === 'undecided' ? (reason ?? '') : '';
  return judged(limit, changeOutcome(change.time, allowedNs), { text, valueNs: newNs, baseNs }, why);
}

export const judgeTime = (limit: Limit, facts: TimeFacts): JudgedTime =>
  limit.kind === 'absolute' ? absolute(limit, facts) : relative(limit, facts);
