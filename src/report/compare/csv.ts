import { stringify } from 'csv-stringify/sync';
import type { ComparedFrame, ComparedNode, Comparison } from '../../model/comparison.ts';
import type { CounterValue } from '../../model/counter.ts';
import { changesText } from '../../model/finding-text.ts';
import { findings } from '../../model/findings.ts';
import { printable } from '../printable.ts';
import type { CompareReportOptions } from './options.ts';
import { selectComparedRows } from './rows.ts';

/** Stable: columns are only ever added at the end (SCHEMA.md). */
const columns = [
  'baseFrame',
  'newFrame',
  'match',
  'baseEventId',
  'newEventId',
  'depth',
  'leaf',
  'kind',
  'name',
  'basePath',
  'newPath',
  'baseDraws',
  'newDraws',
  'metric',
  'baseNs',
  'newNs',
  'deltaNs',
  'lowNs',
  'highNs',
  'thresholdNs',
  'change',
  'verdict',
  'reason',
  'changes',
] as const;
type Value = string | number | bigint | null;

const blockRows = 500;
const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));
const text = (value: string | undefined | null): string | null => (value == null ? null : printable(value));

function valuesOf(
  { baseFrame, newFrame }: ComparedFrame,
  node: ComparedNode,
  metric: Comparison['settings']['metric'],
): { readonly [column in (typeof columns)[number]]: Value } {
  const { base, new: next, time } = node;
  const { baseNs, deltaNs } = time;
  return {
    baseFrame,
    newFrame,
    match: node.match,
    baseEventId: base?.eventId ?? null,
    newEventId: next?.eventId ?? null,
    depth: node.depth,
    leaf: node.isLeaf ? 1 : 0,
    kind: node.kind,
    name: text((next ?? base)?.name),
    basePath: text(base?.path),
    newPath: text(next?.path),
    baseDraws: base?.draws ?? null,
    newDraws: next?.draws ?? null,
    metric,
    baseNs: whole(baseNs),
    newNs: whole(time.newNs),
    deltaNs: whole(deltaNs),
    lowNs: whole(time.lowNs),
    highNs: whole(time.highNs),
    thresholdNs: whole(time.thresholdNs),
    change: deltaNs === null || !baseNs ? null : Number((deltaNs / baseNs).toFixed(6)),
    verdict: time.verdict,
    reason: text(time.reason),
    changes: text(changesText(node.changes)),
  };
}

/** Booleans as words: csv-stringify would write 1 and nothing. */
const counterValue = (value: CounterValue): Value => (typeof value === 'boolean' ? String(value) : value);

/** Four columns for each counter. */
function counterValues(node: ComparedNode, ids: readonly string[]): Value[] {
  return ids.flatMap((id) => {
    const change = node.counters[id];
    if (!change) return [null, null, null, null];
    return [counterValue(change.base), counterValue(change.new), change.delta, change.verdict];
  });
}

const render = (records: readonly (readonly Value[])[]): string =>
  stringify([...records], { record_delimiter: 'windows', escape_formulas: true });

/**
 * RFC 4180, one row an event, with columns and units as SCHEMA.md has them, all counters behind the others. Text that a
 * spreadsheet would run is disarmed.
 */
export function* compareCsv(comparison: Comparison, options: CompareReportOptions): Generator<string> {
  const ids = comparison.counters.map(({ id }) => id);
  const heads = ids.flatMap((id) => ['base', 'new', 'delta', 'verdict'].map((part) => `${printable(id)} ${part}`));
  yield render([[...columns, ...heads]]);
  const list = findings(comparison);
  for (const frame of comparison.frames) {
    const rows = selectComparedRows(frame, list, options);
    for (let start = 0; start < rows.length; start += blockRows)
      yield render(
        rows.slice(start, start + blockRows).map(({ node }) => {
          const values = valuesOf(frame, node, comparison.settings.metric);
          return [...columns.map((column) => values[column]), ...counterValues(node, ids)];
        }),
      );
  }
}
