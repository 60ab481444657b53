/**
 * What a report has ten thousand of, checked by hand: zod would take seconds for their million numbers. What is found plain
 * here is what zod would return as it is; what is not, zod looks at (report-schema.ts).
 */
import type { CounterCell, NodeReport, Statistics } from '../../model/report.ts';

type Check = (value: unknown) => boolean;

/** More than all sums of readings of 64 bits. */
const mostNs = 1e24;
/** Differences of such values are still numbers. */
export const mostCounted = 1e100;

/** As the GPU's clock read it: a questionable run may have anything. */
export const isReading: Check = (value) => typeof value === 'number' && Math.abs(value) <= mostNs;
export const isTime: Check = (value) => typeof value === 'number' && value >= 0 && value <= mostNs;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const oneOf = (...values: readonly string[]): Check => {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
};
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf = (check: Check): Check => {
  const isValue = orNull(check);
  return (value) => Array.isArray(value) && value.every(isValue);
};
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an object with these fields and no other; those of `optional` may be missing. */
function shaped(fields: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check {
  const checks = Object.entries(fields);
  return (value) => {
    if (!isObject(value)) return false;
    let left = 0;
    for (const _ in value) left++;
    for (const [field, check] of checks) {
      const found = value[field];
      if (found === undefined && optional.includes(field)) continue;
      if (!check(found)) return false;
      left--;
    }
    return left === 0;
  };
}

export const statisticsFields = [
  'median',
  'min',
  'max',
  'mad',
  'low95',
  'high95',
  'runs',
] as const satisfies readonly (keyof Statistics)[];

const statistics = (check: Check): Check =>
  orNull((value) => isObject(value) && statisticsFields.every((field) => check(value[field])));

const isNumber: Check = (value) => Number.isFinite(value);
const isCounterValue: Check = (value) =>
  typeof value === 'number' ? Math.abs(value) <= mostCounted : typeof value === 'boolean' || value === null;

const cellChecks: Readonly<Record<keyof CounterCell, Check>> = {
  value: isCounterValue,
  samples: (value) => Array.isArray(value) && value.every(isCounterValue),
  status: oneOf('ok', 'questionable', 'failed'),
  reason: orNull(isText),
};
const hasCellShape = shaped(cellChecks);
/** Nodes of equal counters share them, or their cells (node-parser.ts). */
const knownCells = new WeakSet();
const isCell: Check = (value) => {
  if (knownCells.has(value as WeakKey)) return true;
  if (!hasCellShape(value)) return false;
  knownCells.add(value as WeakKey);
  return true;
};

function areCells(value: unknown): boolean {
  if (knownCells.has(value as WeakKey)) return true;
  if (!isObject(value)) return false;
  for (const id in value) if (!isCell(value[id]) || id === '__proto__') return false;
  knownCells.add(value);
  return true;
}

const nodeChecks: Readonly<Record<keyof NodeReport, Check>> = {
  eventId: orNull(isNumber),
  parentId: orNull(isNumber),
  depth: isCount,
  kind: oneOf('frame', 'marker', 'pass', 'draw', 'clear', 'dispatch', 'blit', 'copy', 'resolve', 'mipmap', 'upload'),
  name: isText,
  path: isText,
  draws: isCount,
  isLeaf: isFlag,
  program: isCount,
  target: isText,
  state: isCount,
  durationNs: statistics(isTime),
  rawNs: statistics(isReading),
  cpuNs: statistics(isTime),
  share: orNull(isNumber),
  status: oneOf('ok', 'below-resolution', 'questionable', 'failed'),
  reason: orNull(isText),
  counters: areCells,
  samples: shaped({ durationNs: listOf(isTime), rawNs: listOf(isReading), cpuNs: orNull(listOf(isTime)) }),
};

/** Lists of which every node was found plain as it was read (report-text.ts). */
export const plainLists = new WeakSet<readonly unknown[]>();

/** Whether this is a node of a report, as the schema has it and with nothing else in it. */
export const isPlainNode: (value: unknown) => value is NodeReport = shaped(nodeChecks, ['state', 'counters']) as (
  value: unknown,
) => value is NodeReport;
