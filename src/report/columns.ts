/** What a report says of an event: one key, caption, unit and meaning for every format. */
import type { NodeReport, Statistics } from '../model/report.ts';
import { type DurationUnit, unitSymbol } from '../model/units.ts';

export interface ReportColumn {
  /** Where JSON has it, below a node unless it begins elsewhere. */
  readonly json: string;
  /** Above it in tables, Markdown and HTML. */
  readonly caption: string;
  /** In programs' formats; people read times in one unit for each frame, and parts in percent. */
  readonly unit: 'ns' | 'part' | '';
  readonly meaning: string;
}

/** By key, in the order of CSV, where columns are only ever added at the end. */
export const columns = {
  frame: { json: 'frames[].frame', caption: 'frame', unit: '', meaning: 'from 1' },
  eventId: {
    json: 'eventId',
    caption: 'event',
    unit: '',
    meaning: "number among the frame's calls; empty for the frame",
  },
  parentId: {
    json: 'parentId',
    caption: 'parent',
    unit: '',
    meaning: "the parent's event; empty when that is the frame",
  },
  depth: { json: 'depth', caption: 'depth', unit: '', meaning: '0 for the frame' },
  leaf: { json: 'isLeaf', caption: 'leaf', unit: '', meaning: '1 or 0: add up only leaves' },
  kind: { json: 'kind', caption: 'kind', unit: '', meaning: 'frame, marker, pass, or what the action does' },
  name: { json: 'name', caption: 'name', unit: '', meaning: 'as the captured program has it' },
  path: { json: 'path', caption: 'path', unit: '', meaning: 'names from below the frame to this event' },
  draws: { json: 'draws', caption: 'draws', unit: '', meaning: 'draws inside' },
  durationNs: {
    json: 'durationNs.median',
    caption: 'time',
    unit: 'ns',
    meaning: 'median duration, the floor subtracted',
  },
  minNs: { json: 'durationNs.min', caption: 'min', unit: 'ns', meaning: 'shortest duration of a run' },
  maxNs: { json: 'durationNs.max', caption: 'max', unit: 'ns', meaning: 'longest duration of a run' },
  madNs: { json: 'durationNs.mad', caption: '±', unit: 'ns', meaning: 'median absolute deviation of the duration' },
  low95Ns: {
    json: 'durationNs.low95',
    caption: 'low 95%',
    unit: 'ns',
    meaning: 'the median lies above it with 95% confidence',
  },
  high95Ns: { json: 'durationNs.high95', caption: 'high 95%', unit: 'ns', meaning: 'and below this' },
  rawNs: { json: 'rawNs.median', caption: 'raw', unit: 'ns', meaning: 'median reading, floor included' },
  cpuNs: { json: 'cpuNs.median', caption: 'cpu', unit: 'ns', meaning: 'median CPU time; empty on hardware renderers' },
  cpuMadNs: { json: 'cpuNs.mad', caption: 'cpu ±', unit: 'ns', meaning: 'median absolute deviation of the CPU time' },
  share: { json: 'share', caption: 'share', unit: 'part', meaning: 'part of the sum of all leaves' },
  runs: { json: 'durationNs.runs', caption: 'runs', unit: '', meaning: "runs that the duration's statistics rest on" },
  timer: { json: 'settings.method', caption: 'timer', unit: '', meaning: 'timer method used' },
  status: { json: 'status', caption: 'status', unit: '', meaning: 'ok, below-resolution, questionable or failed' },
  reason: { json: 'reason', caption: 'reason', unit: '', meaning: 'why the status is not ok' },
} as const satisfies Readonly<Record<string, ReportColumn>>;

export type ColumnKey = keyof typeof columns;
export type TimeKey = { [key in ColumnKey]: (typeof columns)[key]['unit'] extends 'ns' ? key : never }[ColumnKey];

export const columnKeys = Object.keys(columns) as ColumnKey[];

/** Caption and unit, as tables, Markdown and HTML have it: `time ms`. */
export function headOf(key: ColumnKey, unit: DurationUnit): string {
  const column: ReportColumn = columns[key];
  return column.unit === 'ns' ? `${column.caption} ${unitSymbol(unit)}` : column.caption;
}

/** Reads a time of events in nanoseconds; null when it was not measured. */
export function timesOf(key: TimeKey): (node: NodeReport) => number | null {
  const [of, part] = columns[key].json.split('.') as ['durationNs' | 'rawNs' | 'cpuNs', keyof Statistics];
  return (node) => node[of]?.[part] ?? null;
}
