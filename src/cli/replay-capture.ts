/** One whole `gpuprof replay` between the open capture and the finished report. */
import { analyseFrame } from '../analysis/analyse-frame.ts';
import type { Pixels } from '../analysis/image-difference.ts';
import type { Capture } from '../model/capture.ts';
import type { FrameReport, GlErrorReport, ProgramKeys, Report, States, Verification } from '../model/report.ts';
import type { NoTimer, TimerChoice } from '../query/choose-timer.ts';
import { DrawnBefore } from '../query/drawn-before.ts';
import { type MeasureProgress, measureFrame } from '../query/measure-frame.ts';
import { measureOnce } from '../query/measure-once.ts';
import { Replayer } from '../replay/replayer.ts';
import { FrameTrees } from './frame-trees.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import { type QrhiOptions, QrhiOutput } from './replay-qrhi.ts';
import { type ReplaySetUp, reportOf, setUpReplay, untimed } from './replay-setup.ts';
import { failureHint, readReference, verify } from './verify.ts';

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

const progressText = (frame: number, events: number, { phase, run, runs }: MeasureProgress): string =>
  `frame ${frame}, ${events} events: ${phase} ${run}${runs === null ? '' : ` of ${runs}`}`;

interface Measured {
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

async function measure(
  { context, frames, counting }: ReplaySetUp,
  timer: TimerChoice | NoTimer,
  replayer: Replayer,
  stream: QrhiOutput | null,
  options: ReplayOptions,
  progress: Progress,
): Promise<Measured> {
  const trees = await FrameTrees.create(replayer.capture);
  const reports: FrameReport[] = [];
  const drawn = new DrawnBefore();
  let warmups = 0;
  for (const frame of frames) {
    const tree = await trees.build(frame, options.per);
    const isWarm = drawn.follow(tree);
    if (isWarm && mayPlayOnce(options, timer, stream !== null || counting !== null)) {
      progress.update(`frame ${frame}`);
      const measurement = measureOnce(context, await replayer.loadOnce(frame), tree, timer.method);
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
    await counting?.add(context, replay, tree);
  }
  return { frames: reports, warmups, programs: trees.programKeys(), states: trees.states() };
}

/** The canvas at a frame's end; what has not been measured up to there is played once. */
async function picture(replayer: Replayer, frame: number): Promise<Pixels> {
  await replayer.playThrough(frame);
  return replayer.readCanvas();
}

async function play(
  setUp: ReplaySetUp,
  reference: Pixels | null,
  stream: QrhiOutput | null,
  options: ReplayOptions,
  progress: Progress,
): Promise<ReplayResult> {
  const { capture, context, frames, timer, counting } = setUp;
  progress.update('building the live objects');
  const replayer = await Replayer.create(context, capture, { listener: stream?.listener });
  stream?.setupDone();
  const measured = timer && (await measure(setUp, timer, replayer, stream, options, progress));
  // Pictures last and in rising order, as frames load; the reference is of the capture's last frame.
  const last = capture.manifest.frames.length;
  const shown = frames[frames.length - 1];
  if (!timer) {
    progress.update('replaying');
    await replayer.playThrough(shown);
  }
  const canvas = options.screenshot === undefined ? null : await picture(replayer, shown);
  const compared = reference && (canvas && shown === last ? canvas : await picture(replayer, last));
  const verification = reference && compared ? verify(compared, reference, context, capture, options.tolerance) : null;
  await counting?.complete();
  const report = timer && measured ? reportOf(setUp, timer, replayer, { ...measured, per: options.per }) : null;
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
  const setUp = await setUpReplay(capture, options, progress);
  // Every frame up to here is replayed.
  const lastFrame = reference ? capture.manifest.frames.length : setUp.frames[setUp.frames.length - 1];
  const stream = qrhi && (await QrhiOutput.open(capture, lastFrame, qrhi));
  try {
    return await play(setUp, reference, stream, options, progress);
  } catch (error) {
    stream?.abandon();
    throw error;
  }
}
