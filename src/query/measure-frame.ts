import { setImmediate } from 'node:timers/promises';
import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { FrameMeasurement, PlainSample, RunSample } from '../model/sample.ts';
import { FrameMeter, type MeterOptions } from './frame-meter.ts';
import type { PlayableFrame } from './run-meter.ts';
import { hasSettled } from './settle.ts';

export interface MeasureOptions extends MeterOptions {
  /** Exactly this many measured runs; by default as many as it takes to settle within the budget. */
  readonly runs?: number;
  /** Exactly this many warm-up runs. */
  readonly warmups?: number;
  /** Time after which no further run begins, in milliseconds, once there are three; 1000 by default. */
  readonly budgetMs?: number;
  readonly onProgress?: (progress: MeasureProgress) => void;
  /** Each measured run as soon as it is done; a plain run comes before the bracketed one that it is a pair with. */
  readonly onSample?: (sample: { readonly plain: PlainSample } | { readonly run: RunSample }) => void;
  /** Between two runs, after a warm-up or with a plain run's sample; the next waits for the promise. */
  readonly betweenRuns?: (plain: PlainSample | null) => Promise<void> | undefined;
}

export interface MeasureProgress {
  readonly phase: 'warm-up' | 'run';
  /** From 1. */
  readonly run: number;
  /** How many there will be, when that is known. */
  readonly runs: number | null;
}

const defaultWarmups = 1;
const defaultBudgetMs = 1000;
const runsWhatever = 3;
const mostRuns = 200;
/** A sum settles before its leaves do: on a GPU, where runs are short, this part of the budget goes into more of them. */
const leastOfBudgetOnGpu = 0.25;
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + (value || 0), 0);

/**
 * Replays a frame again and again: warm-up runs, or else once unmeasured, then pairs of a plain run (one bracket around
 * the whole frame) and a bracketed run (one around every leaf), so that both see the same machine. Without a number of
 * runs it goes on until the median of the leaves' sum has settled (see {@link hasSettled}), on a GPU for a quarter of the
 * budget at least, or until the budget is spent. Yields between runs.
 */
export async function measureFrame(
  context: GlContext,
  replay: PlayableFrame,
  tree: EventTree,
  options: MeasureOptions,
): Promise<FrameMeasurement> {
  const { onProgress, onSample, betweenRuns } = options;
  if (replay.calls.length === 0)
    return { frame: replay.frame, plain: [], runs: [], repeated: 0, warmups: 0, problem: null };
  const budgetNs = (options.budgetMs ?? defaultBudgetMs) * 1e6;
  const leastNs = context.software ? 0 : budgetNs * leastOfBudgetOnGpu;
  const meter = new FrameMeter(context, replay, tree, options);
  const started = hostNs();
  const spent = () => hostNs() - started;
  try {
    const warmups = options.warmups ?? defaultWarmups;
    if (warmups === 0) meter.prepare();
    for (let warmup = 1; warmup <= warmups; warmup++) {
      onProgress?.({ phase: 'warm-up', run: warmup, runs: warmups });
      meter.warmUp();
      await betweenRuns?.(null);
      await setImmediate();
      if (options.warmups === undefined && spent() > budgetNs / 4) break;
    }
    const sums: number[] = [];
    const enough = (): boolean => {
      if (options.runs !== undefined) return sums.length >= options.runs;
      if (sums.length >= mostRuns || (hasSettled(sums) && spent() > leastNs)) return true;
      return sums.length >= runsWhatever && spent() > budgetNs;
    };
    while (!enough()) {
      onProgress?.({ phase: 'run', run: sums.length + 1, runs: options.runs ?? null });
      const plain = meter.plainRun();
      onSample?.({ plain });
      await betweenRuns?.(plain);
      const run = meter.leafRun();
      onSample?.({ run });
      sums.push(sumOf(run.readingsNs));
      await betweenRuns?.(null);
      await setImmediate();
    }
  } finally {
    meter.dispose();
  }
  return meter.measurement();
}
