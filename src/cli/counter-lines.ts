/** How `gpuprof counters` prints metric sets for people. */
import type { CounterInfo, MetricSet } from '../model/counter.ts';
import { printable } from '../report/printable.ts';
import { displayWidth, shorten, wrap } from '../report/text.ts';

const gap = 2;
const widestName = 40;
const narrowestDescription = 30;
const typeWidth = 4;
const kindWidth = 8;
const widestUnit = 12;

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** One counter: name, unit, type and kind in columns, then the description, wrapped into what is left of the line. */
function* counterLines(counter: CounterInfo, nameWidth: number, unitWidth: number, width: number | null) {
  const { name, unit, dataType, kind, description } = counter;
  const columns = [
    padded(shorten(printable(name), nameWidth), nameWidth),
    padded(shorten(printable(unit), unitWidth), unitWidth),
    padded(dataType, typeWidth),
    padded(kind, kindWidth),
  ];
  const head = `  ${columns.join(' '.repeat(gap))}`;
  const indent = displayWidth(head) + gap;
  const text = printable(description);
  const lines = width === null ? [text] : wrap(text, Math.max(narrowestDescription, width - indent));
  for (const [index, line] of lines.entries()) yield `${padded(index === 0 ? head : '', indent)}${line}`.trimEnd();
}

/** A set: its id and what it is, a line for each counter. `width` is the terminal's, null for no limit. */
export function* setLines(set: MetricSet, width: number | null): Generator<string> {
  const count = `${set.counters.length} ${set.counters.length === 1 ? 'counter' : 'counters'}`;
  const scope = set.scope === 'global' ? ', of all programs on the machine' : '';
  const head = `${printable(set.id)} (${count}${scope}): ${printable(set.description)}`;
  yield* width === null ? [head] : wrap(head, width);
  const names = set.counters.map(({ name }) => displayWidth(printable(name)));
  const units = set.counters.map(({ unit }) => displayWidth(printable(unit)));
  const nameWidth = Math.min(widestName, Math.max(0, ...names));
  const unitWidth = Math.min(widestUnit, Math.max(0, ...units));
  for (const counter of set.counters) yield* counterLines(counter, nameWidth, unitWidth, width);
}
