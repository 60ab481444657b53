/** One whole `gpuprof replay` between the open capture and the finished report. */
import { analyseFrame } from '../analysis/analyse-frame.ts';
import { buildReport } from '../analysis/build-report.ts';
import type { Pixels } from '../analysis/image-difference.ts';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { setSoftwareThreads } from '../gl/software-threads.ts';
import type { Capture } from '../model/capture.ts';
import type { FrameReport, GlErrorReport, Report, Verification } from '../model/report.ts';
import type { FrameMeasurement } from '../model/sample.ts';
import { chooseTimer, chooseTimerIfAny, type NoTimer, type TimerChoice, withoutTimer } from '../query/choose-timer.ts';
import { describeEnvironment } from '../query/environment.ts';
import { type MeasureProgress, measureFrame } from '../query/measure-frame.ts';
import { Replayer } from '../replay/replayer.ts';
import { CountedFrames, type CountedReport } from './count-frames.ts';
import { planCounters } from './counter-plan.ts';
import { FrameTrees } from './frame-trees.ts';
import { openDriver } from './open-driver.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import { type QrhiOptions, QrhiOutput } from './replay-qrhi.ts';
import { failureHint, readReference, verify } from './verify.ts';
import { version } from './version.ts';

export interface ReplayResult {
  /** Null with `--no-timing` and no counters. */
  readonly report: Report | null;
  readonly verification: Verification | null;
  /** The canvas at the last replayed frame's end; null when nobody asked. */
  readonly canvas: Pixels | null;
  readonly glErrors: readonly GlErrorReport[];
  /** What a failed verification may come from. */
  readonly failureHint: string | undefined;
  /** To be finished; null when nobody asked for one. */
  readonly stream: QrhiOutput | null;
}

function chosenFrames(capture: Capture, frame: number | 'all'): number[] {
  const count = capture.manifest.frames.length;
  if (frame === 'all') return Array.from({ length: count }, (_, index) => index + 1);
  if (frame <= count) return [frame];
  throw new GpuprofError('bad-usage', `${capture.path} has no frame ${frame}`, {
    hint: count === 1 ? 'it has one frame' : `its frames are 1 to ${count}`,
  });
}

const progressText = (frame: number, events: number, { phase, run, runs }: MeasureProgress): string =>
  `frame ${frame}, ${events} events: ${phase} ${run}${runs === null ? '' : ` of ${runs}`}`;

interface Measured {
  readonly frames: readonly FrameReport[];
  /** Of the last frame. */
  readonly warmups: number;
}

const untimed = (frame: number, problem: string): FrameMeasurement => ({
  frame,
  plain: [],
  runs: [],
  repeated: 0,
  warmups: 0,
  problem,
});

async function measure(
  context: GlContext,
  replayer: Replayer,
  frames: readonly number[],
  timer: TimerChoice | NoTimer,
  counted: CountedFrames | null,
  stream: QrhiOutput | null,
  options: ReplayOptions,
  progress: Progress,
): Promise<Measured> {
  const trees = await FrameTrees.create(replayer.capture);
  const reports: FrameReport[] = [];
  let warmups = 0;
  for (const frame of frames) {
    const tree = await trees.build(frame, options.per);
    const replay = await replayer.loadFrame(frame);
    const measurement =
      timer.method === null
        ? untimed(frame, timer.problem)
        : await measureFrame(context, replay, tree, {
            method: timer.method,
            lead: timer.lead,
            runs: options.runs,
            warmups: options.warmup,
            budgetMs: options.budget === undefined ? undefined : options.budget * 1000,
            onProgress: (state) => progress.update(progressText(frame, replay.calls.length, state)),
            betweenRuns: stream ? (plain) => stream.betweenRuns(plain) : undefined,
          });
    warmups = measurement.warmups;
    const report = analyseFrame(tree, measurement);
    reports.push(report);
    stream?.measured(report, measurement.runs.length);
    await counted?.add(context, replay, tree, report);
  }
  return { frames: reports, warmups };
}

/** The canvas at a frame's end, from a run in which nothing is measured. */
async function picture(replayer: Replayer, frame: number): Promise<Pixels> {
  const replay = await replayer.loadFrame(frame);
  replay.restore();
  replay.play();
  return replay.readCanvas();
}

function reportOf(
  context: GlContext,
  replayer: Replayer,
  timer: TimerChoice | NoTimer,
  measured: Measured,
  counted: CountedReport | null,
  per: ReplayOptions['per'],
): Report {
  return buildReport({
    producer: `gpuprof ${version}`,
    capture: replayer.capture,
    environment: describeEnvironment(context),
    trust: timer.trust,
    settings: {
      timer: timer.asked,
      method: timer.method?.name ?? null,
      why: timer.why,
      per,
      warmups: measured.warmups,
    },
    ...(counted && { counters: counted.sets }),
    frames: counted?.frames ?? measured.frames,
    glErrors: replayer.glErrors,
    warnings: [...timer.warnings, ...(counted?.warnings ?? [])],
  });
}

/** The trust check wants the context in its initial state, so the timer is chosen before the capture comes in. */
function timerFor(context: GlContext, options: ReplayOptions): TimerChoice | NoTimer | null {
  if (!options.timing) return options.counters ? withoutTimer(options.timer) : null;
  if (options.metric === 'cpu' && !context.software)
    throw new GpuprofError('cannot-measure', `${context.renderer} is no software renderer, so it has no CPU times`, {
      hint: 'use --metric duration',
    });
  // A timer that fails costs its own columns only, where others are asked for.
  return options.counters && options.timer === 'auto' ? chooseTimerIfAny(context) : chooseTimer(context, options.timer);
}

/** What a replay is made of. */
interface Parts {
  readonly capture: Capture;
  readonly context: GlContext;
  readonly frames: readonly number[];
  readonly timer: TimerChoice | NoTimer | null;
  readonly counting: CountedFrames | null;
  readonly reference: Pixels | null;
  readonly stream: QrhiOutput | null;
}

async function play(parts: Parts, options: ReplayOptions, progress: Progress): Promise<ReplayResult> {
  const { capture, context, frames, timer, counting, reference, stream } = parts;
  progress.update('building the live objects');
  const replayer = await Replayer.create(context, capture, { listener: stream?.listener });
  stream?.setupDone();
  const measured = timer && (await measure(context, replayer, frames, timer, counting, stream, options, progress));
  // Pictures last and in rising order, as frames load; the reference is of the capture's last frame.
  const last = capture.manifest.frames.length;
  const shown = frames[frames.length - 1];
  const canvas = options.screenshot === undefined ? null : await picture(replayer, shown);
  const compared = reference && (canvas && shown === last ? canvas : await picture(replayer, last));
  const verification = reference && compared ? verify(compared, reference, context, capture, options.tolerance) : null;
  const counted = counting && (await counting.finish());
  const report = timer && measured ? reportOf(context, replayer, timer, measured, counted, options.per) : null;
  return {
    report: report && verification ? { ...report, verification } : report,
    verification,
    canvas,
    glErrors: replayer.glErrors,
    failureHint: verification ? failureHint(capture, verification.sameRenderer) : undefined,
    stream,
  };
}

/**
 * Replays a capture as the options say. A failed verification is part of the result. Throws GpuprofError for a capture
 * that is damaged or cannot be replayed here, and for a machine that cannot measure.
 */
export async function replayCapture(
  capture: Capture,
  options: ReplayOptions,
  qrhi: QrhiOptions | null,
  progress: Progress,
): Promise<ReplayResult> {
  const reference = options.verify ? await readReference(capture) : null;
  const frames = chosenFrames(capture, options.frame);
  setSoftwareThreads(options.softwareThreads);
  progress.update('opening a GL context');
  const context = await openDriver(options, capture.manifest);
  progress.update('checking the timers');
  const timer = timerFor(context, options);
  const plan = await planCounters(context, capture.manifest, options);
  const counting = plan && (await CountedFrames.create(plan, capture, options.runs, progress));
  // Every frame up to here is replayed.
  const lastFrame = reference ? capture.manifest.frames.length : frames[frames.length - 1];
  const stream = qrhi && (await QrhiOutput.open(capture, lastFrame, qrhi));
  try {
    return await play({ capture, context, frames, timer, counting, reference, stream }, options, progress);
  } catch (error) {
    stream?.abandon();
    throw error;
  }
}
