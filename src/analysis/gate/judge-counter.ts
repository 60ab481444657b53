/** Counters beside limits: exact, so a limit holds or it does not. */
import type { CounterChange } from '../../model/comparison.ts';
import type { CounterValue } from '../../model/counter.ts';
import { changeText, partText, quantityText, wholeText } from '../../model/quantity-text.ts';
import type { Limit } from './limit.ts';
import type { Judged } from './outcome.ts';

export interface CounterFacts {
  readonly name: string;
  readonly unit: string;
  readonly value: CounterValue;
  /** Why there is no value. */
  readonly reason: string | null;
  /** A new event's base is nothing; null where there is no base for another reason. */
  readonly change: Pick<CounterChange, 'base' | 'reason'> | 'new' | null;
  /** Why there is no base. */
  readonly unknown: string;
}

const numeric = (value: number | bigint | boolean): number | bigint =>
  typeof value === 'boolean' ? Number(value) : value;

/** New less base; exact also where one is beyond 2^53. */
function difference(value: number | bigint, base: number | bigint): number | bigint {
  if (typeof value === 'number' && typeof base === 'number') return value - base;
  return Number.isInteger(Number(value)) && Number.isInteger(Number(base))
    ? BigInt(value) - BigInt(base)
    : Number(value) - Number(base);
}

/** `16.0 KiB` and a limit of `16KB` are told apart by their bytes. */
const inBytes = (value: number | bigint, text: string, unit: string): string =>
  unit === 'bytes' && /[A-Za-z]$/.test(text) && !text.endsWith(' B') ? `${text} (${wholeText(value)} B)` : text;

const unmeasured = (limit: Limit, text: string): Judged => ({ limit, outcome: 'unmeasured', text });

export function judgeCounter(limit: Limit, facts: CounterFacts): Judged {
  const { name, unit, value, reason, change, unknown } = facts;
  if (value === null) return unmeasured(limit, `${name} could not be counted: ${reason ?? 'there is no value'}`);
  const now = `${name} ${quantityText(value, unit)}`;
  const judged = (over: boolean, text: string, allowed = limit.text): Judged => ({
    limit,
    outcome: over ? 'over' : 'within',
    text: `${text} ${over ? `is over the limit of ${allowed}` : `is within ${allowed}`}`,
  });
  if (limit.kind === 'absolute')
    return judged(
      numeric(value) > limit.value,
      inBytes(numeric(value), now, unit),
      inBytes(limit.value, limit.text, unit),
    );
  const base = change === 'new' ? 0 : (change?.base ?? null);
  if (base === null) {
    const why = (change !== 'new' && change?.reason) || unknown;
    return unmeasured(limit, `${name} could not be compared: ${why}`);
  }
  const from = numeric(base);
  const delta = difference(numeric(value), from);
  const over =
    limit.kind === 'more' ? delta > limit.value : Number(delta) * 100 > Math.abs(Number(from)) * limit.percent;
  if (change === 'new') return judged(over, `${now} of a new event`);
  const part = partText(delta, from);
  const changed =
    delta === 0 || delta === 0n ? 'as before' : `${changeText(delta, unit)}${part === null ? '' : `, ${part}`}`;
  return judged(over, `${now} after ${quantityText(base, unit)} (${changed})`);
}
