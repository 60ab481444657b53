/** What each column says about a compared event, as plain printable text. */
import type { ComparedFrame, ComparedNode, Comparison, CounterVerdict } from '../../model/comparison.ts';
import type { Finding } from '../../model/findings.ts';
import { partText } from '../../model/quantity-text.ts';
import { type DurationUnit, inUnit, unitFor, unitSymbol } from '../../model/units.ts';
import { printable } from '../printable.ts';
import { none } from '../table-columns.ts';
import type { CompareReportOptions } from './options.ts';
import { type ComparedRow, selectComparedRows } from './rows.ts';

export const comparedColumns = ['event', 'name', 'base', 'new', 'part', 'delta', 'interval', 'verdict'] as const;
export type ComparedColumn = (typeof comparedColumns)[number];

export type ComparedCells = Readonly<Record<ComparedColumn, string>> & {
  readonly indent: number;
  readonly row: ComparedRow;
};

/** One frame of a table: its unit, its columns with their heads, and its rows. */
export interface ComparedFrameCells {
  readonly frame: ComparedFrame;
  readonly heads: readonly (readonly [ComparedColumn, string])[];
  readonly rows: readonly ComparedCells[];
}

const counterWords: Readonly<Partial<Record<CounterVerdict, string>>> = {
  more: 'heavier',
  fewer: 'lighter',
  differs: 'differs',
};

/** `moved, slower, heavier`: all that is said of an event; `same` and nothing only where nothing else is. */
function verdictText({ match, time, counters, changes }: ComparedNode): string {
  if (match === 'new' || match === 'gone') return match;
  const words = new Set<string>();
  if (match === 'moved') words.add(match);
  if (time.verdict !== null && time.verdict !== 'same') words.add(time.verdict);
  for (const { verdict } of Object.values(counters)) {
    const word = counterWords[verdict];
    if (word !== undefined) words.add(word);
  }
  if (changes.length > 0) words.add('changed');
  return words.size > 0 ? [...words].join(', ') : (time.verdict ?? none);
}

/** With its sign, so that a column of them lines up. */
const signed = (durationNs: number, unit: DurationUnit): string =>
  `${durationNs >= 0 ? '+' : ''}${inUnit(durationNs, unit)}`;

function cellsOf(row: ComparedRow, unit: DurationUnit): ComparedCells {
  const { node, indent, label } = row;
  const { baseNs, newNs, deltaNs, lowNs, highNs } = node.time;
  const value = (durationNs: number | null) => (durationNs === null ? none : inUnit(durationNs, unit));
  const baseId = node.base?.eventId ?? null;
  const newId = node.new?.eventId ?? null;
  return {
    event: node.match === 'gone' ? (baseId === null ? '' : `(${baseId})`) : newId === null ? '' : String(newId),
    name: printable(label) || none,
    indent,
    base: value(baseNs),
    new: value(newNs),
    part: deltaNs === null || baseNs === null ? '' : (partText(deltaNs, baseNs) ?? none),
    delta: deltaNs === null ? '' : signed(deltaNs, unit),
    interval: lowNs === null || highNs === null ? '' : `${signed(lowNs, unit)} to ${signed(highNs, unit)}`,
    verdict: verdictText(node),
    row,
  };
}

/** The rows asked for, and the one unit they are all written in. */
export function comparedCells(
  frame: ComparedFrame,
  comparison: Comparison,
  findings: readonly Finding[],
  options: CompareReportOptions,
): ComparedFrameCells {
  const rows = selectComparedRows(frame, findings, options);
  let longestNs = 0;
  for (const { node } of rows) longestNs = Math.max(longestNs, node.time.baseNs ?? 0, node.time.newNs ?? 0);
  const unit = options.unit === 'auto' ? unitFor(longestNs) : options.unit;
  const symbol = unitSymbol(unit);
  const hasTimes = rows.some(({ node: { time } }) => time.baseNs !== null || time.newNs !== null);
  const hasIntervals = rows.some(({ node }) => node.time.lowNs !== null);
  const metric = comparison.settings.metric === 'cpu' ? 'cpu ' : '';
  const shown: Readonly<Record<ComparedColumn, string | null>> = {
    event: 'event',
    name: 'name',
    base: hasTimes ? `base ${metric}${symbol}` : null,
    new: hasTimes ? `new ${metric}${symbol}` : null,
    part: hasTimes ? 'change' : null,
    delta: hasTimes ? `change ${symbol}` : null,
    interval: hasIntervals ? `interval ${symbol}` : null,
    verdict: 'verdict',
  };
  const heads = comparedColumns.flatMap((column) => {
    const head = shown[column];
    return head === null ? [] : [[column, head] as const];
  });
  return { frame, heads, rows: rows.map((row) => cellsOf(row, unit)) };
}
