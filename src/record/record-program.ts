import { encodePng } from '../capture/png.ts';
import { CaptureWriter } from '../capture/write.ts';
import { GpuprofError } from '../errors.ts';
import type { CallRecorder } from './call-recorder.ts';

export interface RecordProgramOptions {
  /** Where the capture goes. */
  readonly path: string;
  /** The first frame to record, from 1: `step` runs that often, the last time recorded. */
  readonly frame: number;
  /** How many frames, 1 by default. */
  readonly frames?: number;
  /** Draws one frame. */
  readonly step: () => void | Promise<void>;
}

/**
 * Runs a program frame by frame and writes a capture of the chosen frames. The recorder must have been attached before
 * the program's first call. Nothing is left at `path` when the program or the writing fails. Returns the capture's notes:
 * what it does not hold as it was, in plain sentences.
 */
export async function recordFrames(
  recorder: CallRecorder,
  options: RecordProgramOptions,
): Promise<{ readonly notes: readonly string[] }> {
  const { path, frame, frames = 1, step } = options;
  if (!(Number.isInteger(frame) && frame >= 1 && Number.isInteger(frames) && frames >= 1))
    throw new GpuprofError('bad-usage', `frame ${frame} and ${frames} frames cannot be recorded: both count from 1`);
  for (let skipped = 1; skipped < frame; skipped++) await step();
  const writer = await CaptureWriter.create(path, recorder.describe());
  try {
    for (let recorded = 0; recorded < frames; recorded++) {
      recorder.beginFrame(writer);
      await step();
      await writer.drain();
    }
    const { reference, requires, notes } = recorder.finish();
    await writer.finish({ reference: encodePng(reference), requires, notes });
    return { notes };
  } catch (error) {
    recorder.abort();
    await writer.abort();
    throw error;
  }
}
