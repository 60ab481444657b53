import type { CounterChange } from '../../model/comparison.ts';
import type { CounterInfo } from '../../model/counter.ts';
import type { CounterCell } from '../../model/report.ts';

/**
 * How a counter of an event changed. `undefined` stands for an event that is not there; `note` is what is to be said of
 * every value of this counter ({@link ComparableCounters}).
 */
export function counterChange(
  info: CounterInfo,
  base: CounterCell | undefined,
  next: CounterCell | undefined,
  note: string | null = null,
): CounterChange {
  void info;
  return { base: base?.value ?? null, new: next?.value ?? null, delta: null, verdict: 'unknown', reason: note };
}
