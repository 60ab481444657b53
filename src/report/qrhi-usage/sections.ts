/** Parts of what people read of a stream, which its report and the live view share. */
import type { QtNumbering } from '../../model/qrhi/texture-formats.ts';
import type { QrhiAllocator, QrhiMemory, QrhiResource, QrhiUsage, QrhiWindows } from '../../model/qrhi/usage.ts';
import type { Palette } from '../palette.ts';
import { printable } from '../printable.ts';
import { shorten, wrap } from '../text.ts';
import { type ColumnHead, columnLines } from './columns.ts';
import type { QrhiStreamReport } from './stream-report.ts';
import { kindLabels, msText, nameText, plural, shapeText, sizeText } from './texts.ts';

const labelWidth = 12;
const narrowestText = 20;
const faultsShown = 10;
/** Of a column that is left out rather than narrowed, when others have been. */
const whole = Number.POSITIVE_INFINITY;

export interface Page {
  readonly width: number | null;
  readonly colors: Palette;
  readonly top: number;
  readonly qt: QtNumbering;
}

/** A labelled text, on as many lines as it takes. */
export function* fact(label: string, text: string, { width, colors }: Page, paint = colors.dim): Generator<string> {
  const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - labelWidth));
  for (const [at, line] of lines.entries()) yield `${paint((at === 0 ? label : '').padEnd(labelWidth))}${line}\n`;
}

export function* heading(text: string, { width, colors }: Page): Generator<string> {
  yield `\n${colors.strong(width === null ? text : shorten(text, width))}\n`;
}

export function* linesFact({ sizeBytes, usage }: QrhiStreamReport, page: Page): Generator<string> {
  const { lines, firstMs, lastMs } = usage;
  const span = firstMs === null ? '' : `, from ${firstMs} to ${lastMs} ms`;
  yield* fact('lines', `${lines}, ${sizeText(BigInt(sizeBytes))}${span}`, page);
}

export function* malformedFact({ malformed }: QrhiUsage, page: Page): Generator<string> {
  yield* fact('malformed', malformed === 0 ? 'none' : `${plural(malformed, 'line')}, skipped`, page);
}

export function* faultLines({ malformed, faults }: QrhiUsage, page: Page): Generator<string> {
  for (const { line, fault, text } of faults.slice(0, faultsShown)) {
    const quoted = text === '' ? '' : `: ${printable(text)}`;
    const words = `line ${line} ${fault}${quoted}`;
    const room = page.width === null ? words.length : Math.max(narrowestText, page.width - labelWidth);
    yield `${' '.repeat(labelWidth)}${page.colors.odd(shorten(words, room))}\n`;
  }
  if (malformed > faultsShown) yield* fact('', `and ${malformed - faultsShown} more`, page);
}

const memoryRow = (label: string, { liveCount, liveBytes, peakBytes, created, released }: QrhiMemory): string[] => [
  label,
  `${liveCount}`,
  sizeText(liveBytes),
  sizeText(peakBytes),
  `${created}`,
  `${released}`,
];

const memoryHeads: readonly ColumnHead[] = [
  { head: 'memory', isLeft: true, least: 9 },
  { head: 'live', least: whole },
  { head: 'size' },
  { head: 'peak', least: whole },
  ...['created', 'released'].map((head) => ({ head, isExtra: true })),
];

/** Head, rule, a row for each kind, and that of all. */
export function memoryTable({ memory, total }: QrhiUsage, { width, colors }: Page): Generator<string> {
  const rows = [...memory].map(([kind, figures]) => memoryRow(kindLabels[kind], figures));
  return columnLines(memoryHeads, [...rows, memoryRow('all', total)], width, colors, true);
}

export function* allocatorFact(allocator: QrhiAllocator, page: Page): Generator<string> {
  const { blocks, allocations, usedBytes, unusedBytes, peakUsedBytes } = allocator;
  const parts = [
    `${sizeText(usedBytes)} used (peak ${sizeText(peakUsedBytes)})`,
    ...(unusedBytes === null ? [] : [`${sizeText(unusedBytes)} unused`]),
    ...(allocations === null ? [] : [plural(allocations, 'allocation')]),
    ...(blocks === null ? [] : [`in ${plural(blocks, 'block')}`]),
  ];
  yield* fact('allocator', `${parts.join(', ').replace(', in ', ' in ')}, by its own figures (op 15)`, page);
}

const timeHeads: readonly ColumnHead[] = [
  { head: 'frame times', isLeft: true, least: 9 },
  { head: 'windows', isExtra: true },
  ...['min ms', 'max ms'].map((head) => ({ head, least: whole })),
  { head: 'avg ms' },
  { head: 'last avg', isExtra: true },
];

/** Head, rule and a row for each kind of time; nothing when there is none. */
export function* timesTable(usage: QrhiUsage, { width, colors }: Page): Generator<string> {
  const kinds: (readonly [string, QrhiWindows | null])[] = [
    ['GPU', usage.gpuFrame],
    ['frame to frame', usage.frameToFrame],
    ['frame build', usage.frameBuild],
    ['GPU, of no swapchain', usage.gpuOther],
  ];
  const rows = kinds.flatMap(([label, times]) =>
    times === null
      ? []
      : [[label, `${times.windows}`, ...[times.minMs, times.maxMs, times.avgMs, times.last.avgMs].map(msText)]],
  );
  if (rows.length > 0) yield* columnLines(timeHeads, rows, width, colors);
}

const resourceHeads: readonly ColumnHead[] = [
  { head: 'kind', isLeft: true },
  { head: 'res' },
  { head: 'size' },
  { head: 'line' },
  { head: 'name', isLeft: true, least: 12 },
  { head: 'what', isLeft: true, least: 12 },
];

export function* resourceTable(shown: readonly QrhiResource[], { width, colors, qt }: Page): Generator<string> {
  const rows = shown.map((resource) => [
    resource.kind,
    `${resource.res}`,
    sizeText(resource.sizeBytes),
    `${resource.line}`,
    nameText(resource),
    shapeText(resource, qt),
  ]);
  const isNamed = shown.some(({ name }) => name !== '');
  const keep = <T>(cells: readonly T[]): T[] => cells.filter((_, at) => isNamed || at !== 4);
  yield* columnLines(keep(resourceHeads), rows.map(keep), width, colors);
}
