/** Counter values as people read them: one unit and one precision for a whole column. */
import type { CounterInfo, CounterValue } from '../model/counter.ts';
import { byteUnitFor, decimalText, inByteUnit, tenths, wholeText } from '../model/quantity-text.ts';
import { inUnit, unitFor, unitSymbol } from '../model/units.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { shorten } from './text.ts';

/** How a column is written, and the unit that stands in its head; empty for plain counts. */
export interface ValueStyle {
  readonly unit: string;
  readonly text: (value: number | bigint) => string;
}

const widestUnit = 16;

function bytesStyle(largest: number): ValueStyle {
  const unit = byteUnitFor(largest);
  return { unit, text: (value) => inByteUnit(value, unit) };
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
