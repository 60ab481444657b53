/** Values of counters as people read them. */
import type { CounterValue } from './counter.ts';
import { durationText } from './units.ts';

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
type ByteUnit = (typeof byteUnits)[number];

/** Digits in threes: a comma is taken by spreadsheets, and a double click selects the number as a whole. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

export const wholeText = (value: number | bigint): string =>
  grouped(typeof value === 'number' ? value.toFixed(0) : String(value));

/** Three significant digits each, for quotients of one column may be far apart. */
export function decimalText(value: number | bigint): string {
  const number = Number(value);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-6 || size >= 1e15)) return number.toExponential(2);
  const decimals = size === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)));
  const [whole, fraction] = number.toFixed(decimals).split('.');
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

/** One decimal; what is more than nothing does not read as nothing. */
export const tenths = (value: number): string => (value > 0 && value < 0.05 ? '<0.1' : value.toFixed(1));

/** The unit in which this many bytes read best. */
export const byteUnitFor = (largest: number): ByteUnit =>
  byteUnits[Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(largest, 1)) / 10)))];

/** Bytes in the unit: whole ones, else with one decimal; no symbol. */
export function inByteUnit(sizeBytes: number | bigint, unit: ByteUnit): string {
  const step = byteUnits.indexOf(unit);
  return step === 0 ? wholeText(sizeBytes) : tenths(Number(sizeBytes) / 1024 ** step);
}

/** A value by itself, with its unit: `12.6 ms`, `2.5 MiB`, `40.3%`, `307,200`, `yes`; `none` where there is no value. */
export function quantityText(value: CounterValue, unit: string): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const size = Math.abs(Number(value));
  if (unit === 'ns') return `${value < 0 ? '-' : ''}${durationText(size)}`;
  if (unit === 'bytes') {
    const byteUnit = byteUnitFor(size);
    return `${inByteUnit(value, byteUnit)} ${byteUnit}`;
  }
  if (unit === 'percent') return `${tenths(Number(value))}%`;
  const text = typeof value === 'bigint' || Number.isInteger(value) ? wholeText(value) : decimalText(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** A difference, always with its sign: `+307,200`, `-1.20 ms`. */
export const changeText = (delta: number | bigint, unit: string): string =>
  `${delta >= 0 ? '+' : ''}${quantityText(delta, unit)}`;

/** A change as part of `base`, with its sign: `+12.3%`; null where there is no base, or one too small for a part. */
export function partText(delta: number | bigint, base: number | bigint): string | null {
  if (Number(base) === 0) return null;
  const percent = (Number(delta) / Math.abs(Number(base))) * 100;
  if (!Number.isFinite(percent)) return null;
  if (percent !== 0 && Math.abs(percent) < 0.05) return percent > 0 ? '<+0.1%' : '>-0.1%';
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(Math.abs(percent) < 1000 ? 1 : 0)}%`;
}
