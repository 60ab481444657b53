import type { CounterDataType, CounterKind } from '../../model/counter.ts';
import { kindOfNumber, type ValueType } from '../driver-values.ts';

/** By GL enum: PERFQUERY_COUNTER_DATA_*_INTEL. */
export const valueTypes: ReadonlyMap<number, ValueType> = new Map([
  [0x94f8, { dataType: 'u32', sizeBytes: 4 }],
  [0x94f9, { dataType: 'u64', sizeBytes: 8 }],
  [0x94fa, { dataType: 'f32', sizeBytes: 4 }],
  [0x94fb, { dataType: 'f64', sizeBytes: 8 }],
  [0x94fc, { dataType: 'bool', sizeBytes: 4 }],
]);

/** PERFQUERY_COUNTER_*_INTEL */
const EVENT = 0x94f0;
const DURATION_NORM = 0x94f1;
const DURATION_RAW = 0x94f2;
const THROUGHPUT = 0x94f3;
const RAW = 0x94f4;
const TIMESTAMP = 0x94f5;

/** Drivers' words for units, in this program's. */
const units: Readonly<Record<string, string>> = {
  percent: 'percent',
  percentage: 'percent',
  '%': 'percent',
  nanoseconds: 'ns',
  microseconds: 'us',
  milliseconds: 'ms',
  seconds: 's',
  hz: 'Hz',
  khz: 'kHz',
  mhz: 'MHz',
  ghz: 'GHz',
  byte: 'bytes',
  clocks: 'cycles',
  number: '',
  none: '',
};
const unitText = /\s*\bunits?:\s*([^.]*?)\s*(?:\.|$)/i;

/** Unit and description apart, of a description such as `Time elapsed on the GPU. Unit: ns.` */
export function unitOf(description: string): { unit: string; description: string } {
  const found = unitText.exec(description);
  if (!found) return { unit: '', description };
  const word = found[1];
  const rest = `${description.slice(0, found.index)} ${description.slice(found.index + found[0].length)}`.trim();
  return { unit: units[word.toLowerCase()] ?? word, description: rest };
}

/** What a parent of the event tree can make of a counter. Unit and name come first: drivers give frequencies as events. */
export function kindOf(
  name: string,
  type: number,
  dataType: CounterDataType,
  unit: string,
  description = '',
): CounterKind {
  if (dataType === 'bool') return 'any';
  if (type === TIMESTAMP) return 'point';
  const kind = kindOfNumber(name, description, dataType, unit);
  if (kind !== 'sum') return kind;
  if (type === DURATION_NORM) return 'average';
  return [EVENT, THROUGHPUT, DURATION_RAW, RAW].includes(type) ? 'sum' : 'point';
}

/** Pipeline statistics, in Mesa's names: they count work, which a deterministic renderer repeats. */
const statisticNames = /^N .*(submitted|invocations|emitted|clipping|fragments)$|^SO_(NUM_PRIMS|PRIM_STORAGE)/;

/** Whether every run counts the same. */
export const isExact = (name: string, dataType: CounterDataType): boolean =>
  (dataType === 'u32' || dataType === 'u64') && statisticNames.test(name);

/** What casts doubt on a result when it is not zero: the extension's FrequencyChanged and SplitOccured, and their like. */
const flagNames = /changed$|occur+ed$|overrun|overflow|preempted|(reports?|data) ?lost/i;

/** Whether a counter is a flag about the whole result. */
export const isFlag = (name: string, dataType: CounterDataType): boolean =>
  (dataType === 'bool' || dataType === 'u32') && flagNames.test(name);
