/** The counters that changed, as columns of text below the times. */
import type { Comparison, CounterChange } from '../../model/comparison.ts';
import type { CounterInfo, CounterValue } from '../../model/counter.ts';
import type { CounterColumnText, CounterTable } from '../counter-columns.ts';
import { styleOf, type ValueStyle } from '../counter-values.ts';
import { printable } from '../printable.ts';
import { marks, none } from '../table-columns.ts';
import { shorten } from '../text.ts';
import type { ComparedFrameCells } from './cells.ts';
import type { CompareReportOptions } from './options.ts';

const widestHead = 80;
const mostReasons = 5;
const mostPart = 0.6;

interface ChangeTexts {
  readonly base: string;
  readonly new: string;
  readonly delta: string;
}

const empty: ChangeTexts = { base: '', new: '', delta: '' };

/** Whether there is anything to show: a verdict, or values that differ though nothing can be said of that. */
function isChange({ base, new: next, verdict }: CounterChange): boolean {
  if (verdict === 'more' || verdict === 'fewer' || verdict === 'differs') return true;
  return verdict === 'unknown' && base !== null && next !== null && base !== next;
}

/** Sizes in the unit of the smallest change, so that none reads as nothing; other values as in a report. */
function changeStyle(counter: CounterInfo, changes: readonly CounterChange[], unit: CompareReportOptions['unit']) {
  const values: CounterValue[] = changes.flatMap(({ base, new: next }) => [base, next]);
  if (counter.unit !== 'bytes') return styleOf(counter, values, unit);
  let smallest = Number.POSITIVE_INFINITY;
  for (const { delta } of changes) if (delta) smallest = Math.min(smallest, Math.abs(Number(delta)));
  return styleOf(counter, Number.isFinite(smallest) ? [smallest] : values, unit);
}

const valueText = (value: CounterValue, style: ValueStyle): string => {
  if (value === null) return none;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : style.text(value);
};

function changeTexts(change: CounterChange | undefined, style: ValueStyle): ChangeTexts {
  if (!change) return empty;
  const { delta, verdict } = change;
  // What is there on one side only, or the same on both, is one value.
  if (!isChange(change)) return { ...empty, new: valueText(change.new ?? change.base, style) };
  const mark = verdict === 'unknown' ? marks.questionable : '';
  const size = delta === null ? '' : `${delta < 0 ? '-' : '+'}${style.text(delta < 0 ? -delta : delta)}`;
  return { base: valueText(change.base, style), new: valueText(change.new, style), delta: mark + size };
}

/** `base → new  change`, below each other; where that is too wide the new value and the change, or the change alone. */
function aligned(texts: readonly ChangeTexts[], most: number): string[] {
  const widest = (of: keyof ChangeTexts) => texts.reduce((width, each) => Math.max(width, each[of].length), 0);
  const [base, next, delta] = [widest('base'), widest('new'), widest('delta')];
  const isShort = base + 3 + next + 2 + delta > most;
  const isShortest = next + 2 + delta > most;
  return texts.map((each) => {
    const change = each.delta.padStart(delta);
    if (isShortest) return change;
    const start = isShort || base === 0 ? '' : `${each.base.padStart(base)}${each.base === '' ? '   ' : ' → '}`;
    return start + each.new.padStart(next) + (delta === 0 ? '' : `  ${change}`);
  });
}

/** The same for itself, as Markdown wants it. */
const alone = ({ base, new: next, delta }: ChangeTexts): string =>
  `${base === '' ? '' : `${base} → `}${next}${delta === '' ? '' : ` (${delta})`}`;

function reasonNotes(changes: readonly (CounterChange | undefined)[], name: string): string[] {
  const reasons = new Set<string>();
  for (const change of changes)
    if (change?.verdict === 'unknown' && isChange(change)) reasons.add(change.reason ?? 'no reason given');
  return [...reasons].map((reason) => `${marks.questionable} ${name} is not judged: ${printable(reason)}`);
}

/** Those of which something is shown anywhere in the comparison. */
export const changedCounters = ({ counters, frames }: Comparison): readonly CounterInfo[] =>
  counters.filter(({ id }) =>
    frames.some(({ nodes }) => nodes.some(({ counters }) => counters[id] && isChange(counters[id]))),
  );

/**
 * A table for each set of which a counter changed anywhere in the comparison. `width` of the terminal, or null for no
 * limit; undefined for texts that need not stand below each other.
 */
export function* comparedCounters(
  { rows }: ComparedFrameCells,
  comparison: Comparison,
  { unit, width }: { readonly unit: CompareReportOptions['unit']; readonly width?: number | null },
): Generator<CounterTable> {
  const changed = changedCounters(comparison);
  for (const set of new Set(changed.map((counter) => counter.set))) {
    const notes: string[] = [];
    const columns = changed.flatMap((counter): CounterColumnText[] => {
      if (counter.set !== set) return [];
      const changes = rows.map(({ row }) => row.node.counters[counter.id] as CounterChange | undefined);
      const style = changeStyle(
        counter,
        changes.filter((change) => change !== undefined),
        unit,
      );
      const name = shorten(printable(counter.name), widestHead) || none;
      notes.push(...reasonNotes(changes, name));
      const texts = changes.map((change) => changeTexts(change, style));
      return [
        {
          head: `${name}${style.unit && ` ${style.unit}`}`,
          texts:
            width === undefined
              ? texts.map(alone)
              : aligned(texts, Math.floor((width ?? Number.POSITIVE_INFINITY) * mostPart)),
          statuses: changes.map((change) => change?.verdict ?? 'same'),
        },
      ];
    });
    const more = notes.length - mostReasons;
    const told = more > 0 ? [...notes.slice(0, mostReasons), `${more} more in the JSON`] : notes;
    yield { name: printable(set), how: '', columns, notes: told };
  }
}
