/** The metrics that budgets name. */
import { derivedSet } from '../../analysis/derived.ts';
import type { LimitDimension } from '../../analysis/gate/limit.ts';
import { memorySet } from '../../query/memory.ts';
import { knownStatistics } from '../../query/statistics-counters.ts';

export interface CounterMetric {
  readonly id: string;
  readonly description: string;
  readonly unit: string;
}

export interface Metric {
  /** `duration`, `cpu`, or a counter's id. */
  readonly id: string;
  readonly unit: string;
  readonly dimension: LimitDimension;
}

/** `PS Invocations` as `psInvocations`. */
function camelCase(name: string): string {
  const [first = '', ...rest] = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return first.toLowerCase() + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}

const known: readonly (CounterMetric & { readonly name: string })[] = [
  ...[...knownStatistics({ api: 'gl' }), ...knownStatistics({ api: 'es' })].map(({ name, description }) => ({
    id: `statistics/${name}`,
    name,
    description,
    unit: '',
  })),
  ...[memorySet, derivedSet].flatMap(({ counters }) => counters),
];

/** Counters that every machine knows, by their names in camel case. */
export const counterMetrics: ReadonlyMap<string, CounterMetric> = new Map(
  known.map(({ id, name, description, unit }) => [camelCase(name), { id, description, unit }]),
);

export const metricNames: readonly string[] = ['duration', 'cpu', ...counterMetrics.keys()];

const dimensionOf = (unit: string): LimitDimension => {
  if (unit === 'bytes') return 'bytes';
  return unit === 'ns' ? 'time' : 'count';
};

/** A vendor's counter has whatever unit it has; a limit on it is a number. */
const isVendor = (id: string): boolean => /^(intel|amd)\/.+\/.+/.test(id);

/** The metric of this name; `textureBytes` is short for `textureBytesBound`. Undefined when there is none. */
export function metricOf(name: string): Metric | undefined {
  if (name === 'duration' || name === 'cpu') return { id: name, unit: 'ns', dimension: 'time' };
  const counter =
    counterMetrics.get(name) ?? counterMetrics.get(`${name}Bound`) ?? known.find((one) => one.id === name);
  if (counter) return { id: counter.id, unit: counter.unit, dimension: dimensionOf(counter.unit) };
  return isVendor(name) ? { id: name, unit: '', dimension: 'count' } : undefined;
}
