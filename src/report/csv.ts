import { stringify } from 'csv-stringify/sync';
import type { NodeReport, Report } from '../model/report.ts';
import { type ColumnKey, columnKeys } from './columns.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { selectRows } from './select-rows.ts';

const blockRows = 500;

/** Numbers stand as they are. */
const number = (value: number | bigint | boolean | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);
const whole = (value: number | undefined): string => (value === undefined ? '' : String(Math.round(value)));
const rounded = (value: number | null): string => (value === null ? '' : String(Number(value.toFixed(6))));

/** Each text as a cell, quoted where it must be and disarmed. Printable text has no line breaks. */
const textCells = (texts: readonly string[]): string[] =>
  stringify(
    texts.map((text) => [printable(text)]),
    { escape_formulas: true },
  ).split('\n');

/** The cells of a row in the order of the columns; `name`, `path` and `reason` are cells already. */
function timesOf(
  frame: number,
  node: NodeReport,
  timer: string,
  { name, path, reason }: { readonly name: string; readonly path: string; readonly reason: string },
): { readonly [key in ColumnKey]: string } {
  const { durationNs, rawNs, cpuNs } = node;
  return {
    frame: number(frame),
    eventId: number(node.eventId),
    parentId: number(node.parentId),
    depth: number(node.depth),
    leaf: node.isLeaf ? '1' : '0',
    kind: node.kind,
    name,
    path,
    draws: number(node.draws),
    durationNs: whole(durationNs?.median),
    minNs: whole(durationNs?.min),
    maxNs: whole(durationNs?.max),
    madNs: whole(durationNs?.mad),
    low95Ns: whole(durationNs?.low95),
    high95Ns: whole(durationNs?.high95),
    rawNs: whole(rawNs?.median),
    cpuNs: whole(cpuNs?.median),
    cpuMadNs: whole(cpuNs?.mad),
    share: rounded(node.share),
    runs: number(durationNs?.runs ?? 0),
    timer,
    status: node.status,
    reason,
  };
}

/**
 * RFC 4180, one row a node, units and columns as SCHEMA.md has them, a column for each counter behind the others. Text
 * that a spreadsheet would run is disarmed. csv-stringify writes the cells that are text; there are 20 others to each row.
 */
export function* csv(report: Report, options: ReportOptions): Generator<string> {
  const ids = (report.counters ?? []).flatMap(({ counters }) => counters.map(({ id }) => id));
  const heads = [...columnKeys, ...textCells(ids).slice(0, ids.length)];
  const timer = report.settings.method ?? '';
  yield `${heads.join(',')}\r\n`;
  for (const frame of report.frames) {
    const rows = selectRows(frame, options);
    for (let start = 0; start < rows.length; start += blockRows) {
      const block = rows.slice(start, start + blockRows);
      const names = textCells(block.map(({ node }) => node.name));
      const paths = textCells(block.map(({ node }) => node.path));
      const reasons = textCells(block.map(({ node }) => node.reason ?? ''));
      let text = '';
      for (const [index, { node }] of block.entries()) {
        const cells = { name: names[index], path: paths[index], reason: reasons[index] };
        text += Object.values(timesOf(frame.frame, node, timer, cells)).join(',');
        for (const id of ids) text += `,${number(node.counters?.[id]?.value)}`;
        text += '\r\n';
      }
      yield text;
    }
  }
}
