import type { CounterInfo } from '../../model/counter.ts';
import type { Report, Warning } from '../../model/report.ts';

export interface ComparableCounters {
  /** Those that both sides have and that are measured alike, in base's order. */
  readonly counters: readonly CounterInfo[];
  /** By counter id: what is to be said of each of its changes. */
  readonly notes: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
}

/** Which counters of two reports may be compared, and why the others may not. */
export function comparableCounters(base: Report, next: Report): ComparableCounters {
  const theirs = new Set((next.counters ?? []).flatMap(({ counters }) => counters.map(({ id }) => id)));
  const counters = (base.counters ?? []).flatMap((set) => set.counters).filter(({ id }) => theirs.has(id));
  return { counters, notes: new Map(), warnings: [] };
}
