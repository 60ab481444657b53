/** What a gate found, for people at a terminal or in a log. */
import type { GateCapture, GateCheck, GateLevel, GateResult } from '../../model/gate.ts';
import { type Palette, palette } from '../palette.ts';
import { printable } from '../printable.ts';
import type { Fact } from '../summary.ts';
import { factLines, fitColumns, layout, line, nameText, rule, textLines } from '../table-lines.ts';
import { shorten } from '../text.ts';
import type { GateReportOptions } from './options.ts';
import { captureSummary, checkValue, gateSummary, placeText, worstFirst } from './texts.ts';

const columns = ['level', 'event', 'name', 'metric', 'base', 'value', 'limit'] as const;
type Column = (typeof columns)[number];
type Cells = Readonly<Record<Column, string>> & { readonly indent: number; readonly check: GateCheck };

const mostSentences = 20;
const leftAligned: readonly Column[] = ['level', 'name', 'metric'];
/** Sentences below tell both numbers. */
const dispensable: readonly Column[] = ['event', 'base', 'limit'];
/** Below so many columns a metric goes without its set, and takes a quarter of them at most. */
const narrow = 80;
const tones: Readonly<Record<GateLevel, keyof Palette>> = {
  pass: 'good',
  undecided: 'odd',
  warn: 'odd',
  fail: 'bad',
  unmeasured: 'bad',
};

function metricText(metric: string, width: number | null): string {
  if (width === null || width >= narrow) return printable(metric);
  return shorten(printable(metric.slice(metric.lastIndexOf('/') + 1)), Math.max(8, Math.floor(width / 4)));
}

const cellsOf = (check: GateCheck, width: number | null): Cells => ({
  level: check.level,
  event: check.eventId === null ? '' : String(check.eventId),
  name: printable(placeText(check)),
  metric: metricText(check.metric, width),
  base: printable(checkValue(check.base, check)),
  value: printable(checkValue(check.value, check)),
  limit: printable(check.limit ?? ''),
  indent: 0,
  check,
});

function* checkTable(checks: readonly GateCheck[], width: number | null, colors: Palette): Generator<string> {
  const rows = checks.map((check) => cellsOf(check, width));
  const shown = fitColumns(
    columns.map((column) => [column, column] as const),
    rows,
    { width, leftAligned, dispensable },
  );
  const template = layout(shown);
  yield line(template, shown, ({ head }) => head, colors.dim);
  yield rule(shown, colors);
  for (const cells of rows)
    yield line(
      template,
      shown,
      ({ name, width: most }) => (name === 'name' ? nameText(cells, most) : cells[name]),
      (text, { name }) => (name === 'level' ? colors[tones[cells.check.level]](text) : text),
    );
}

function captureFacts({ name, file, baseline, environment }: GateCapture): Fact[] {
  const facts = [{ label: 'capture', text: file === '' || name === file ? name : `${name} (${file})` }];
  if (baseline !== null) facts.push({ label: 'baseline', text: baseline });
  if (environment) facts.push({ label: 'renderer', text: `${environment.renderer} (${environment.version})` });
  return facts.map(({ label, text }) => ({ label, text: printable(text) }));
}

function* captureTable(capture: GateCapture, { width, all }: GateReportOptions, colors: Palette): Generator<string> {
  yield '\n';
  yield* factLines(captureFacts(capture), width, colors);
  const result = [{ label: 'result', text: printable(captureSummary(capture)) }];
  yield* factLines(result, width, { ...colors, dim: colors[tones[capture.level]] });
  const checks = worstFirst(capture.checks.filter(({ level }) => all || level !== 'pass'));
  if (checks.length > 0) {
    yield '\n';
    yield* checkTable(checks, width, colors);
  }
  // Numbers do not say whether the runs were enough, nor why there is no answer.
  const told = checks.filter(({ level }) => level !== 'pass');
  const more = told.length - mostSentences;
  const facts = [
    ...told.slice(0, mostSentences).map(({ level, message }) => ({ label: level, text: printable(message) })),
    ...(more > 0 ? [{ label: '', text: `and ${more} more` }] : []),
    ...capture.warnings.map(({ message }) => ({ label: 'warning', text: printable(message) })),
  ];
  if (facts.length > 0) yield '\n';
  yield* factLines(facts, width, { ...colors, dim: colors.odd });
}

/** Renders line by line, what it comes to first; the captures in their order. */
export function* gateTable(result: GateResult, options: GateReportOptions): Generator<string> {
  const colors = palette(options.color);
  yield* textLines(printable(gateSummary(result)), options.width, colors[tones[result.level]]);
  for (const capture of result.captures) yield* captureTable(capture, options, colors);
}
