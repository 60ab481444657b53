import { stringify } from 'csv-stringify/sync';
import { qrhiOps } from '../../model/qrhi/ops.ts';
import type { QtNumbering } from '../../model/qrhi/texture-formats.ts';
import type { QrhiMemory, QrhiResource, QrhiWindows } from '../../model/qrhi/usage.ts';
import { printable } from '../printable.ts';
import type { QrhiFormat, QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';
import { shapeText } from './texts.ts';

/** Stable: columns are only ever added at the end. A row fills those that its section has. */
const columns = [
  'stream',
  'section',
  'item',
  'count',
  'liveCount',
  'sizeBytes',
  'peakBytes',
  'minMs',
  'maxMs',
  'avgMs',
  'res',
  'name',
  'line',
  'timestampMs',
  'what',
] as const;

type Row = Partial<Record<Exclude<(typeof columns)[number], 'stream'>, string | number | bigint | null>>;

const blockRows = 500;

const memoryRow = (item: string, { created, liveCount, liveBytes, peakBytes }: QrhiMemory): Row => ({
  section: 'memory',
  item,
  count: created,
  liveCount,
  sizeBytes: liveBytes,
  peakBytes,
});

const resourceRow = (section: string, resource: QrhiResource, qt: QtNumbering): Row => ({
  section,
  item: resource.kind,
  sizeBytes: resource.sizeBytes,
  res: resource.res,
  name: printable(resource.name),
  line: resource.line,
  timestampMs: resource.timestampMs,
  what: shapeText(resource, qt),
});

function* timeRow(item: string, times: QrhiWindows | null): Generator<Row> {
  if (!times) return;
  const { windows, minMs, maxMs, avgMs } = times;
  yield { section: 'frame times', item, count: windows, minMs, maxMs, avgMs };
}

function* rows({ usage, sizeBytes, notes }: QrhiStreamReport, { top, qt }: QrhiReportOptions): Generator<Row> {
  yield { section: 'stream', item: 'lines', count: usage.lines, sizeBytes };
  yield { section: 'stream', item: 'malformed', count: usage.malformed };
  for (const [kind, figures] of usage.memory) yield memoryRow(kind, figures);
  yield memoryRow('all', usage.total);
  if (usage.allocator) {
    const { reports, usedBytes, peakUsedBytes } = usage.allocator;
    yield { section: 'memory', item: 'allocator', count: reports, sizeBytes: usedBytes, peakBytes: peakUsedBytes };
  }
  yield* timeRow('GPU', usage.gpuFrame);
  yield* timeRow('frame to frame', usage.frameToFrame);
  yield* timeRow('frame build', usage.frameBuild);
  yield* timeRow('GPU, of no swapchain', usage.gpuOther);
  for (const { res, name, windows, minMs, maxMs, avgMs } of usage.eventTimes)
    yield { section: 'event times', item: 'GPU', count: windows, minMs, maxMs, avgMs, res, name: printable(name) };
  for (const kind of ['buffers', 'textures'] as const) {
    const { count, totalBytes, peakBytes, stagingBytes, peakStagingBytes } = usage.viewer[kind];
    yield { section: 'viewer', item: kind, liveCount: count, sizeBytes: totalBytes, peakBytes };
    yield { section: 'viewer', item: `staging of ${kind}`, sizeBytes: stagingBytes, peakBytes: peakStagingBytes };
  }
  const { totalBytes, peakBytes } = usage.viewer.swapchains;
  yield { section: 'viewer', item: 'swapchains', sizeBytes: totalBytes, peakBytes };
  for (const resource of usage.largest.slice(0, top)) yield resourceRow('largest', resource, qt);
  for (const resource of usage.live) yield resourceRow('live', resource, qt);
  for (const [op, count] of usage.events) yield { section: 'events', item: qrhiOps[op].name, count };
  for (const { line, fault, text } of usage.faults)
    yield { section: 'malformed', item: fault, line, name: printable(text) };
  for (const note of [...notes, ...usage.notes]) yield { section: 'note', item: note };
}

const render = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], { record_delimiter: 'windows', escape_formulas: true });

function* streamCsv(report: QrhiStreamReport, _index: number, options: QrhiReportOptions): Generator<string> {
  let block: unknown[][] = [];
  for (const row of rows(report, options)) {
    block.push(columns.map((column) => (column === 'stream' ? printable(report.title) : row[column])));
    if (block.length < blockRows) continue;
    yield render(block);
    block = [];
  }
  if (block.length > 0) yield render(block);
}

/** RFC 4180, a row a figure; whole numbers exactly. Text that a spreadsheet would run is disarmed. */
export const qrhiCsv: QrhiFormat = { begin: render([columns]), stream: streamCsv, end: '' };
