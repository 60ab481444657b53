import { qrhiOps } from '../../model/qrhi/ops.ts';
import type { QrhiMemory, QrhiResource, QrhiUsage } from '../../model/qrhi/usage.ts';
import type { QrhiStreamReport } from './stream-report.ts';

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** Whole numbers that a double would round are written as text of decimal digits. */
const exactly = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? (value > safe || value < -safe ? value.toString() : Number(value)) : value;

/** Control and direction characters that JSON lets through and a terminal would obey. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

const text = (value: unknown): string =>
  JSON.stringify(value, exactly).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Addresses are always text: they are names, not amounts. */
const resourceJson = ({ res, ...rest }: QrhiResource): object => ({ ...rest, res: `${res}` });

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

/** Reports of streams as one object, a line for each member and resource; `top` bounds the largest only. */
export function* qrhiJson(reports: readonly QrhiStreamReport[], top: number): Generator<string> {
  yield '{\n"format": "gpuprof-qrhi",\n"version": 1,\n"streams": [';
  for (const [index, report] of reports.entries()) {
    yield index === 0 ? '\n{\n' : ',\n{\n';
    for (const [key, member] of Object.entries(usageMembers(report))) yield `${text(key)}: ${text(member)},\n`;
    yield* resourceList('largest', report.usage.largest.slice(0, top));
    yield ',\n';
    yield* resourceList('live', report.usage.live);
    yield '\n}';
  }
  yield '\n]\n}\n';
}

function* resourceList(name: string, resources: readonly QrhiResource[]): Generator<string> {
  yield `"${name}": [`;
  for (const [at, resource] of resources.entries()) yield `${at === 0 ? '\n' : ',\n'}${text(resourceJson(resource))}`;
  yield resources.length === 0 ? ']' : '\n]';
}
