import type { GlContext } from '../gl/context.ts';
import type { MetricSourceName } from '../model/counter.ts';
import { amdSource } from './amd/amd-source.ts';
import { intelSource } from './intel/intel-source.ts';
import type { MetricSource } from './metric-source.ts';
import { statisticsSource } from './statistics.ts';
import { finishMethod, type TimerMethod, timerMethod } from './timer-method.ts';
import { timerSource } from './timer-source.ts';

export interface MissingSource {
  readonly source: MetricSourceName;
  /** Why it is not to be had, one clause. */
  readonly reason: string;
}

export interface OpenedSources {
  /** The timer first. */
  readonly sources: readonly MetricSource[];
  readonly missing: readonly MissingSource[];
}

const openers: readonly (readonly [MetricSourceName, (context: GlContext) => MetricSource | string])[] = [
  ['statistics', statisticsSource],
  ['intel', (context) => intelSource(context)],
  ['amd', amdSource],
];

/** Without a trust check: brackets of their own on software renderers, where nothing else reads the truth. */
function usualMethod(context: GlContext): TimerMethod {
  if (context.software) return finishMethod(context);
  const elapsed = timerMethod(context, 'elapsed');
  return typeof elapsed === 'string' ? finishMethod(context) : elapsed;
}

/**
 * All that a context can measure, and what it cannot, with the reason. A source that fails when it is opened is missing.
 * The timer goes by `method`, by default the one that is usual for the renderer.
 */
export function openMetricSources(context: GlContext, method: TimerMethod = usualMethod(context)): OpenedSources {
  const sources = [timerSource(context, method)];
  const missing: MissingSource[] = [];
  for (const [source, open] of openers) {
    try {
      const opened = open(context);
      if (typeof opened === 'string') missing.push({ source, reason: opened });
      else sources.push(opened);
    } catch (error) {
      missing.push({ source, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { sources, missing };
}
