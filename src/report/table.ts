/** The table people read on a terminal: facts, the event tree with its times, and what to know before trusting them. */
import Table from 'cli-table3';
import type { Report } from '../model/report.ts';
import { type CounterBlock, counterBlocks } from './counter-blocks.ts';
import { type CounterTable, counterTables } from './counter-columns.ts';
import { cells, type FrameRows, frameRows, heads } from './frame-rows.ts';
import { rowNotes, warningTexts } from './notes.ts';
import type { ReportOptions } from './options.ts';
import { type Palette, palette } from './palette.ts';
import { type Fact, frameFacts, reportFacts } from './summary.ts';
import { barWidth, type Cells, type ColumnName } from './table-columns.ts';
import { displayWidth, shorten, wrap } from './text.ts';

const gap = 2;
const labelWidth = 10;
const narrowestText = 20;
const widestName = 120;
const narrowestName = 24;
/** Which columns go first where there is no room. */
const dispensable: readonly ColumnName[] = ['bar', 'kind', 'draws', 'spread', 'event', 'cpu'];
const leftAligned: readonly ColumnName[] = ['name', 'kind', 'bar'];
/** Column n of the layout is made of the n-th private-use character, each one column wide. */
const firstFiller = 0xe000;
const filler = /([\ue000-\uf8ff])\1*/g;

function* factLines(facts: readonly Fact[], width: number | null, { dim }: Palette): Generator<string> {
  for (const { label, text } of facts) {
    const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - labelWidth));
    for (const [index, line] of lines.entries()) yield `${dim((index === 0 ? label : '').padEnd(labelWidth))}${line}\n`;
  }
}

interface Column {
  readonly width: number;
  readonly isLeft: boolean;
}

interface TimeColumn extends Column {
  readonly name: ColumnName;
  readonly head: string;
}

/** The columns that are shown, each as wide as it needs to be; the name takes what is left of the terminal. */
function layOut(rows: readonly Cells[], shown: FrameRows): TimeColumn[] {
  const { options } = shown;
  const widths = new Map<ColumnName, number>();
  const columns = heads(shown);
  for (const [name, head] of columns) {
    let width = name === 'bar' ? barWidth : displayWidth(head);
    for (const row of rows) {
      const text = row[name];
      if (name === 'name') width = Math.max(width, 2 * row.indent + displayWidth(shorten(text, widestName)));
      else if (name !== 'bar') width = Math.max(width, text.length);
    }
    widths.set(name, width);
  }
  const room = options.width ?? Number.POSITIVE_INFINITY;
  const others = (): number => [...widths].reduce((sum, [name, width]) => sum + (name === 'name' ? 0 : width + gap), 0);
  const nameWidth = Math.min(widths.get('name') ?? 0, widestName);
  for (const name of dispensable) if (others() + Math.min(nameWidth, narrowestName) > room) widths.delete(name);
  widths.set('name', Math.max(1, Math.min(nameWidth, room - others())));
  return columns.flatMap(([name, head]) => {
    const width = widths.get(name);
    return width === undefined ? [] : [{ name, head, width, isLeft: leftAligned.includes(name) }];
  });
}

function nameText({ name, indent }: Cells, width: number): string {
  const margin = Math.min(2 * indent, Math.floor(width / 2));
  return ' '.repeat(margin) + shorten(name, width - margin);
}

function paint(column: ColumnName, text: string, { node }: Cells, colors: Palette): string {
  if (node.status === 'failed') return colors.bad(text);
  if (node.kind === 'frame' && column !== 'bar') return colors.strong(text);
  if (column === 'event' || column === 'kind' || column === 'draws' || column === 'spread') return colors.dim(text);
  if (column === 'bar') return colors.bar(text);
  if (node.status === 'below-resolution') return colors.dim(text);
  if (column === 'duration' && node.status === 'questionable') return colors.odd(text);
  return text;
}

/**
 * A row of the table, laid out by cli-table3, with fillers for the texts: laying out each row takes it 0.2 ms, which
 * frames of many draws do not have.
 */
function layout(columns: readonly Column[]): string {
  const table = new Table({
    chars: Object.fromEntries(
      ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
        [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
      ),
    ),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: columns.map(({ width }) => width),
  });
  table.options.chars.middle = ' '.repeat(gap);
  table.push(columns.map(({ width }, index) => String.fromCharCode(firstFiller + index).repeat(width)));
  return table.toString();
}

/** One line: `text` says what stands in a column, no wider than it, `color` how it is painted. */
function line<C extends Column>(
  template: string,
  columns: readonly C[],
  text: (column: C, index: number) => string,
  color: (text: string, column: C, index: number) => string,
): string {
  const filled = template.replace(filler, (run) => {
    const index = run.charCodeAt(0) - firstFiller;
    const column = columns[index];
    const plain = text(column, index);
    const margin = ' '.repeat(Math.max(0, column.width - displayWidth(plain)));
    const painted = color(plain, column, index);
    return column.isLeft ? painted + margin : margin + painted;
  });
  return `${filled.trimEnd()}\n`;
}

const rule = (columns: readonly Column[], colors: Palette): string =>
  `${colors.dim('─'.repeat(columns.reduce((sum, { width }) => sum + width + gap, -gap)))}\n`;

function* frameTable(shown: FrameRows, colors: Palette): Generator<string> {
  const rows = shown.rows.map((row) => cells(shown, row));
  const columns = layOut(rows, shown);
  const template = layout(columns);
  yield line(template, columns, ({ head }) => head, colors.dim);
  yield rule(columns, colors);
  for (const row of rows)
    yield line(
      template,
      columns,
      ({ name, width }) => (name === 'name' ? nameText(row, width) : row[name]),
      (text, { name }) => paint(name, text, row, colors),
    );
  if (rows.length === 0) yield `${colors.dim('no rows to show')}\n`;
}

/** Counters side by side: their heads, and a line for each row of the time table. */
function* counterBlock(block: CounterBlock, rows: readonly Cells[], colors: Palette): Generator<string> {
  const event = block.eventWidth > 0 ? [{ width: block.eventWidth, isLeft: false }] : [];
  const name = { width: block.nameWidth, isLeft: true };
  const columns = [...event, name, ...block.columns.map(({ width }) => ({ width, isLeft: false }))];
  const template = layout(columns);
  const labels = [...(event.length > 0 ? ['event'] : []), 'name'];
  for (let at = 0; at < block.headLines; at++) {
    const head = (_: Column, index: number) => {
      if (index < labels.length) return at === block.headLines - 1 ? shorten(labels[index], columns[index].width) : '';
      const { headLines } = block.columns[index - labels.length];
      return headLines[at - block.headLines + headLines.length] ?? '';
    };
    yield line(template, columns, head, colors.dim);
  }
  yield rule(columns, colors);
  for (const [at, row] of rows.entries())
    yield line(
      template,
      columns,
      ({ width }, index) => {
        if (index >= labels.length) return block.columns[index - labels.length].column.texts[at];
        return labels[index] === 'event' ? row.event : nameText(row, width);
      },
      (text, _, index) => {
        if (index < labels.length) return paint(labels[index] === 'event' ? 'event' : 'name', text, row, colors);
        const status = block.columns[index - labels.length].column.statuses[at];
        if (status === 'failed') return colors.bad(text);
        if (status === 'questionable') return colors.odd(text);
        return row.node.kind === 'frame' ? colors.strong(text) : text;
      },
    );
}

function* textLines(text: string, width: number | null, color: (text: string) => string): Generator<string> {
  for (const line of width === null ? [text] : wrap(text, width)) yield `${color(line)}\n`;
}

function* counterTable(of: CounterTable, rows: readonly Cells[], width: number | null, colors: Palette) {
  yield '\n';
  yield* textLines(of.name, width, colors.strong);
  if (of.how !== '') yield* textLines(of.how, width, colors.dim);
  for (const block of counterBlocks(of.columns, rows, width ?? Number.POSITIVE_INFINITY, { gap, widestName })) {
    yield '\n';
    yield* counterBlock(block, rows, colors);
  }
  if (of.notes.length > 0) yield '\n';
  for (const note of of.notes) yield* textLines(note, width, colors.dim);
}

/** Renders line by line; ends with a line break. */
export function* table(report: Report, options: ReportOptions): Generator<string> {
  const colors = palette(options.color);
  const { width } = options;
  yield* factLines(reportFacts(report), width, colors);
  for (const frame of report.frames) {
    const shown = frameRows(frame, options);
    yield '\n';
    if (report.capture.frames > 1) yield `${colors.strong(`Frame ${frame.frame}`)}\n`;
    const facts = frameFacts(frame, report);
    yield* factLines(facts, width, colors);
    if (facts.length > 0) yield '\n';
    yield* frameTable(shown, colors);
    const notes = rowNotes(shown);
    if (notes.length > 0) yield '\n';
    for (const note of notes) yield* textLines(note, width, colors.dim);
    if (!report.counters) continue;
    const rows = shown.rows.map((row) => cells(shown, row));
    for (const of of counterTables(shown, report)) yield* counterTable(of, rows, width, colors);
  }
  const warnings = warningTexts(report).map((text) => ({ label: 'warning', text }));
  if (warnings.length > 0) yield '\n';
  yield* factLines(warnings, width, { ...colors, dim: colors.odd });
}
