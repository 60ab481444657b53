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
type Record = { readonly [column in (typeof columns)[number]]: string | number | null };

const blockRows = 500;
const whole = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value));

function recordOf(frame: number, node: NodeReport, timer: string): Record {
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

const render = (records: readonly (Record | readonly string[])[]): string =>
  stringify([...records], { columns: [...columns], record_delimiter: 'windows', escape_formulas: true });

/** RFC 4180, one row a node, units and columns as SCHEMA.md has them. Text that a spreadsheet would run is disarmed. */
export function* csv(report: Report, options: ReportOptions): Generator<string> {
  yield render([columns]);
  for (const frame of report.frames) {
    const rows = selectRows(frame, options);
    for (let start = 0; start < rows.length; start += blockRows)
      yield render(
        rows.slice(start, start + blockRows).map(({ node }) => recordOf(frame.frame, node, report.settings.method)),
      );
  }
}
