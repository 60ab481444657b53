/** The table people read on a terminal: facts, the event tree with its times, and what to know before trusting them. */
import Table from 'cli-table3';
import type { Report } from '../model/report.ts';
import { cells, type FrameRows, frameRows } from './frame-rows.ts';
import { rowNotes, warningTexts } from './notes.ts';
import type { ReportOptions } from './options.ts';
import { type Palette, palette } from './palette.ts';
import { type Fact, frameFacts, reportFacts } from './summary.ts';
import { barWidth, type Cells, type ColumnName, columnHeads } from './table-columns.ts';
import { displayWidth, shorten, wrap } from './text.ts';

const gap = 2;
const labelWidth = 10;
const narrowestText = 20;
const widestName = 120;
const narrowestName = 24;
/** Which columns go first where there is no room. */
const dispensable: readonly ColumnName[] = ['bar', 'kind', 'draws', 'spread', 'event', 'cpu'];
const leftAligned: readonly ColumnName[] = ['name', 'kind', 'bar'];
/** cli-table3 takes quadratic time in the rows of one table, so rows go through it in blocks. */
const blockRows = 50;

function* factLines(facts: readonly Fact[], width: number | null, { dim }: Palette): Generator<string> {
  for (const { label, text } of facts) {
    const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - labelWidth));
    for (const [index, line] of lines.entries()) yield `${dim((index === 0 ? label : '').padEnd(labelWidth))}${line}\n`;
  }
}

interface Column {
  readonly name: ColumnName;
  readonly head: string;
  readonly width: number;
}

/** The columns that are shown, each as wide as it needs to be; the name takes what is left of the terminal. */
function layOut(rows: readonly Cells[], { scale, options }: FrameRows): Column[] {
  const hasCpu = rows.some(({ node }) => node.cpuNs !== null);
  const widths = new Map<ColumnName, number>();
  const heads = columnHeads(scale.unit, options).filter(([name]) => name !== 'cpu' || hasCpu);
  for (const [name, head] of heads) {
    let width = name === 'bar' ? barWidth : displayWidth(head);
    for (const row of rows) {
      const text = row[name];
      if (name === 'name') width = Math.max(width, 2 * row.indent + Math.min(widestName, displayWidth(text)));
      else if (name !== 'bar') width = Math.max(width, text.length);
    }
    widths.set(name, width);
  }
  const room = options.width ?? Number.POSITIVE_INFINITY;
  const others = (): number => [...widths].reduce((sum, [name, width]) => sum + (name === 'name' ? 0 : width + gap), 0);
  const nameWidth = Math.min(widths.get('name') ?? 0, widestName);
  for (const name of dispensable) if (others() + Math.min(nameWidth, narrowestName) > room) widths.delete(name);
  widths.set('name', Math.max(1, Math.min(nameWidth, room - others())));
  return heads.flatMap(([name, head]) => {
    const width = widths.get(name);
    return width === undefined ? [] : [{ name, head, width }];
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

function block(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    chars: Object.fromEntries(
      ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
        [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
      ),
    ),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ name }) => (leftAligned.includes(name) ? 'left' : 'right')),
  });
  table.options.chars.middle = ' '.repeat(gap);
  table.push(...rows.map((row) => [...row]));
  return `${table.toString().replace(/[ ]+$/gm, '')}\n`;
}

function* frameTable(shown: FrameRows, colors: Palette): Generator<string> {
  const rows = shown.rows.map((row) => cells(shown, row));
  const columns = layOut(rows, shown);
  yield block(columns, [columns.map(({ head }) => colors.dim(head))]);
  const width = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  yield `${colors.dim('─'.repeat(width))}\n`;
  for (let start = 0; start < rows.length; start += blockRows) {
    const part = rows.slice(start, start + blockRows);
    yield block(
      columns,
      part.map((row) =>
        columns.map(({ name, width }) => paint(name, name === 'name' ? nameText(row, width) : row[name], row, colors)),
      ),
    );
  }
  if (rows.length === 0) yield `${colors.dim('no rows to show')}\n`;
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
    yield* factLines(frameFacts(frame, report), width, colors);
    yield '\n';
    yield* frameTable(shown, colors);
    const notes = rowNotes(shown);
    if (notes.length > 0) yield '\n';
    for (const note of notes)
      for (const line of width === null ? [note] : wrap(note, width)) yield `${colors.dim(line)}\n`;
  }
  const warnings = warningTexts(report).map((text) => ({ label: 'warning', text }));
  if (warnings.length > 0) yield '\n';
  yield* factLines(warnings, width, { ...colors, dim: colors.odd });
}
