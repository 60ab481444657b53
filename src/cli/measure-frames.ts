/** The measuring part of a replay: every frame that was asked for, one after the other. */
import { analyseFrame } from '../analysis/analyse-frame.ts';
import type { FrameReport, ProgramKeys, States } from '../model/report.ts';
import type { NoTimer, TimerChoice } from '../query/choose-timer.ts';
import { DrawnBefore } from '../query/drawn-before.ts';
import { type MeasureProgress, measureFrame } from '../query/measure-frame.ts';
import { measureOnce } from '../query/measure-once.ts';
import { type RecordedClock, recordedClock } from '../query/run-recorder.ts';
import type { Replayer } from '../replay/replayer.ts';
import { FrameTrees } from './frame-trees.ts';
import { note } from './isolation/notebook.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import type { QrhiOutput } from './replay-qrhi.ts';
import { type ReplaySetUp, untimed } from './replay-setup.ts';

const progressText = (frame: number, events: number, { phase, run, runs }: MeasureProgress): string =>
  `frame ${frame}, ${events} events: ${phase} ${run}${runs === null ? '' : ` of ${runs}`}`;

/** What was measured of the frames that were asked for. */
export interface Measured {
  readonly frames: readonly FrameReport[];
  /** Of the last frame that was warmed up. */
  readonly warmups: number;
  readonly programs: ProgramKeys;
  readonly states: States;
}

/**
 * Whether a frame that draws with nothing new need be played only once: that is what one run asks for. A lead must know how
 * long the frame takes to submit; a stream shows each run; counters replay the frame again.
 */
const mayPlayOnce = (options: ReplayOptions, timer: TimerChoice | NoTimer, others: boolean): timer is TimerChoice =>
  timer.method !== null && !timer.lead && options.runs === 1 && options.warmup === undefined && !others;

/** The clock that runs are recorded by; undefined where nobody asked for a timeline. */
function clockOf(
  { context }: ReplaySetUp,
  { method, trust }: TimerChoice | NoTimer,
  { format, perfetto, timeline }: ReplayOptions,
): RecordedClock | undefined {
  const isAsked = timeline || format === 'perfetto' || perfetto !== undefined;
  if (!isAsked || method === null) return undefined;
  return recordedClock(
    context,
    method,
    trust.methods.some((one) => one.method === 'timestamp' && one.trusted),
  );
}

/** Measures every frame that is asked for, with its counters, and tells the stream. */
export async function measureFrames(
  setUp: ReplaySetUp,
  timer: TimerChoice | NoTimer,
  replayer: Replayer,
  stream: QrhiOutput | null,
  options: ReplayOptions,
  progress: Progress,
): Promise<Measured> {
  const { context, frames, counting } = setUp;
  const recorded = clockOf(setUp, timer, options);
  const trees = await FrameTrees.create(replayer.capture);
  const reports: FrameReport[] = [];
  const drawn = new DrawnBefore();
  let warmups = 0;
  for (const frame of frames) {
    const tree = await trees.build(frame, options.per);
    const isWarm = drawn.follow(tree);
    if (isWarm && mayPlayOnce(options, timer, stream !== null || counting !== null)) {
      progress.update(`frame ${frame}`);
      const measurement = measureOnce(context, await replayer.loadOnce(frame), tree, timer.method, recorded);
      note({ what: 'frame', measurement });
      reports.push(analyseFrame(tree, measurement));
      continue;
    }
    const replay = await replayer.loadFrame(frame);
    const measurement =
      timer.method === null
        ? untimed(frame, timer.problem)
        : await measureFrame(context, replay, tree, {
            method: timer.method,
            lead: timer.lead,
            recorded,
            runs: options.runs,
            warmups: options.warmup,
            budgetMs: options.budget === undefined ? undefined : options.budget * 1000,
            onSample: (sample) => note({ what: 'sample', frame, sample }),
            onProgress: (state) => progress.update(progressText(frame, replay.calls.length, state)),
            betweenRuns: stream ? (plain) => stream.betweenRuns(plain) : undefined,
          });
    note({ what: 'frame', measurement });
    warmups = measurement.warmups;
    const report = analyseFrame(tree, measurement);
    reports.push(report);
    stream?.measured(report, measurement.runs.length);
    await counting?.add(context, replay, tree);
  }
  return { frames: reports, warmups, programs: trees.programKeys(), states: trees.states() };
}
