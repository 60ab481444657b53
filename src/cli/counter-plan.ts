/** Which counters a replay measures, and on which context. */
import { countersToMeasure } from '../analysis/analyse-counters.ts';
import { derivedNeeds, derivedSet } from '../analysis/derived.ts';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import type { Manifest } from '../model/capture.ts';
import type { CounterInfo, MetricSet } from '../model/counter.ts';
import type { CounterSetReport, Warning } from '../model/report.ts';
import type { CounterRequest } from '../query/measure-counters.ts';
import { memorySet } from '../query/memory.ts';
import type { MetricSource } from '../query/metric-source.ts';
import { openMetricSources } from '../query/open-sources.ts';
import { selectCounters } from '../query/select-counters.ts';
import { desktopStatistics, lostCounters } from './lost-counters.ts';
import { openDriver } from './open-driver.ts';
import type { ReplayOptions } from './replay-options.ts';

export interface CounterPlan {
  /** Ids of the counters that get a column. */
  readonly shown: ReadonlySet<string>;
  /** Measured on the context of the times. */
  readonly requests: readonly CounterRequest[];
  /** Measured on a desktop context of their own. */
  readonly elsewhere: { readonly context: GlContext; readonly requests: readonly CounterRequest[] } | null;
  /** Told from the capture. */
  readonly memory: readonly CounterInfo[];
  /** Asked for by name, and not to be had here. */
  readonly lost: readonly CounterSetReport[];
  readonly warnings: readonly Warning[];
}

/** A set's counters that derived ones are worked out from. */
function neededOf(set: MetricSet, derived: readonly CounterInfo[]): CounterInfo[] {
  const needs = new Set(derived.flatMap(derivedNeeds));
  return set.counters.filter(({ id }) => needs.has(id));
}

interface Desktop {
  readonly context: GlContext;
  readonly source: MetricSource;
}

/** A desktop context that counts work, which OpenGL ES hardly does; a string says why there is none. */
async function openDesktop(manifest: Manifest): Promise<Desktop | string> {
  try {
    const context = await openDriver({ driver: 'egl', api: 'gl' }, manifest);
    const { sources, missing } = openMetricSources(context);
    const source = sources.find(({ type }) => type === 'statistics');
    if (source) return { context, source };
    context.destroy();
    return missing.find((one) => one.source === 'statistics')?.reason ?? 'it has no statistics';
  } catch (error) {
    if (error instanceof GpuprofError) return error.message;
    throw error;
  }
}

/** Requests of a source: what was asked for, and what that is worked out from. */
function requestsOf(
  source: MetricSource,
  asked: ReadonlyMap<string, readonly CounterInfo[]>,
  derived: readonly CounterInfo[],
) {
  return source.sets.flatMap((set): CounterRequest[] => {
    const counters = countersToMeasure(set, [...(asked.get(set.id) ?? []), ...neededOf(set, derived)]);
    return counters.length > 0 ? [{ source, set, counters }] : [];
  });
}

/**
 * Works out what `--counters` asks for on this context. An ES context is joined by a desktop one for the statistics,
 * unless `--api` says otherwise. Throws GpuprofError `bad-usage` for a pattern that means nothing anywhere.
 */
export async function planCounters(
  context: GlContext,
  manifest: Manifest,
  options: Pick<ReplayOptions, 'counters' | 'api'>,
): Promise<CounterPlan | null> {
  const patterns = options.counters;
  if (patterns === undefined) return null;
  const opened = openMetricSources(context);
  const derivable = selectCounters([derivedSet], patterns).selected.flatMap(({ counters }) => counters);
  const wanted = [desktopStatistics()].flatMap((set) => [
    ...selectCounters([set], patterns).selected,
    ...neededOf(set, derivable),
  ]);
  const seeksDesktop = context.api === 'es' && options.api === undefined && wanted.length > 0;
  const desktop = seeksDesktop ? await openDesktop(manifest) : null;
  if (seeksDesktop) context.makeCurrent();
  const isElsewhere = desktop !== null && typeof desktop !== 'string';
  const own = opened.sources.filter(({ type }) => type !== 'timer' && !(type === 'statistics' && isElsewhere));
  const sources = isElsewhere ? [desktop.source, ...own] : own;
  const timer = opened.sources.flatMap(({ type, sets }) => (type === 'timer' ? sets : []));
  const sets = [...sources.flatMap((source) => source.sets), memorySet, derivedSet];
  const { selected } = selectCounters(sets, patterns);
  const { unmatched } = selectCounters([...timer, ...sets], patterns);
  const why = typeof desktop === 'string' ? `no desktop OpenGL context to count on: ${desktop}` : null;
  const lost = lostCounters(patterns, unmatched, sources, opened.missing, why);
  const standIn = why !== null && selected.some(({ set }) => set.source === 'statistics');
  const reduced = { code: 'counters-reduced', message: `statistics are those of OpenGL ES: ${why}` };
  const asked = new Map(selected.map(({ set, counters }) => [set.id, counters]));
  return {
    shown: new Set(selected.flatMap(({ counters }) => counters.map(({ id }) => id))),
    requests: own.flatMap((source) => requestsOf(source, asked, derivable)),
    elsewhere: isElsewhere
      ? { context: desktop.context, requests: requestsOf(desktop.source, asked, derivable) }
      : null,
    memory: countersToMeasure(memorySet, [...(asked.get('memory') ?? []), ...neededOf(memorySet, derivable)]),
    lost: lost.sets,
    warnings: [...(standIn ? [reduced] : []), ...lost.warnings],
  };
}
