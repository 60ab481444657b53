import { join } from 'node:path';
import { type ImageDifference, imageDifference } from '../../src/analysis/image-difference.ts';
import { openCapture } from '../../src/capture/open.ts';
import { decodePng } from '../../src/capture/png.ts';
import type { DriverName } from '../../src/gl/context.ts';
import { runInSession } from '../helpers/session.ts';
import { play } from '../record/replaying.ts';
import { buildPage, type Page } from './build.ts';

/** Builds a page and records its eighth frame with the built `gpuprof`; returns the capture's path. */
export async function recordLibraryPage({ name, counts }: Page, folder: string, output = name): Promise<string> {
  const html = await buildPage(name, folder);
  const path = join(folder, `${output}.cap`);
  const which = counts ? ['--trigger', 'framesDrawn === 8'] : ['--frame', '8'];
  const { code, stderr } = await runInSession(['record', 'page', html, '-o', path, ...which, '--timeout', '240']);
  if (code !== 0) throw new Error(`${name}: ${stderr}`);
  return path;
}

/** How a capture's replay differs from the page's picture by more than 3 of 255. Throws when GL reports errors. */
export async function replayDifference(path: string, driver: DriverName): Promise<ImageDifference> {
  const { pixels, again, glErrors } = await play(path, driver);
  if (glErrors.length > 0) throw new Error(glErrors.join('\n'));
  if (!Buffer.from(again).equals(pixels)) throw new Error(`${path}: the second run draws another picture`);
  const capture = await openCapture(path);
  const reference = decodePng((await capture.reference()) as Uint8Array);
  await capture.close();
  return imageDifference({ ...reference, data: pixels }, reference, 3);
}

/** What a capture holds, as `gpuprof info` says. */
export async function sizesOf(path: string): Promise<{ calls: number; draws: number; sizeBytes: number }> {
  const { stdout } = await runInSession(['info', path, '--format', 'json']);
  const { sizeBytes, frames } = JSON.parse(stdout);
  return { ...frames[0], sizeBytes };
}
