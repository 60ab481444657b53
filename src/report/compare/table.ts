/** The comparison that people read on a terminal: what changed in a sentence, what was compared, and the events. */
import type { Comparison } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { type Finding, findings } from '../../model/findings.ts';
import { counterBlocks } from '../counter-blocks.ts';
import type { CounterTable } from '../counter-columns.ts';
import { counterBlock } from '../counter-lines.ts';
import { type Palette, palette } from '../palette.ts';
import { printable } from '../printable.ts';
import { factLines, fitColumns, gap, layout, line, nameText, rule, textLines, widestName } from '../table-lines.ts';
import { type ComparedCells, type ComparedColumn, type ComparedFrameCells, comparedCells } from './cells.ts';
import { comparedCounters } from './counters.ts';
import { comparedFrameFacts, comparedNotes, comparisonFacts, frameTitle } from './facts.ts';
import type { CompareReportOptions } from './options.ts';

/** Which columns go first where there is no room. */
const dispensable: readonly ComparedColumn[] = ['delta', 'event', 'base', 'interval', 'new'];
const leftAligned: readonly ComparedColumn[] = ['name', 'verdict'];

const isFrame = ({ row }: ComparedCells): boolean => row.node.kind === 'frame';

/** Verdicts have a colour where nothing else accounts for them. */
function paint(column: ComparedColumn, text: string, cells: ComparedCells, colors: Palette): string {
  const { node, isExplained } = cells.row;
  if (column === 'event') return colors.dim(text);
  if (column === 'verdict' || column === 'part') {
    if (isExplained || cells.verdict === 'same') return colors.dim(text);
    if (/slower|heavier|new/.test(cells.verdict)) return colors.bad(text);
    if (/faster|lighter|gone/.test(cells.verdict)) return colors.good(text);
    return /moved|undecided|differs|changed/.test(cells.verdict) ? colors.odd(text) : text;
  }
  if (column === 'interval') return colors.dim(text);
  return node.kind === 'frame' ? colors.strong(text) : text;
}

/** Narrower names say little: then a verdict is its worst word. */
const leastName = 16;

function worstWord(verdict: string): string {
  const words = verdict.split(', ');
  const worst = words.find((word) => /slower|heavier/.test(word)) ?? words[0];
  return words.length === 1 ? verdict : `${worst} …`;
}

/** The columns, and the rows as they fit into them. */
function fitted({ heads, rows }: ComparedFrameCells, width: number | null) {
  const fit = (texts: readonly ComparedCells[], most: number | null) =>
    fitColumns(heads, texts, { width: most, leftAligned, dispensable });
  const nameWidth = (columns: ReturnType<typeof fit>) => columns.find(({ name }) => name === 'name')?.width ?? 0;
  const columns = fit(rows, width);
  const isNarrow = nameWidth(columns) < leastName && nameWidth(columns) < nameWidth(fit(rows, null));
  if (!isNarrow) return { columns, rows };
  const short = rows.map((cells) => ({ ...cells, verdict: worstWord(cells.verdict) }));
  return { columns: fit(short, width), rows: short };
}

function* frameTable(shown: ComparedFrameCells, width: number | null, colors: Palette): Generator<string> {
  const { columns, rows } = fitted(shown, width);
  const template = layout(columns);
  yield line(template, columns, ({ head }) => head, colors.dim);
  yield rule(columns, colors);
  for (const cells of rows)
    yield line(
      template,
      columns,
      ({ name, width: most }) => (name === 'name' ? nameText(cells, most) : cells[name]),
      (text, { name }) => paint(name, text, cells, colors),
    );
}

function* counterTable(of: CounterTable, shown: ComparedFrameCells, width: number | null, colors: Palette) {
  yield '\n';
  yield* textLines(of.name, width, colors.strong);
  const room = width ?? Number.POSITIVE_INFINITY;
  for (const block of counterBlocks(of.columns, shown.rows, room, { gap, widestName })) {
    yield '\n';
    yield* counterBlock(block, shown.rows, colors, {
      name: (text, cells, column) =>
        column === 'event' ? colors.dim(text) : isFrame(cells) ? colors.strong(text) : text,
      isStrong: isFrame,
    });
  }
  if (of.notes.length > 0) yield '\n';
  for (const note of of.notes) yield* textLines(note, width, colors.dim);
}

/** The first line in the colour of the worst that it tells. */
function* summaryLines(list: readonly Finding[], width: number | null, colors: Palette): Generator<string> {
  const isWorse = list.some((finding) => finding.isWorse);
  const color = isWorse ? colors.bad : list.some(({ kind }) => kind === 'undecided') ? colors.odd : colors.good;
  yield* textLines(findingsSummary(list), width, color);
}

const mostResources = 10;

/** Textures, renderbuffers and buffers are no events: a sentence each. */
function* resourceLines(list: readonly Finding[], width: number | null, colors: Palette): Generator<string> {
  const told = list.filter(({ resource }) => resource);
  if (told.length > 0) yield '\n';
  for (const { message, isWorse } of told.slice(0, mostResources))
    yield* textLines(printable(message), width, isWorse ? colors.bad : colors.good);
  const more = told.length - mostResources;
  if (more > 0) yield* textLines(`${more} more in the JSON`, width, colors.dim);
}

/** Renders line by line; ends with a line break. */
export function* compareTable(comparison: Comparison, options: CompareReportOptions): Generator<string> {
  const colors = palette(options.color);
  const { width } = options;
  const list = findings(comparison);
  yield* summaryLines(list, width, colors);
  yield '\n';
  yield* factLines(comparisonFacts(comparison), width, colors);
  for (const frame of comparison.frames) {
    const shown = comparedCells(frame, comparison, list, options);
    const title = frameTitle(frame, comparison);
    yield '\n';
    if (title !== '') yield* textLines(title, width, colors.strong);
    const facts = comparedFrameFacts(frame);
    yield* factLines(facts, width, colors);
    if (shown.rows.length > 0) {
      if (facts.length > 0) yield '\n';
      yield* frameTable(shown, width, colors);
    }
    const notes = comparedNotes(shown, comparison);
    if (notes.length > 0) yield '\n';
    for (const note of notes) yield* textLines(note, width, colors.dim);
    if (shown.rows.length > 0)
      for (const of of comparedCounters(shown, comparison, options)) yield* counterTable(of, shown, width, colors);
  }
  yield* resourceLines(list, width, colors);
  const warnings = comparison.warnings.map(({ message }) => ({ label: 'warning', text: printable(message) }));
  if (warnings.length > 0) yield '\n';
  yield* factLines(warnings, width, { ...colors, dim: colors.odd });
}
