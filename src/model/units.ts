/** Durations as people read them. */

export type DurationUnit = 'ns' | 'us' | 'ms' | 's';

interface Unit {
  readonly symbol: string;
  readonly sizeNs: number;
  readonly decimals: number;
}

const units: Readonly<Record<DurationUnit, Unit>> = {
  ns: { symbol: 'ns', sizeNs: 1, decimals: 0 },
  us: { symbol: 'µs', sizeNs: 1e3, decimals: 2 },
  ms: { symbol: 'ms', sizeNs: 1e6, decimals: 3 },
  s: { symbol: 's', sizeNs: 1e9, decimals: 6 },
};

/** The unit in which a duration reads best: from 1 µs, 1 ms and 10 s on the next larger one. */
export function unitFor(longestNs: number): DurationUnit {
  if (longestNs >= 1e10) return 's';
  if (longestNs >= 1e6) return 'ms';
  return longestNs >= 1e3 ? 'us' : 'ns';
}

export const unitSymbol = (unit: DurationUnit): string => units[unit].symbol;

/** A duration in the unit, always with the unit's decimals, so that a column of them lines up; no symbol. */
export function inUnit(durationNs: number, unit: DurationUnit): string {
  const { sizeNs, decimals } = units[unit];
  return (durationNs / sizeNs).toFixed(decimals);
}

/** A duration by itself: its own unit, three or more significant digits, and the symbol ("12.6 ms"). */
export function durationText(durationNs: number): string {
  const { symbol, sizeNs } = units[unitFor(durationNs)];
  const value = durationNs / sizeNs;
  const decimals = symbol === 'ns' ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(decimals)} ${symbol}`;
}
