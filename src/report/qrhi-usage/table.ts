/** What people read of a QRhiProfiler stream. */
import { qrhiOps } from '../../model/qrhi/ops.ts';
import type { QrhiUsage, ViewerMemory } from '../../model/qrhi/usage.ts';
import { palette } from '../palette.ts';
import { printable } from '../printable.ts';
import { columnLines } from './columns.ts';
import {
  allocatorFact,
  fact,
  faultLines,
  heading,
  linesFact,
  malformedFact,
  memoryTable,
  type Page,
  resourceTable,
  timesTable,
} from './sections.ts';
import type { QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';
import { msText, plural, sizeText } from './texts.ts';

function* streamFacts(report: QrhiStreamReport, page: Page): Generator<string> {
  yield* fact('stream', printable(report.title), page);
  yield* linesFact(report, page);
  yield* malformedFact(report.usage, page);
  yield* faultLines(report.usage, page);
}

function* memory(usage: QrhiUsage, page: Page): Generator<string> {
  yield '\n';
  yield* memoryTable(usage, page);
  if (!usage.allocator) return;
  yield '\n';
  yield* allocatorFact(usage.allocator, page);
}

function* frameTimes(usage: QrhiUsage, page: Page): Generator<string> {
  const table = [...timesTable(usage, page)];
  if (table.length > 0) yield '\n';
  yield* table;
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
  yield* memory(report.usage, page);
  yield* frameTimes(report.usage, page);
  yield* eventTimes(report.usage, page);
  yield* viewerFacts(report.usage, page);
  yield* resources(report.usage, page);
  yield* eventTable(report.usage, page);
  const notes = [...report.notes, ...report.usage.notes];
  if (notes.length > 0) yield '\n';
  for (const note of notes) yield* fact('note', printable(note), page, page.colors.odd);
}
