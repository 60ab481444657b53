/** What each column of the table says about a row, as plain printable text. */
import type { NodeReport, Statistics } from '../model/report.ts';
import { type DurationUnit, inUnit } from '../model/units.ts';
import { headOf } from './columns.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { metricOf, type Row } from './select-rows.ts';

export interface Cells {
  readonly event: string;
  /** Indented, not yet shortened. */
  readonly name: string;
  readonly indent: number;
  readonly kind: string;
  readonly draws: string;
  readonly duration: string;
  readonly spread: string;
  readonly cpu: string;
  readonly share: string;
  readonly bar: string;
  readonly node: NodeReport;
}

/** What the cells of one frame need beside the row. */
export interface Scale {
  readonly unit: DurationUnit;
  /** What an empty bracket reads; null when unknown. */
  readonly floorNs: number | null;
  /** Sum of all leaves by the metric of the report; null when unknown. */
  readonly totalNs: number | null;
}

export const barWidth = 10;
export const none = '–';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of a tenth of a character's precision; a share that is not nothing shows at least an eighth. */
function bar(share: number): string {
  const length = Math.max(share > 0 ? 1 : 0, Math.round(Math.min(1, share) * barWidth * 8));
  return '█'.repeat(length >> 3) + eighths[length & 7];
}

/** `~` stands before a value below resolution, `?` before a questionable one, `<` before the floor. */
export const marks = { bound: '<', belowResolution: '~', questionable: '?' } as const;

function valueText(node: NodeReport, value: Statistics | null, { unit, floorNs }: Scale, raw: boolean): string {
  if (!value) return node.status === 'failed' ? 'failed' : none;
  if (node.status === 'questionable') return marks.questionable + inUnit(value.median, unit);
  if (node.status !== 'below-resolution') return inUnit(value.median, unit);
  if (!raw && node.isLeaf && floorNs !== null) return marks.bound + inUnit(floorNs, unit);
  return marks.belowResolution + inUnit(value.median, unit);
}

/** Part of the sum of the leaves, 0 to 1, by the report's metric. */
function shareOf(node: NodeReport, options: ReportOptions, totalNs: number | null): number | null {
  if (options.metric === 'duration' && !options.raw) return node.share;
  const value = metricOf(node, options);
  return value && totalNs ? value.median / totalNs : null;
}

export function cellsOf({ node, label, indent }: Row, scale: Scale, options: ReportOptions): Cells {
  const bounded = node.status === 'below-resolution' && node.isLeaf && !options.raw;
  // Where only a bound is known there is no spread and no share to tell.
  const untold = bounded && options.metric === 'duration';
  const share = shareOf(node, options, scale.totalNs);
  const spread = metricOf(node, options);
  return {
    event: node.eventId === null ? '' : String(node.eventId),
    name: printable(label) || none,
    indent,
    kind: node.kind,
    draws: node.draws === 0 ? '' : String(node.draws),
    duration: valueText(node, options.raw ? node.rawNs : node.durationNs, scale, options.raw),
    spread: spread && !untold ? inUnit(spread.mad, scale.unit) : '',
    cpu: node.cpuNs ? inUnit(node.cpuNs.median, scale.unit) : none,
    share: untold ? '' : share === null ? none : `${(share * 100).toFixed(1)}%`,
    bar: untold ? '' : bar(share ?? 0),
    node,
  };
}

export type ColumnName = 'event' | 'name' | 'kind' | 'draws' | 'duration' | 'spread' | 'cpu' | 'share' | 'bar';

/** Columns left to right, with what stands above them; the spread stands behind what it is the spread of. */
export function columnHeads(unit: DurationUnit, options: ReportOptions): readonly (readonly [ColumnName, string])[] {
  const isCpu = options.metric === 'cpu';
  const time = ['duration', headOf(options.raw ? 'rawNs' : 'durationNs', unit)] as const;
  const cpu = ['cpu', headOf('cpuNs', unit)] as const;
  const spread = ['spread', headOf(isCpu ? 'cpuMadNs' : 'madNs', unit)] as const;
  return [
    ['event', headOf('eventId', unit)],
    ['name', headOf('name', unit)],
    ['kind', headOf('kind', unit)],
    ['draws', headOf('draws', unit)],
    ...(isCpu ? [time, cpu, spread] : [time, spread, cpu]),
    ['share', headOf('share', unit)],
    ['bar', ''],
  ];
}
