import type { CounterChange, CounterVerdict } from '../../model/comparison.ts';
import { type CounterInfo, type CounterValue, exactNumber } from '../../model/counter.ts';
import type { CounterCell } from '../../model/report.ts';

/** Reports in JSON have whole numbers beyond 2^53 - 1 as decimal digits (report/SCHEMA.md); here they are numbers again. */
function counterValue(value: unknown): CounterValue {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? exactNumber(BigInt(value)) : null;
  if (typeof value === 'bigint') return exactNumber(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Kinds of which a higher value is more of something. */
const amounts: ReadonlySet<CounterInfo['kind']> = new Set(['sum', 'distinct', 'maximum']);

function difference(base: CounterValue, next: CounterValue): number | bigint | null {
  if (base === null || next === null || typeof base === 'boolean' || typeof next === 'boolean') return null;
  const isWhole = [base, next].every((value) => typeof value === 'bigint' || Number.isInteger(value));
  return isWhole ? exactNumber(BigInt(next) - BigInt(base)) : Number(next) - Number(base);
}

/** Why a cell's value proves nothing, one clause; null when it does. */
function doubtOf(side: string, cell: CounterCell | undefined): string | null {
  if (!cell || cell.status === 'ok') return null;
  return `${side} is ${cell.status}${cell.reason === null ? '' : `: ${cell.reason}`}`;
}

function verdictOf(
  { kind }: CounterInfo,
  base: CounterValue,
  next: CounterValue,
  delta: number | bigint | null,
): CounterVerdict {
  if (delta === null) return base === next ? 'same' : 'differs';
  if (delta === 0) return 'same';
  if (!amounts.has(kind)) return 'differs';
  return delta > 0 ? 'more' : 'fewer';
}

/** Nothing of what is counted, as an event has it that is not there. */
const nothing = (other: CounterValue): CounterValue => (typeof other === 'boolean' ? false : 0);

/**
 * How a counter of an event changed. `undefined` stands for an event that is not there: it does no work, so that of a new
 * event is `more` and that of a gone one `fewer`, where it is not 0. Only values of exact counters that are beyond doubt
 * are judged, and any difference counts. `note` is what is to be said of every value of this counter
 * ({@link ComparableCounters}).
 */
export function counterChange(
  info: CounterInfo,
  base: CounterCell | undefined,
  next: CounterCell | undefined,
  note: string | null = null,
): CounterChange {
  const [from, to] = [base ? counterValue(base.value) : null, next ? counterValue(next.value) : null];
  const change = (verdict: CounterVerdict, delta: number | bigint | null, reason: string | null): CounterChange => ({
    base: from,
    new: to,
    delta,
    verdict,
    reason: [reason, note].filter((text) => text !== null).join('; ') || null,
  });
  const before = base ? from : nothing(to);
  const after = next ? to : nothing(from);
  const delta = difference(before, after);
  if (!base && !next) return change('unknown', null, 'it was not measured');
  const doubts = [doubtOf('base', base), doubtOf('new', next)].filter((doubt) => doubt !== null);
  if (doubts.length > 0) return change('unknown', delta, doubts.join('; '));
  if (!info.exact) return change('unknown', delta, 'it is not the same in every run, so a difference proves nothing');
  // What has no value by right, on a side where the event is.
  const without = [base, next].find((cell) => cell && counterValue(cell.value) === null);
  if (!without) return change(verdictOf(info, before, after, delta), delta, null);
  if (!base || !next) return change('same', null, without.reason);
  if (from === null && to === null) return change('same', null, without.reason);
  return change(
    'differs',
    null,
    `${without === base ? 'base' : 'new'} has no value: ${without.reason ?? 'none is due'}`,
  );
}
