import type { CounterKind } from '../../model/counter.ts';
import { kindOfNumber, type ValueType } from '../driver-values.ts';

/** A counter type, and whether its values lie between 0 and 100. */
export interface MonitorType extends ValueType {
  readonly percentage: boolean;
}

/** By GL enum: UNSIGNED_INT, FLOAT, UNSIGNED_INT64_AMD, PERCENTAGE_AMD. */
export const valueTypes: ReadonlyMap<number, MonitorType> = new Map([
  [0x1405, { dataType: 'u32', sizeBytes: 4, percentage: false }],
  [0x1406, { dataType: 'f32', sizeBytes: 4, percentage: false }],
  [0x8bc2, { dataType: 'u64', sizeBytes: 8, percentage: false }],
  [0x8bc3, { dataType: 'f32', sizeBytes: 4, percentage: true }],
]);

/** What each type holds at most: as a range it says nothing. */
const unbounded = (value: number | bigint) =>
  value === 0xffffffff || value === 0xffff_ffff_ffff_ffffn || (typeof value === 'number' && value > 3.4e38);

/** A counter's range in words, or nothing when it is that of its type, or none. */
export function rangeText(range: readonly [number | bigint, number | bigint] | null): string {
  if (range === null) return '';
  const [least, most] = range;
  return most > least && !unbounded(most) ? ` Between ${least} and ${most}.` : '';
}

/** Units that the extension does not tell and that counters' names do, in Mesa's words. */
const unitsByName: readonly (readonly [RegExp, string])[] = [
  [/frequency\b|\bhz\b/i, 'Hz'],
  [/^GPU Time Elapsed$|\bns\b/, 'ns'],
  [/%|\bpercent(age)?\b/i, 'percent'],
  [/\bbytes\b/i, 'bytes'],
  [/\b(clocks|cycles)\b/i, 'cycles'],
];

/** Unit and kind of a counter. Floats up to 100 are percentages on drivers that do not use the type for it (iris). */
export function unitAndKind(name: string, type: MonitorType, most: unknown): { unit: string; kind: CounterKind } {
  const percent = type.percentage || (type.dataType === 'f32' && most === 100);
  const unit = percent ? 'percent' : (unitsByName.find(([pattern]) => pattern.test(name))?.[1] ?? '');
  return { unit, kind: kindOfNumber(name, '', type.dataType, unit) };
}
