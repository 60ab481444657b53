/** One whole `gpuprof replay` between the open capture and the finished report. */
import { analyseFrame } from '../analysis/analyse-frame.ts';
import { buildReport } from '../analysis/build-report.ts';
import type { Pixels } from '../analysis/image-difference.ts';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import type { Capture } from '../model/capture.ts';
import type { FrameReport, GlErrorReport, Report, Verification } from '../model/report.ts';
import { chooseTimer, type TimerChoice } from '../query/choose-timer.ts';
import { describeEnvironment } from '../query/environment.ts';
import { type MeasureProgress, measureFrame } from '../query/measure-frame.ts';
import { setSoftwareThreads } from '../query/software-threads.ts';
import { Replayer } from '../replay/replayer.ts';
import { FrameTrees } from './frame-trees.ts';
import { openDriver } from './open-driver.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import { readReference, verify } from './verify.ts';
import { version } from './version.ts';

export interface ReplayResult {
  /** Null with `--no-timing`. */
  readonly report: Report | null;
  readonly verification: Verification | null;
  /** The canvas at the last replayed frame's end; null when nobody asked. */
  readonly canvas: Pixels | null;
  readonly glErrors: readonly GlErrorReport[];
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

async function measure(
  context: GlContext,
  replayer: Replayer,
  capture: Capture,
  timer: TimerChoice,
  options: ReplayOptions,
  progress: Progress,
): Promise<Pick<Report, 'frames'> & { readonly warmups: number }> {
  const trees = await FrameTrees.create(capture);
  const frames: FrameReport[] = [];
  let warmups = 0;
  for (const frame of chosenFrames(capture, options.frame)) {
    const tree = await trees.build(frame, options.per);
    const replay = await replayer.loadFrame(frame);
    const measurement = await measureFrame(context, replay, tree, {
      method: timer.method,
      runs: options.runs,
      warmups: options.warmup,
      budgetMs: options.budget === undefined ? undefined : options.budget * 1000,
      onProgress: (state) => progress.update(progressText(frame, replay.calls.length, state)),
    });
    warmups = measurement.warmups;
    frames.push(analyseFrame(tree, measurement));
  }
  return { frames, warmups };
}

/** The canvas at a frame's end, from a run in which nothing is measured. */
async function picture(replayer: Replayer, frame: number): Promise<Pixels> {
  const replay = await replayer.loadFrame(frame);
  replay.restore();
  replay.play();
  return replay.readCanvas();
}

/**
 * Replays a capture as the options say. A failed verification is part of the result. Throws GpuprofError for a capture
 * that is damaged or cannot be replayed here, and for a machine that cannot measure.
 */
export async function replayCapture(
  capture: Capture,
  options: ReplayOptions,
  progress: Progress,
): Promise<ReplayResult> {
  const reference = options.verify ? await readReference(capture) : null;
  const frames = chosenFrames(capture, options.frame);
  setSoftwareThreads(options.softwareThreads);
  progress.update('opening a GL context');
  const context = await openDriver(options.driver, options.api, capture.manifest);
  if (options.metric === 'cpu' && options.timing && !context.software)
    throw new GpuprofError('cannot-measure', `${context.renderer} is no software renderer, so it has no CPU times`, {
      hint: 'use --metric duration',
    });
  progress.update('checking the timers');
  // The trust check wants the context in its initial state, so it comes before the capture.
  const timer = options.timing ? chooseTimer(context, options.timer) : null;
  progress.update('building the live objects');
  const replayer = await Replayer.create(context, capture);
  const measured = timer && (await measure(context, replayer, capture, timer, options, progress));
  // The reference shows the canvas at the end of the capture's last frame.
  const compared = reference && (await picture(replayer, capture.manifest.frames.length));
  const lastFrame = frames[frames.length - 1];
  const shown =
    options.screenshot === undefined
      ? null
      : compared && lastFrame === capture.manifest.frames.length
        ? compared
        : await picture(replayer, lastFrame);
  const verification = compared && reference ? verify(compared, reference, context, capture, options.tolerance) : null;
  const glErrors = replayer.errors.records;
  const report =
    timer && measured
      ? buildReport({
          producer: `gpuprof ${version}`,
          capture,
          environment: describeEnvironment(context),
          trust: timer.trust,
          settings: {
            timer: timer.asked,
            method: timer.method.name,
            why: timer.why,
            per: options.per,
            warmups: measured.warmups,
          },
          frames: measured.frames,
          glErrors,
          warnings: timer.warnings,
        })
      : null;
  return {
    report: report && verification ? { ...report, verification } : report,
    verification,
    canvas: shown,
    glErrors,
  };
}
