/** What people read of a QRhiProfiler stream. */
import { qrhiOps } from '../../model/qrhi/ops.ts';
import type { QtNumbering } from '../../model/qrhi/texture-formats.ts';
import type { QrhiMemory, QrhiResource, QrhiUsage, QrhiWindows, ViewerMemory } from '../../model/qrhi/usage.ts';
import { type Palette, palette } from '../palette.ts';
import { printable } from '../printable.ts';
import { shorten, wrap } from '../text.ts';
import { columnLines } from './columns.ts';
import type { QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';
import { kindLabels, msText, nameText, plural, shapeText, sizeText } from './texts.ts';

const labelWidth = 12;
const narrowestText = 20;
const faultsShown = 10;
/** Of a column that is left out rather than narrowed. */
const whole = Number.POSITIVE_INFINITY;

interface Page {
  readonly width: number | null;
  readonly colors: Palette;
  readonly top: number;
  readonly qt: QtNumbering;
}

function* fact(label: string, text: string, { width, colors }: Page, paint = colors.dim): Generator<string> {
  const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - labelWidth));
  for (const [at, line] of lines.entries()) yield `${paint((at === 0 ? label : '').padEnd(labelWidth))}${line}\n`;
}

function* heading(text: string, { width, colors }: Page): Generator<string> {
  yield `\n${colors.strong(width === null ? text : shorten(text, width))}\n`;
}

function* streamFacts({ title, sizeBytes, usage }: QrhiStreamReport, page: Page): Generator<string> {
  const { lines, firstMs, lastMs, malformed, faults } = usage;
  yield* fact('stream', printable(title), page);
  const span = firstMs === null ? '' : `, from ${firstMs} to ${lastMs} ms`;
  yield* fact('lines', `${lines}, ${sizeText(BigInt(sizeBytes))}${span}`, page);
  yield* fact('malformed', malformed === 0 ? 'none' : `${plural(malformed, 'line')}, skipped`, page);
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

function* memoryTable({ memory, total, allocator }: QrhiUsage, { width, colors, ...page }: Page): Generator<string> {
  const rows = [...memory].map(([kind, figures]) => memoryRow(kindLabels[kind], figures));
  const heads = [
    { head: 'memory', isLeft: true },
    ...['live', 'size', 'peak'].map((head) => ({ head })),
    ...['created', 'released'].map((head) => ({ head, least: whole })),
  ];
  yield '\n';
  yield* columnLines(heads, [...rows, memoryRow('all', total)], width, colors, true);
  if (!allocator) return;
  const { blocks, allocations, usedBytes, unusedBytes, peakUsedBytes } = allocator;
  const parts = [
    `${sizeText(usedBytes)} used (peak ${sizeText(peakUsedBytes)})`,
    ...(unusedBytes === null ? [] : [`${sizeText(unusedBytes)} unused`]),
    ...(allocations === null ? [] : [plural(allocations, 'allocation')]),
    ...(blocks === null ? [] : [`in ${plural(blocks, 'block')}`]),
  ];
  yield '\n';
  yield* fact('allocator', `${parts.join(', ').replace(', in ', ' in ')}, by its own figures (op 15)`, {
    width,
    colors,
    ...page,
  });
}

function* frameTimes(usage: QrhiUsage, { width, colors }: Page): Generator<string> {
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
  if (rows.length === 0) return;
  const heads = [
    { head: 'frame times', isLeft: true },
    { head: 'windows', least: whole },
    ...['min ms', 'max ms', 'avg ms'].map((head) => ({ head })),
    { head: 'last avg', least: whole },
  ];
  yield '\n';
  yield* columnLines(heads, rows, width, colors);
}

const eventHeads = [
  { head: 'event' },
  ...['min ms', 'max ms', 'avg ms'].map((head) => ({ head })),
  { head: 'path', isLeft: true, least: 12 },
];

/** Only streams of gpuprof have them. */
function* eventTimes({ eventTimes }: QrhiUsage, page: Page): Generator<string> {
  if (eventTimes.length === 0) return;
  const shown = eventTimes.slice(0, page.top);
  yield* heading(`Heaviest events, ${shown.length} of ${eventTimes.length}, on the GPU`, page);
  const rows = shown.map(({ res, name, minMs, maxMs, avgMs }) => [
    `${res}`,
    ...[minMs, maxMs, avgMs].map(msText),
    printable(name),
  ]);
  yield* columnLines(eventHeads, rows, page.width, page.colors);
}

const viewerMemory = (word: string, { count, totalBytes, peakBytes, stagingBytes, peakStagingBytes }: ViewerMemory) =>
  `${plural(count, word)}, ${totalBytes} bytes (peak ${peakBytes}), ${stagingBytes} bytes of staging (peak ${peakStagingBytes})`;

function* viewerFacts({ viewer }: QrhiUsage, page: Page): Generator<string> {
  const { buffers, textures, swapchains, frames, gpu, allocator } = viewer;
  yield* heading("As Qt's viewer (qrhiprof) has it", page);
  yield* fact('buffers', viewerMemory('buffer', buffers), page);
  yield* fact('textures', viewerMemory('texture', textures), page);
  yield* fact('swapchains', `${swapchains.totalBytes} bytes (peak ${swapchains.peakBytes})`, page);
  if (frames) {
    const { minMs, maxMs, avgMs, framesSinceResize: since } = frames;
    const text = `min ${minMs} ms, max ${maxMs} ms, avg ${msText(avgMs)} ms, ${since} frames since resize`;
    yield* fact('frame delta', text, page);
  }
  if (gpu) {
    const [min, max, avg] = [gpu.minMs, gpu.maxMs, gpu.avgMs].map(msText);
    yield* fact('GPU time', `min ${min} ms, max ${max} ms, avg ${avg} ms`, page);
  }
  if (allocator) {
    const { blocks, allocations, usedBytes, unusedBytes } = allocator;
    const counts = `${plural(blocks, 'real allocation')}, ${plural(allocations, 'sub-allocation')}`;
    yield* fact('allocator', `${counts}, ${usedBytes} bytes in total, ${unusedBytes} unused`, page);
  }
}

const resourceHeads = [
  { head: 'kind', isLeft: true },
  { head: 'res' },
  { head: 'size' },
  { head: 'line' },
  { head: 'name', isLeft: true, least: 12 },
  { head: 'what', isLeft: true, least: 12 },
];

function* resourceTable(shown: readonly QrhiResource[], { width, colors, qt }: Page): Generator<string> {
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

function* resources({ largest, live, total }: QrhiUsage, page: Page): Generator<string> {
  if (largest.length > 0) {
    yield* heading('Largest', page);
    yield* resourceTable(largest.slice(0, page.top), page);
  }
  yield* heading(
    live.length === 0 ? 'Nothing is live at the end' : `Live at the end: ${live.length}, ${sizeText(total.liveBytes)}`,
    page,
  );
  const shown = live.slice(0, page.top);
  if (shown.length > 0) yield* resourceTable(shown, page);
  if (live.length > shown.length) yield `${page.colors.dim(`and ${live.length - shown.length} more`)}\n`;
}

function* eventTable({ events }: QrhiUsage, { width, colors }: Page): Generator<string> {
  if (events.size === 0) return;
  const rows = [...events].map(([op, count]) => [`${op}`, qrhiOps[op].name, `${count}`]);
  yield '\n';
  yield* columnLines([{ head: 'op' }, { head: 'event', isLeft: true }, { head: 'count' }], rows, width, colors);
}

/** Renders a stream's report line by line; ends with a line break. */
export function* qrhiTable(report: QrhiStreamReport, { top, qt, width, color }: QrhiReportOptions): Generator<string> {
  const page = { width, top, qt, colors: palette(color) };
  yield* streamFacts(report, page);
  yield* memoryTable(report.usage, page);
  yield* frameTimes(report.usage, page);
  yield* eventTimes(report.usage, page);
  yield* viewerFacts(report.usage, page);
  yield* resources(report.usage, page);
  yield* eventTable(report.usage, page);
  const notes = [...report.notes, ...report.usage.notes];
  if (notes.length > 0) yield '\n';
  for (const note of notes) yield* fact('note', printable(note), page, page.colors.odd);
}

/** What fits a screen while the stream goes on: the figures that move, without lists of lines. */
export function* qrhiLiveTable(
  report: QrhiStreamReport,
  { top, qt, width, color }: QrhiReportOptions,
): Generator<string> {
  const page = { width, top, qt, colors: palette(color) };
  yield* streamFacts({ ...report, usage: { ...report.usage, faults: [] } }, page);
  yield* memoryTable(report.usage, page);
  yield* frameTimes(report.usage, page);
  if (report.usage.largest.length === 0) return;
  yield* heading('Largest', page);
  yield* resourceTable(report.usage.largest.slice(0, top), page);
}

/** One line on how a stream stands. */
export function qrhiStatus({ title, usage }: QrhiStreamReport): string {
  const { lines, malformed, total, frameToFrame, gpuFrame, lastMs } = usage;
  const parts = [
    plural(lines, 'line'),
    ...(malformed === 0 ? [] : [`${malformed} malformed`]),
    ...(lastMs === null ? [] : [`at ${lastMs} ms`]),
    `${plural(total.liveCount, 'resource')} live of ${sizeText(total.liveBytes)} (peak ${sizeText(total.peakBytes)})`,
    ...(frameToFrame ? [`frames of ${msText(frameToFrame.last.avgMs)} ms`] : []),
    ...(gpuFrame ? [`GPU ${msText(gpuFrame.last.avgMs)} ms`] : []),
  ];
  return `${printable(title)}: ${parts.join(', ')}`;
}
