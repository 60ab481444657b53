/** Counter values as people read them: one unit and one precision for a whole column. */
import type { CounterInfo, CounterValue } from '../model/counter.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { shorten } from './text.ts';
import { inUnit, unitFor, unitSymbol } from './units.ts';

/** How a column is written, and the unit that stands in its head; empty for plain counts. */
export interface ValueStyle {
  readonly unit: string;
  readonly text: (value: number | bigint) => string;
}

const widestUnit = 16;
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Digits in threes: a comma is taken by spreadsheets, and a double click selects the number as a whole. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

const wholeText = (value: number | bigint): string =>
  grouped(typeof value === 'number' ? value.toFixed(0) : String(value));

/** Three significant digits each, for quotients of one column may be far apart. */
function decimalText(value: number | bigint): string {
  const number = Number(value);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-6 || size >= 1e15)) return number.toExponential(2);
  const decimals = size === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)));
  const [whole, fraction] = number.toFixed(decimals).split('.');
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

/** One decimal; what is more than nothing does not read as nothing. */
const tenths = (value: number): string => (value > 0 && value < 0.05 ? '<0.1' : value.toFixed(1));

function bytesStyle(largest: number): ValueStyle {
  const step = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(largest, 1)) / 10)));
  const text = (value: number | bigint) => (step === 0 ? wholeText(value) : tenths(Number(value) / 1024 ** step));
  return { unit: byteUnits[step], text };
}

function numberStyle(counter: CounterInfo, largest: number, unit: ReportOptions['unit']): ValueStyle {
  const isWhole = counter.dataType === 'u32' || counter.dataType === 'u64';
  // "ns per fragment" stays in nanoseconds, and neither it nor "Target Samples" says its unit twice.
  const saysUnit = counter.name.toLowerCase().split(' ').includes(counter.unit.toLowerCase());
  if (counter.unit === 'bytes') return bytesStyle(largest);
  if (counter.unit === 'percent') return { unit: '%', text: (value) => tenths(Number(value)) };
  if (counter.unit === 'ns' && !saysUnit) {
    const chosen = unit === 'auto' ? unitFor(largest) : unit;
    const text = (value: number | bigint) => inUnit(Number(value), chosen);
    if (isWhole || chosen !== 'ns') return { unit: unitSymbol(chosen), text };
  }
  const symbol = saysUnit ? '' : shorten(printable(counter.unit), widestUnit);
  return { unit: symbol, text: isWhole ? wholeText : decimalText };
}

/** How to write the numbers among these values of a counter. */
export function styleOf(
  counter: CounterInfo,
  values: readonly CounterValue[],
  unit: ReportOptions['unit'],
): ValueStyle {
  let largest = 0;
  for (const value of values) if (typeof value !== 'boolean') largest = Math.max(largest, Math.abs(Number(value ?? 0)));
  return numberStyle(counter, largest, unit);
}
