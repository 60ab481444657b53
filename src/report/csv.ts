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
/** To six decimals. */
const rounded = (value: number | null): string => (value === null ? '' : String(Math.round(value * 1e6) / 1e6));

/** Each of the texts as a cell, quoted where it must be and disarmed. Printable text has no line breaks. */
function textCells(texts: Iterable<string>): ReadonlyMap<string, string> {
  const each = [...new Set(texts)];
  const rows = each.map((text) => [printable(text)]);
  const cells = stringify(rows, { escape_formulas: true }).split('\n');
  return new Map(each.map((text, index) => [text, cells[index]]));
}

/** The cells of a row in the order of the columns. */
function timesOf(
  frame: number,
  node: NodeReport,
  timer: string,
  texts: ReadonlyMap<string, string>,
): { readonly [key in ColumnKey]: string } {
  const { durationNs, rawNs, cpuNs } = node;
  const text = (of: string) => texts.get(of) as string;
  return {
    frame: number(frame),
    eventId: number(node.eventId),
    parentId: number(node.parentId),
    depth: number(node.depth),
    leaf: node.isLeaf ? '1' : '0',
    kind: node.kind,
    name: text(node.name),
    path: text(node.path),
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
    reason: text(node.reason ?? ''),
  };
}

/**
 * RFC 4180, one row a node, units and columns as SCHEMA.md has them, a column for each counter behind the others. Text
 * that a spreadsheet would run is disarmed. csv-stringify writes the cells that are text, each text of a block of rows once;
 * there are 20 others to each row.
 */
export function* csv(report: Report, options: ReportOptions): Generator<string> {
  const ids = (report.counters ?? []).flatMap(({ counters }) => counters.map(({ id }) => id));
  const timer = report.settings.method ?? '';
  yield `${[...columnKeys, ...textCells(ids).values()].join(',')}\r\n`;
  for (const frame of report.frames) {
    const rows = selectRows(frame, options);
    for (let start = 0; start < rows.length; start += blockRows) {
      const block = rows.slice(start, start + blockRows);
      const texts = textCells(block.flatMap(({ node }) => [node.name, node.path, node.reason ?? '']));
      let text = '';
      for (const { node } of block) {
        text += Object.values(timesOf(frame.frame, node, timer, texts)).join(',');
        for (const id of ids) text += `,${number(node.counters?.[id]?.value)}`;
        text += '\r\n';
      }
      yield text;
    }
  }
}
