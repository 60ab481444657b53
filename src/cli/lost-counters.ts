/** Counters that were asked for and are not to be had here, with the reasons. */
import { GpuprofError } from '../errors.ts';
import type { CounterInfo, MetricSet, MetricSourceName } from '../model/counter.ts';
import type { CounterSetReport, Warning } from '../model/report.ts';
import type { MetricSource } from '../query/metric-source.ts';
import type { MissingSource } from '../query/open-sources.ts';
import { type LostCounter, selectCounters, selectLost } from '../query/select-counters.ts';
import { knownStatistics } from '../query/statistics-counters.ts';

const vendors: readonly MetricSourceName[] = ['intel', 'amd'];

/** The statistics set as desktop GL can have it, for patterns only. */
export function desktopStatistics(): MetricSet {
  const counters = knownStatistics({ api: 'gl' }).map(
    ({ name, description }): CounterInfo => ({
      id: `statistics/${name}`,
      set: 'statistics',
      name,
      description,
      unit: '',
      dataType: 'u64',
      kind: 'sum',
      exact: true,
    }),
  );
  return { id: 'statistics', source: 'statistics', name: 'statistics', description: '', scope: 'context', counters };
}

const lostSet = (source: MetricSourceName, id: string, reason: string): CounterSetReport => ({
  id,
  source,
  name: id,
  description: '',
  scope: 'context',
  counters: [],
  origin: null,
  passes: 0,
  runs: 0,
  status: 'failed',
  reason,
});

/** What a pattern that means nothing here would mean elsewhere; undefined when that is nothing, too. */
function lostBy(pattern: string, missing: readonly MissingSource[], why: string | null): CounterSetReport | undefined {
  const text = pattern.toLowerCase();
  for (const source of vendors)
    if (text === source || text.startsWith(`${source}/`)) {
      const reason = missing.find((one) => one.source === source)?.reason ?? `nothing of it is called ${pattern}`;
      return lostSet(source, pattern, reason);
    }
  if (selectCounters([desktopStatistics()], [pattern]).unmatched.length > 0) return undefined;
  const stays = 'OpenGL ES does not count it; without --api es a desktop context does';
  const reason = why ?? missing.find((one) => one.source === 'statistics')?.reason ?? stays;
  return lostSet('statistics', pattern, reason);
}

/** The sets that are lost whole, each once. */
function setsOf(lost: readonly LostCounter[]): CounterSetReport[] {
  const whole = new Map<string, CounterSetReport>();
  for (const { source, id, set, reason } of lost)
    if (!set) whole.set(id, lostSet(source, id, reason));
    else if (set.counters.length === 0 && !whole.has(set.id)) whole.set(set.id, lostSet(source, set.id, reason));
  return [...whole.values()];
}

/** One warning for each set of which some counters are lost. */
function warningsOf(lost: readonly LostCounter[]): Warning[] {
  const sets = new Set(lost.flatMap(({ set }) => (set && set.counters.length > 0 ? [set.id] : [])));
  return [...sets].map((id) => {
    const [first, ...others] = lost.filter(({ set }) => set?.id === id);
    const more = others.length > 0 ? `; nor can ${others.length} more of ${id}` : '';
    return { code: 'counters-lost', message: `${first.id} cannot be measured: ${first.reason}${more}` };
  });
}

/**
 * What these patterns mean that cannot be measured: whole sets, and counters of sets that have others. `unmatched` are
 * the patterns that mean nothing that can be. Throws GpuprofError `bad-usage` for one that means nothing anywhere.
 */
export function lostCounters(
  patterns: readonly string[],
  unmatched: readonly string[],
  sources: readonly MetricSource[],
  missing: readonly MissingSource[],
  why: string | null,
): { readonly sets: readonly CounterSetReport[]; readonly warnings: readonly Warning[] } {
  const { lost, unmatched: unknown } = selectLost(sources, patterns);
  const elsewhere = unmatched
    .filter((pattern) => unknown.includes(pattern))
    .map((pattern) => {
      const set = lostBy(pattern, missing, why);
      if (set) return set;
      throw new GpuprofError('bad-usage', `no counter is called "${pattern}"`, {
        hint: '`gpuprof counters` lists what this machine has',
      });
    });
  return { sets: [...setsOf(lost), ...elsewhere], warnings: warningsOf(lost) };
}
