/** The table people read on a terminal: facts, the event tree with its times, and what to know before trusting them. */
import { getOrAdd } from '../model/get-or-add.ts';
import type { Report } from '../model/report.ts';
import { counterBlocks } from './counter-blocks.ts';
import { type CounterTable, counterTables } from './counter-columns.ts';
import { counterBlock } from './counter-lines.ts';
import { cells, type FrameRows, frameRows, heads } from './frame-rows.ts';
import { rowNotes, warningTexts } from './notes.ts';
import type { ReportOptions } from './options.ts';
import { type Palette, palette } from './palette.ts';
import { frameFacts, reportFacts } from './summary.ts';
import { barWidth, type Cells, type ColumnName } from './table-columns.ts';
import {
  factLines,
  fitColumns,
  gap,
  type Layout,
  layout,
  line,
  nameText,
  rule,
  textLines,
  widestName,
} from './table-lines.ts';

/** Which columns go first where there is no room. */
const dispensable: readonly ColumnName[] = ['bar', 'kind', 'draws', 'spread', 'event', 'cpu'];
const leftAligned: readonly ColumnName[] = ['name', 'kind', 'bar'];
function paint(column: ColumnName, text: string, { node }: Cells, colors: Palette): string {
  if (node.status === 'failed') return colors.bad(text);
  if (node.kind === 'frame' && column !== 'bar') return colors.strong(text);
  if (column === 'event' || column === 'kind' || column === 'draws' || column === 'spread') return colors.dim(text);
  if (column === 'bar') return colors.bar(text);
  if (node.status === 'below-resolution') return colors.dim(text);
  if (column === 'duration' && node.status === 'questionable') return colors.odd(text);
  return text;
}

/** Frames of one capture mostly have columns of the same widths. */
function layouts(): typeof layout {
  const known = new Map<string, Layout>();
  return (columns) => getOrAdd(known, columns.map(({ width }) => width).join(), () => layout(columns));
}

function* frameTable(shown: FrameRows, colors: Palette, layoutOf: typeof layout): Generator<string> {
  const rows = shown.rows.map((row) => cells(shown, row));
  const columns = fitColumns(heads(shown), rows, {
    width: shown.options.width,
    leftAligned,
    dispensable,
    fixed: { bar: barWidth },
  });
  const template = layoutOf(columns);
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

const isStrong = ({ node }: Cells): boolean => node.kind === 'frame';

function* counterTable(of: CounterTable, rows: readonly Cells[], width: number | null, colors: Palette) {
  yield '\n';
  yield* textLines(of.name, width, colors.strong);
  if (of.how !== '') yield* textLines(of.how, width, colors.dim);
  for (const block of counterBlocks(of.columns, rows, width ?? Number.POSITIVE_INFINITY, { gap, widestName })) {
    yield '\n';
    yield* counterBlock(block, rows, colors, {
      name: (text, row, column) => paint(column, text, row, colors),
      isStrong,
    });
  }
  if (of.notes.length > 0) yield '\n';
  for (const note of of.notes) yield* textLines(note, width, colors.dim);
}

/** Renders line by line; ends with a line break. */
export function* table(report: Report, options: ReportOptions): Generator<string> {
  const colors = palette(options.color);
  const { width } = options;
  const layoutOf = layouts();
  yield* factLines(reportFacts(report), width, colors);
  for (const frame of report.frames) {
    const shown = frameRows(frame, options);
    yield '\n';
    if (report.capture.frames > 1) yield `${colors.strong(`Frame ${frame.frame}`)}\n`;
    const facts = frameFacts(frame, report);
    yield* factLines(facts, width, colors);
    if (facts.length > 0) yield '\n';
    yield* frameTable(shown, colors, layoutOf);
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
