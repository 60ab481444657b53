import type { Capture } from '../model/capture.ts';
import { say } from './say.ts';

/** Most lines about what was left out; the capture's notes have the rest. */
const mostLines = 20;

/** Says on standard error, a line each, what an import could not take over. */
export function sayImportNotes(notes: readonly string[]): void {
  for (const note of notes.slice(0, mostLines)) say(`note: ${note}`);
  if (notes.length > mostLines) say(`note: ${notes.length - mostLines} more; gpuprof info has them`);
}

/**
 * Opens a capture of any kind: gpuprof's own, or one that is imported on the way. `tell` gets what an import could not
 * take over, before anything is replayed. Throws GpuprofError `bad-input`, `bad-capture` or `unsupported-version`.
 */
export async function openAnyCapture(
  path: string,
  tell: (notes: readonly string[]) => void = sayImportNotes,
): Promise<Capture> {
  const { importFormatOf } = await import('../import/formats.ts');
  const format = await importFormatOf(path);
  if (!format) return (await import('../capture/open.ts')).openCapture(path);
  const { importCapture, importNotes } = await import('../import/import-capture.ts');
  const { capture, summary } = await importCapture(path, format);
  tell(importNotes(summary));
  return capture;
}
