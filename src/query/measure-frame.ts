import { setImmediate } from 'node:timers/promises';
import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { FrameMeasurement, PlainSample, RunSample } from '../model/sample.ts';
import { leafPlan, wholeFramePlan } from './brackets.ts';
import { GpuLead } from './gpu-lead.ts';
import { type PlayableFrame, RunMeter } from './run-meter.ts';
import { hasSettled } from './settle.ts';
import type { TimerMethod } from './timer-method.ts';

export interface MeasureOptions {
  readonly method: TimerMethod;
  /** Exactly this many measured runs; by default as many as it takes to settle within the budget. */
  readonly runs?: number;
  /** Exactly this many warm-up runs. */
  readonly warmups?: number;
  /** Time after which no further run begins, in milliseconds, once there are three; 1000 by default. */
  readonly budgetMs?: number;
  /** Keep the GPU busy while a run is submitted (see {@link GpuLead}): for GPUs whose timestamps can be trusted. */
  readonly lead?: boolean;
  readonly onProgress?: (progress: MeasureProgress) => void;
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
/** Questionable runs are measured again, this many times for a frame. */
const mostRepeats = 3;

/** Measures a run, again when it is questionable; `left` says how often that may still happen. */
function measureRun(meter: RunMeter, left: { repeats: number }): RunSample {
  let sample = meter.run();
  while (sample.questionable !== null && left.repeats > 0) {
    left.repeats--;
    sample = meter.run();
  }
  return sample;
}

/** The frame's own duration out of a run with one bracket around it; NaN when it could not be measured. */
function plainSample(run: RunSample): PlainSample {
  const durationNs = run.questionable === null ? Math.max(0, run.readingsNs[0] - run.floorNs) : Number.NaN;
  const cpuNs = run.cpuNs && run.cpuFloorNs !== null ? Math.max(0, run.cpuNs[0] - run.cpuFloorNs) : null;
  return { durationNs, cpuNs };
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + (value || 0), 0);

/**
 * Replays a frame again and again: once unmeasured, warm-up runs, then pairs of a plain run (one bracket around the whole
 * frame) and a bracketed run (one around every leaf), so that both see the same machine. Without a number of runs it goes
 * on until the median of the leaves' sum has settled (see {@link hasSettled}), on a GPU for a quarter of the budget at
 * least, or until the budget is spent. Yields between runs.
 */
export async function measureFrame(
  context: GlContext,
  replay: PlayableFrame,
  tree: EventTree,
  options: MeasureOptions,
): Promise<FrameMeasurement> {
  const calls = replay.calls.length;
  const { method, onProgress, betweenRuns } = options;
  if (calls === 0) return { frame: replay.frame, plain: [], runs: [], repeated: 0, warmups: 0, problem: null };
  const budgetNs = (options.budgetMs ?? defaultBudgetMs) * 1e6;
  const leastNs = context.software ? 0 : budgetNs * leastOfBudgetOnGpu;
  const lead = options.lead ? new GpuLead(context) : undefined;
  const plainMeter = new RunMeter(context, replay, method, wholeFramePlan(calls), 1, lead);
  const leafMeter = new RunMeter(context, replay, method, leafPlan(tree, calls), tree.leaves.length, lead);
  const plain: PlainSample[] = [];
  const runs: RunSample[] = [];
  const left = { repeats: mostRepeats };
  let warmups = 0;
  const started = hostNs();
  const spent = () => hostNs() - started;
  try {
    // A frame's first play compiles shaders and looks for errors after every call: it is never measured.
    replay.restore();
    replay.play();
    context.gl.glFinish();
    const mostWarmups = options.warmups ?? defaultWarmups;
    while (warmups < mostWarmups) {
      warmups++;
      onProgress?.({ phase: 'warm-up', run: warmups, runs: mostWarmups });
      leafMeter.run();
      await betweenRuns?.(null);
      await setImmediate();
      if (options.warmups === undefined && spent() > budgetNs / 4) break;
    }
    const sums: number[] = [];
    const enough = (): boolean => {
      if (options.runs !== undefined) return runs.length >= options.runs;
      if (runs.length >= mostRuns || (hasSettled(sums) && spent() > leastNs)) return true;
      return runs.length >= runsWhatever && spent() > budgetNs;
    };
    while (!enough()) {
      onProgress?.({ phase: 'run', run: runs.length + 1, runs: options.runs ?? null });
      const sample = plainSample(measureRun(plainMeter, left));
      plain.push(sample);
      await betweenRuns?.(sample);
      const run = measureRun(leafMeter, left);
      runs.push(run);
      sums.push(sumOf(run.readingsNs));
      await betweenRuns?.(null);
      await setImmediate();
    }
  } finally {
    plainMeter.dispose();
    leafMeter.dispose();
    lead?.dispose();
  }
  return { frame: replay.frame, plain, runs, repeated: mostRepeats - left.repeats, warmups, problem: null };
}
