/** What every replay begins with and ends in: the context with its timer and counters, and the report. */
import { buildReport } from '../analysis/build-report.ts';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { returnFreedMemory } from '../gl/heap.ts';
import { setSoftwareThreads } from '../gl/software-threads.ts';
import type { Capture } from '../model/capture.ts';
import { nowDoing } from '../model/position.ts';
import type { Environment, FrameReport, ProgramKeys, Report, States } from '../model/report.ts';
import type { FrameMeasurement } from '../model/sample.ts';
import type { NoTimer, TimerChoice } from '../query/choose-timer.ts';
import { describeEnvironment } from '../query/environment.ts';
import type { Replayer } from '../replay/replayer.ts';
import { version } from '../version.ts';
import type { CountedFrames } from './count-frames.ts';
import type { NotedTimer } from './isolation/notebook.ts';
import { openDriver } from './open-driver.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';

export type SetUpOptions = Pick<
  ReplayOptions,
  | 'driver'
  | 'browser'
  | 'api'
  | 'softwareThreads'
  | 'frame'
  | 'timer'
  | 'per'
  | 'runs'
  | 'counters'
  | 'timing'
  | 'metric'
>;

/** A context that a capture can be replayed on, and what is to be measured there. */
export interface ReplaySetUp {
  readonly capture: Capture;
  readonly context: GlContext;
  readonly environment: Environment;
  /** Rising. */
  readonly frames: readonly number[];
  /** Null when neither times nor counters are asked for. */
  readonly timer: TimerChoice | NoTimer | null;
  readonly counting: CountedFrames | null;
}

function chosenFrames(capture: Capture, frame: number | 'all'): number[] {
  const count = capture.manifest.frames.length;
  if (frame === 'all') return Array.from({ length: count }, (_, index) => index + 1);
  if (frame <= count) return [frame];
  throw new GpuprofError('bad-usage', `${capture.path} has no frame ${frame}`, {
    hint: count === 1 ? 'it has one frame' : `its frames are 1 to ${count}`,
  });
}

/** The trust check wants the context in its initial state, so the timer is chosen before the capture comes in. */
async function timerFor(context: GlContext, options: SetUpOptions): Promise<TimerChoice | NoTimer | null> {
  if (!options.timing && !options.counters) return null;
  const { chooseTimer, chooseTimerIfAny, withoutTimer } = await import('../query/choose-timer.ts');
  if (!options.timing) return withoutTimer(options.timer);
  if (options.metric === 'cpu' && !context.software)
    throw new GpuprofError('cannot-measure', `${context.renderer} is no software renderer, so it has no CPU times`, {
      hint: 'use --metric duration',
    });
  // A timer that fails costs its own columns only, where others are asked for.
  return options.counters && options.timer === 'auto' ? chooseTimerIfAny(context) : chooseTimer(context, options.timer);
}

async function countingFor(
  context: GlContext,
  capture: Capture,
  options: SetUpOptions,
  progress: Progress,
): Promise<CountedFrames | null> {
  if (options.counters === undefined) return null;
  const [{ planCounters }, { CountedFrames }] = await Promise.all([
    import('./counter-plan.ts'),
    import('./count-frames.ts'),
  ]);
  const plan = await planCounters(context, capture.manifest, options);
  return plan && CountedFrames.create(plan, capture, options.runs, progress);
}

/**
 * Opens a context for a capture, checks its timers and plans the counters. `opened` is called once the context is there,
 * before anything is measured. Throws GpuprofError when this machine lacks what is asked for.
 */
export async function setUpReplay(
  capture: Capture,
  options: SetUpOptions,
  progress: Progress,
  opened?: (context: GlContext) => void,
): Promise<ReplaySetUp> {
  const frames = chosenFrames(capture, options.frame);
  setSoftwareThreads(options.softwareThreads);
  progress.update('opening a GL context');
  const context = await openDriver(options, capture.manifest);
  const environment = describeEnvironment(context);
  opened?.(context);
  progress.update('checking the timers');
  nowDoing('checking the timers');
  const timer = await timerFor(context, options);
  // What is finished as seldom as the program does it pays for memory as the program does.
  if (options.timing && options.per !== 'draw') returnFreedMemory();
  const counting = await countingFor(context, capture, options, progress);
  return { capture, context, environment, frames, timer, counting };
}

/** The measurement of a frame that is not timed, and why. */
export const untimed = (frame: number, problem: string): FrameMeasurement => ({
  frame,
  plain: [],
  runs: [],
  repeated: 0,
  warmups: 0,
  problem,
});

/** The report of frames that have been measured; with the counters, where they have been counted. */
export function reportOf(
  { capture, environment, counting }: Pick<ReplaySetUp, 'capture' | 'environment' | 'counting'>,
  timer: NotedTimer,
  { glErrors }: Pick<Replayer, 'glErrors'>,
  measured: {
    readonly frames: readonly FrameReport[];
    readonly warmups: number;
    readonly per: Report['settings']['per'];
    readonly programs: ProgramKeys;
    readonly states: States;
  },
): Report {
  const counted = counting?.addTo(measured.frames);
  return buildReport({
    producer: `gpuprof ${version}`,
    capture,
    environment,
    trust: timer.trust,
    settings: {
      timer: timer.asked,
      method: timer.method?.name ?? null,
      why: timer.why,
      per: measured.per,
      warmups: measured.warmups,
    },
    ...(counted && { counters: counted.sets }),
    programs: measured.programs,
    states: measured.states,
    ...(counted?.resources && { resources: counted.resources }),
    frames: counted?.frames ?? measured.frames,
    glErrors,
    warnings: [...timer.warnings, ...(counted?.warnings ?? [])],
  });
}
