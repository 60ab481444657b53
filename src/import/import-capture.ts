import { aboutFile, GpuprofError } from '../errors.ts';
import type { Capture } from '../model/capture.ts';
import type { DroppedCalls, ImportFormat, ImportOptions, ImportSummary } from './formats.ts';
import { MemoryCaptureBuilder } from './memory-capture.ts';

/** `3 calls of glProgramBinary are left out: program binaries are for the recorded driver only`. */
const droppedNote = ({ name, count, why }: DroppedCalls): string =>
  `${count} ${count === 1 ? 'call of' : 'calls of'} ${name} left out: ${why}`;

/** What a reader of the capture should know about how it came about, in sentences. */
export const importNotes = ({ notes, dropped, ending }: ImportSummary): string[] => [
  ...(ending === null ? [] : [`the file is not complete, and what comes before that is imported: ${ending}`]),
  ...dropped.map(droppedNote),
  ...notes,
];

/** All frames that were asked for must be there. */
function refuseMissing(path: string, { sourceFrames }: ImportSummary, { frames }: ImportOptions): void {
  if (!frames || sourceFrames === 0 || frames.last <= sourceFrames) return;
  const missing = frames.first > sourceFrames ? frames.first : frames.last;
  throw new GpuprofError('bad-usage', `${path} has no frame ${missing}`, {
    hint: sourceFrames === 1 ? 'it has one frame' : `its frames are 1 to ${sourceFrames}`,
  });
}

/** Imports a file into memory; what was left out is among the capture's notes. Throws GpuprofError as the format does. */
export async function importCapture(
  path: string,
  format: ImportFormat,
  options: ImportOptions = {},
): Promise<{ readonly capture: Capture; readonly summary: ImportSummary }> {
  const builder = new MemoryCaptureBuilder(path);
  const importer = await format.load();
  try {
    const { head, summary } = await importer.importInto(path, builder, options);
    refuseMissing(path, summary, options);
    return { capture: builder.finish(path, head, importNotes(summary)), summary };
  } catch (error) {
    throw aboutFile(error, path);
  }
}
