/** Budgets as they are written, as rules. */
import { type Budget, isAbove, type Limit, needsBase, parseLimit } from '../../analysis/gate/limit.ts';
import type { GateBudgets, GateLimits, GateMetricLimit } from '../../model/gate-config.ts';
import { nearest } from '../nearest.ts';
import { faultAt } from '../schema-error.ts';
import { type Metric, metricNames, metricOf } from './metrics.ts';

/** A file's name in messages, and where in it the budgets stand. */
export interface BudgetsPlace {
  readonly file: string;
  readonly place: readonly PropertyKey[];
}

const isLevel = (key: string): boolean => key === 'warn' || key === 'fail';

/** A limit, or warn and fail; what else is an object holds limits by metric. */
const isLevels = (value: GateMetricLimit | GateLimits): value is GateMetricLimit =>
  typeof value !== 'object' || Object.keys(value).some(isLevel);

function metric(name: string, { file, place }: BudgetsPlace): Metric {
  const found = metricOf(name);
  if (found) return found;
  throw faultAt(file, place, `${JSON.stringify(name)} is no metric${nearest(name, metricNames)}`);
}

function limit(written: string | number | undefined, { dimension }: Metric, { file, place }: BudgetsPlace) {
  if (written === undefined) return null;
  const read: Limit | string = parseLimit(written, dimension);
  if (typeof read === 'string') throw faultAt(file, place, read);
  return read;
}

function budget(pattern: string, name: string, levels: GateMetricLimit, { file, place }: BudgetsPlace): Budget {
  const found = metric(name, { file, place });
  const at = (...more: PropertyKey[]): BudgetsPlace => ({ file, place: [...place, ...more] });
  const { id, unit } = found;
  if (typeof levels !== 'object') return { pattern, metric: id, unit, warn: null, fail: limit(levels, found, at()) };
  const other = Object.keys(levels).find((key) => !isLevel(key));
  if (other !== undefined)
    throw faultAt(file, at(other).place, `it stands beside warn and fail${nearest(other, ['warn', 'fail'])}`);
  if (levels.warn === undefined && levels.fail === undefined) throw faultAt(file, place, 'it has no limits');
  const warn = limit(levels.warn, found, at('warn'));
  const fail = limit(levels.fail, found, at('fail'));
  if (warn && fail && isAbove(warn, fail))
    throw faultAt(file, at('warn').place, `${warn.text} is above the limit to fail at, ${fail.text}`);
  return { pattern, metric: id, unit, warn, fail };
}

/** Throws GpuprofError `bad-input` for an unknown metric and for a limit that is none, with its place. */
export function readBudgets(budgets: GateBudgets, { file, place }: BudgetsPlace): Budget[] {
  return Object.entries(budgets).flatMap(([key, value]) => {
    const at = (...more: PropertyKey[]): BudgetsPlace => ({ file, place: [...place, key, ...more] });
    if (isLevels(value)) return [budget('', key, value, at())];
    if (key === '') throw faultAt(file, at().place, 'it is no path; the frame itself is "frame"');
    const limits = Object.entries(value);
    if (limits.length === 0) throw faultAt(file, at().place, 'it has no limits');
    const pattern = key === 'frame' ? '' : key;
    return limits.map(([name, levels]) => budget(pattern, name, levels, at(name)));
  });
}

/**
 * All of both. A limit of `general` gives way to limits of `own` on the same metric of the same events that are of its
 * kind: absolute, or relative to the baseline.
 */
export function mergeBudgets(general: readonly Budget[], own: readonly Budget[]): Budget[] {
  const kept = general.flatMap((one): Budget[] => {
    const others = own.filter(({ pattern, metric: id }) => pattern === one.pattern && id === one.metric);
    const limits = others.flatMap(({ warn, fail }) => [warn, fail]).filter((limit) => limit !== null);
    const remaining = (limit: Limit | null): Limit | null =>
      limits.some((other) => needsBase(other) === needsBase(limit)) ? null : limit;
    const [warn, fail] = [remaining(one.warn), remaining(one.fail)];
    return warn || fail ? [{ ...one, warn, fail }] : [];
  });
  return [...kept, ...own];
}
