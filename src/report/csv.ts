import { stringify } from 'csv-stringify/sync';
import type { NodeReport, Report } from '../model/report.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { selectRows } from './select-rows.ts';

/** Stable: columns are only ever added at the end (SCHEMA.md). */
const columns = [
  'frame',
  'eventId',
  'parentId',
  'depth',
  'leaf',
  'kind',
  'name',
  'path',
  'draws',
  'durationNs',
  'minNs',
  'maxNs',
  'madNs',
  'low95Ns',
  'high95Ns',
  'rawNs',
  'cpuNs',
  'cpuMadNs',
  'share',
  'runs',
  'timer',
  'status',
  'reason',
] as const;
type Value = string | number | bigint | null;

const blockRows = 500;
const whole = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value));

function timesOf(
  frame: number,
  node: NodeReport,
  timer: string,
): { readonly [column in (typeof columns)[number]]: Value } {
  const { durationNs, rawNs, cpuNs, share, reason } = node;
  return {
    frame,
    eventId: node.eventId,
    parentId: node.parentId,
    depth: node.depth,
    leaf: node.isLeaf ? 1 : 0,
    kind: node.kind,
    name: printable(node.name),
    path: printable(node.path),
    draws: node.draws,
    durationNs: whole(durationNs?.median),
    minNs: whole(durationNs?.min),
    maxNs: whole(durationNs?.max),
    madNs: whole(durationNs?.mad),
    low95Ns: whole(durationNs?.low95),
    high95Ns: whole(durationNs?.high95),
    rawNs: whole(rawNs?.median),
    cpuNs: whole(cpuNs?.median),
    cpuMadNs: whole(cpuNs?.mad),
    share: share === null ? null : Number(share.toFixed(6)),
    runs: durationNs?.runs ?? 0,
    timer,
    status: node.status,
    reason: reason === null ? null : printable(reason),
  };
}

/** Booleans as words: csv-stringify would write 1 and nothing. */
const counterValue = (node: NodeReport, id: string): Value => {
  const value = node.counters?.[id]?.value ?? null;
  return typeof value === 'boolean' ? String(value) : value;
};

const render = (records: readonly (readonly Value[])[]): string =>
  stringify([...records], { record_delimiter: 'windows', escape_formulas: true });

/**
 * RFC 4180, one row a node, units and columns as SCHEMA.md has them, a column for each counter behind the others. Text
 * that a spreadsheet would run is disarmed.
 */
export function* csv(report: Report, options: ReportOptions): Generator<string> {
  const ids = (report.counters ?? []).flatMap(({ counters }) => counters.map(({ id }) => id));
  yield render([[...columns, ...ids.map(printable)]]);
  for (const frame of report.frames) {
    const rows = selectRows(frame, options);
    for (let start = 0; start < rows.length; start += blockRows)
      yield render(
        rows.slice(start, start + blockRows).map(({ node }) => {
          const times = timesOf(frame.frame, node, report.settings.method ?? '');
          return [...columns.map((column) => times[column]), ...ids.map((id) => counterValue(node, id))];
        }),
      );
  }
}
