/** The counters of one set as columns of text, for the formats that people read. */
import type { CounterVerdict } from '../model/comparison.ts';
import { isSameOrigin, originText } from '../model/counter-origin.ts';
import type { CounterCell, CounterSetReport, Report } from '../model/report.ts';
import { styleOf, type ValueStyle } from './counter-values.ts';
import type { FrameRows } from './frame-rows.ts';
import { printable } from './printable.ts';
import { marks, none } from './table-columns.ts';
import { shorten } from './text.ts';

const widestHead = 80;
const mostReasons = 5;
const unknown = 'no reason given';

/** How a value is to be taken: of a measurement, or of a comparison. */
export type ValueTone = CounterCell['status'] | CounterVerdict;

export interface CounterColumnText {
  /** Name and unit. */
  readonly head: string;
  /** In the order of the rows. */
  readonly texts: readonly string[];
  readonly statuses: readonly ValueTone[];
}

/** One set below the time table of a frame. */
export interface CounterTable {
  readonly name: string;
  /** How and on what it was measured. */
  readonly how: string;
  /** None when no row has a value of it: the notes say why. */
  readonly columns: readonly CounterColumnText[];
  readonly notes: readonly string[];
}

function cellText(cell: CounterCell | undefined, style: ValueStyle): string {
  if (!cell || cell.value === null) return cell?.status === 'failed' ? 'failed' : none;
  const { value, status } = cell;
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : style.text(value);
  return status === 'questionable' ? marks.questionable + text : text;
}

const times = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function howText({ source, passes, runs, origin, scope }: CounterSetReport, { environment }: Report): string {
  const parts: string[] = [];
  if (source === 'derived') parts.push('worked out from times and counters');
  else if (passes === 0 && source === 'memory') parts.push('from the capture alone');
  else if (passes > 0 && runs > 0)
    parts.push(`${passes} replay pass${passes === 1 ? '' : 'es'} × ${times(runs, 'run')}`);
  if (origin && !isSameOrigin(origin, environment)) parts.push(`measured on ${originText(origin)}`);
  if (scope === 'global') parts.push("with the work of the machine's other programs in it");
  return printable(parts.join(', '));
}

/** Every reason once, those of failed cells first. */
function reasonNotes(cells: readonly (readonly (CounterCell | undefined)[])[]): string[] {
  const reasons = { failed: new Set<string>(), questionable: new Set<string>() };
  for (const column of cells)
    for (const cell of column) if (cell && cell.status !== 'ok') reasons[cell.status].add(cell.reason ?? unknown);
  const notes = [
    ...[...reasons.failed].map((reason) => `failed: ${printable(reason)}`),
    ...[...reasons.questionable].map((reason) => `${marks.questionable} questionable: ${printable(reason)}`),
  ];
  const more = notes.length - mostReasons;
  return more > 0 ? [...notes.slice(0, mostReasons), `${times(more, 'more reason')} in the JSON report`] : notes;
}

/** A frame's rows as a table for each set of the report. */
export function* counterTables({ rows, options }: FrameRows, report: Report): Generator<CounterTable> {
  for (const set of report.counters ?? []) {
    const cells = set.counters.map(({ id }) => rows.map(({ node }) => node.counters?.[id]));
    const isGone =
      rows.length === 0 || cells.every((column) => column.every((cell) => !cell || cell.status === 'failed'));
    const columns = set.counters.map((counter, index) => {
      const column = cells[index];
      const values = column.map((cell) => cell?.value ?? null);
      const style = styleOf(counter, values, options.unit);
      const head = `${shorten(printable(counter.name), widestHead) || none}${style.unit && ` ${style.unit}`}`;
      const texts = column.map((cell) => cellText(cell, style));
      return { head, texts, statuses: column.map((cell) => cell?.status ?? 'ok') };
    });
    const notes = reasonNotes(cells);
    yield {
      name: printable(set.id),
      how: howText(set, report),
      columns: isGone ? [] : columns,
      notes: notes.length === 0 && set.status === 'failed' ? [`failed: ${printable(set.reason ?? unknown)}`] : notes,
    };
  }
}
