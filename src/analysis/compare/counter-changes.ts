import type { CounterChange } from '../../model/comparison.ts';
import type { CounterInfo } from '../../model/counter.ts';
import type { CounterCell, NodeReport } from '../../model/report.ts';
import type { ComparableCounters } from './comparable-counters.ts';
import { counterChange } from './counter-change.ts';

const uncounted: CounterCell = { value: null, samples: [], status: 'failed', reason: 'it was not counted' };

interface Counted {
  readonly info: CounterInfo;
  readonly note: string | null;
  /** By value, what is said of an event that has it on both sides: most do not change, and there may be a million. */
  readonly same: Map<number, CounterChange>;
}

/** How the counters of events changed, all that are compared. */
export class CounterChanges {
  readonly #counted: readonly Counted[];
  /** With all ids, to be copied: so all records have one shape, and are made in a tenth of the time. */
  readonly #empty: Readonly<Record<string, CounterChange | null>>;

  constructor({ counters, notes }: ComparableCounters) {
    this.#counted = counters.map((info) => ({ info, note: notes.get(info.id) ?? null, same: new Map() }));
    this.#empty = Object.fromEntries(counters.map(({ id }) => [id, null]));
  }

  /** By counter id. An event of both sides that is counted on one is unknown on the other, not nothing. */
  of(base: NodeReport | undefined, next: NodeReport | undefined): Readonly<Record<string, CounterChange>> {
    const changes = { ...this.#empty };
    for (const counted of this.#counted) {
      const { info, note } = counted;
      const [from, to] = [base?.counters?.[info.id], next?.counters?.[info.id]];
      const isOnBoth = base && next && (from || to);
      changes[info.id] = isOnBoth
        ? change(counted, from ?? uncounted, to ?? uncounted)
        : counterChange(info, from, to, note);
    }
    return changes as Readonly<Record<string, CounterChange>>;
  }
}

function change({ info, note, same }: Counted, from: CounterCell, to: CounterCell): CounterChange {
  const { value } = from;
  if (typeof value !== 'number' || value !== to.value || from.status !== 'ok' || to.status !== 'ok')
    return counterChange(info, from, to, note);
  let found = same.get(value);
  if (!found) {
    found = counterChange(info, from, to, note);
    same.set(value, found);
  }
  return found;
}
