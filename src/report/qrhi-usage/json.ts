import { qrhiOps } from '../../model/qrhi/ops.ts';
import { type QtNumbering, qtFormatName } from '../../model/qrhi/texture-formats.ts';
import type { QrhiEventTimes, QrhiMemory, QrhiResource, QrhiUsage } from '../../model/qrhi/usage.ts';
import { jsonText, whereRounded } from '../json-text.ts';
import type { QrhiFormat, QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';

const text = (value: unknown): string => jsonText(value, 0, whereRounded);

/** Addresses are always text: they are names, not amounts. */
const resourceJson = ({ res, values, ...rest }: QrhiResource, qt: QtNumbering): object => ({
  ...rest,
  ...(values.format !== undefined && { formatName: qtFormatName(values.format, qt) }),
  values,
  res: `${res}`,
});
const eventJson = ({ res, ...rest }: QrhiEventTimes): object => ({ ...rest, res: `${res}` });

function usageMembers({ title, sizeBytes, usage, notes }: QrhiStreamReport): Record<string, unknown> {
  const memory: Record<string, QrhiMemory> = Object.fromEntries(usage.memory);
  const { gpuFrame, frameToFrame, frameBuild, gpuOther }: QrhiUsage = usage;
  return {
    stream: title,
    sizeBytes,
    lines: usage.lines,
    malformed: { count: usage.malformed, first: usage.faults },
    firstMs: usage.firstMs,
    lastMs: usage.lastMs,
    clockSteps: usage.clockSteps,
    events: [...usage.events].map(([op, count]) => ({ op, name: qrhiOps[op].name, count })),
    memory: { ...memory, all: usage.total },
    allocator: usage.allocator,
    frameTimes: { gpuFrame, frameToFrame, frameBuild, gpuOther },
    viewer: usage.viewer,
    notes: [...notes, ...usage.notes],
  };
}

function* list(name: string, members: readonly object[]): Generator<string> {
  yield `"${name}": [`;
  for (const [at, member] of members.entries()) yield `${at === 0 ? '\n' : ',\n'}${text(member)}`;
  yield members.length === 0 ? ']' : '\n]';
}

function* streamJson(report: QrhiStreamReport, index: number, { top, qt }: QrhiReportOptions): Generator<string> {
  yield index === 0 ? '\n{\n' : ',\n{\n';
  for (const [key, member] of Object.entries(usageMembers(report))) yield `${text(key)}: ${text(member)},\n`;
  const { eventTimes, largest, live } = report.usage;
  yield* list('eventTimes', eventTimes.map(eventJson));
  yield ',\n';
  yield* list(
    'largest',
    largest.slice(0, top).map((resource) => resourceJson(resource, qt)),
  );
  yield ',\n';
  yield* list(
    'live',
    live.map((resource) => resourceJson(resource, qt)),
  );
  yield '\n}';
}

/** Reports of streams as one object, a line for each member, event and resource; `top` bounds the largest only. */
export const qrhiJson: QrhiFormat = {
  begin: '{\n"format": "gpuprof-qrhi",\n"version": 1,\n"streams": [',
  stream: streamJson,
  end: '\n]\n}\n',
};
