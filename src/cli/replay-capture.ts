/** One whole `gpuprof replay` between the open capture and the finished report. */
import type { Pixels } from '../analysis/image-difference.ts';
import type { Capture } from '../model/capture.ts';
import { nowDoing } from '../model/position.ts';
import type { GlErrorReport, Report, Verification } from '../model/report.ts';
import { Replayer } from '../replay/replayer.ts';
import { note } from './isolation/notebook.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import type { QrhiOptions, QrhiOutput } from './replay-qrhi.ts';
import { type ReplaySetUp, reportOf, setUpReplay } from './replay-setup.ts';
import type { TakenThumbnails, ThumbnailRequest } from './thumbnails.ts';

/** Thumbnails that could not be taken, which costs nothing of what was measured. */
export interface ThumbnailFailure {
  readonly failure: unknown;
}

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
  /** Null when nobody asked. */
  readonly taken: TakenThumbnails | ThumbnailFailure | null;
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
): Promise<Omit<ReplayResult, 'taken'>> {
  const { capture, context, frames, timer, counting } = setUp;
  progress.update('building the live objects');
  const replayer = await Replayer.create(context, capture, { listener: stream?.listener });
  stream?.setupDone();
  const measuring = timer && (await import('./measure-frames.ts'));
  const measured = timer && (await measuring?.measureFrames(setUp, timer, replayer, stream, options, progress));
  // Pictures last and in rising order, as frames load; the reference is of the capture's last frame.
  const last = capture.manifest.frames.length;
  const shown = frames[frames.length - 1];
  if (!timer) {
    progress.update('replaying');
    await replayer.playThrough(shown);
  }
  const canvas = options.screenshot === undefined ? null : await picture(replayer, shown);
  const compared = reference && (canvas && shown === last ? canvas : await picture(replayer, last));
  const judge = reference && (await import('./verify.ts'));
  const verification =
    judge && compared ? judge.verify(compared, reference, context, capture, options.tolerance) : null;
  await counting?.complete();
  const report = timer && measured ? reportOf(setUp, timer, replayer, { ...measured, per: options.per }) : null;
  return {
    report: report && verification ? { ...report, verification } : report,
    verification,
    canvas,
    glErrors: replayer.glErrors,
    failureHint: verification ? judge?.failureHint(capture, verification.sameRenderer) : undefined,
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
  thumbnails: ThumbnailRequest | null,
  progress: Progress,
): Promise<ReplayResult> {
  const reference = options.verify ? await (await import('./verify.ts')).readReference(capture) : null;
  const setUp = await setUpReplay(capture, options, progress);
  const { environment, timer } = setUp;
  if (timer)
    note({ what: 'set-up', environment, timer: { ...timer, method: timer.method && { name: timer.method.name } } });
  // Every frame up to here is replayed.
  const lastFrame = reference ? capture.manifest.frames.length : setUp.frames[setUp.frames.length - 1];
  nowDoing('');
  const stream = qrhi && (await (await import('./replay-qrhi.ts')).QrhiOutput.open(capture, lastFrame, qrhi));
  try {
    const result = await play(setUp, reference, stream, options, progress);
    nowDoing('');
    if (!thumbnails) return { ...result, taken: null };
    // All is measured: what the replay held makes way.
    setUp.context.destroy();
    const { takeThumbnails } = await import('./thumbnails.ts');
    const taken = await takeThumbnails(capture, thumbnails, setUp.frames, progress).catch(
      (failure: unknown): ThumbnailFailure => ({ failure }),
    );
    nowDoing('');
    return { ...result, taken };
  } catch (error) {
    // Where it was stays written, for who tells of a context that was lost.
    stream?.abandon();
    throw error;
  }
}
