import type { FrameReport } from '../model/report.ts';
import { unitFor } from '../model/units.ts';
import type { ReportOptions } from './options.ts';
import { metricOf, type Row, selectRows } from './select-rows.ts';
import { type Cells, type ColumnName, cellsOf, columnHeads, type Scale } from './table-columns.ts';

/** One frame of a table: its unit and its rows. */
export interface FrameRows {
  readonly frame: FrameReport;
  readonly scale: Scale;
  readonly rows: readonly Row[];
  readonly options: ReportOptions;
}

/** The metric's total: the frame's node is the sum of its leaves. */
const totalOf = (frame: FrameReport, options: ReportOptions): number | null =>
  frame.nodes.length === 0 ? null : (metricOf(frame.nodes[0], options)?.median ?? null);

/** The rows asked for and the one unit they are all written in. */
export function frameRows(frame: FrameReport, options: ReportOptions): FrameRows {
  const rows = selectRows(frame, options);
  let longestNs = 0;
  for (const { node } of rows) longestNs = Math.max(longestNs, metricOf(node, options)?.median ?? 0);
  const unit = options.unit === 'auto' ? unitFor(longestNs) : options.unit;
  const scale = { unit, floorNs: frame.floorNs?.median ?? null, totalNs: totalOf(frame, options) };
  return { frame, scale, rows, options };
}

const times: readonly ColumnName[] = ['duration', 'spread', 'cpu', 'share', 'bar'];

/** The columns that say something of this frame. */
export function heads({ frame, rows, scale, options }: FrameRows): (readonly [ColumnName, string])[] {
  const hasCpu = rows.some(({ node }) => node.cpuNs !== null);
  return columnHeads(scale.unit, options).filter(
    ([name]) => (name !== 'cpu' || hasCpu) && (frame.runs > 0 || !times.includes(name)),
  );
}

export const cells = ({ scale, options }: FrameRows, row: Row): Cells => cellsOf(row, scale, options);
