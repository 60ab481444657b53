/**
 * Records the test page of each library and prints the README's table: what its frame holds, and how far the replay is from
 * the page's own picture, as the part of the pixels within 3 of 255 and the largest difference.
 *   npm run bench:libraries
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drivers } from '../helpers/drivers.ts';
import { libraryVersion, pages } from '../pages/build.ts';
import { recordLibraryPage, replayDifference, sizesOf } from '../pages/measure.ts';
import { markdownTable } from './processes.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-libraries-'));
const rows: string[][] = [];
try {
  for (const page of pages) {
    const path = await recordLibraryPage(page, folder);
    const { calls, draws, sizeBytes } = await sizesOf(path);
    const row = [page.name, `${page.library} ${await libraryVersion(page)}`, `${calls}`, `${draws}`];
    row.push(`${Math.round(sizeBytes / 1024)} KiB`);
    for (const driver of drivers) {
      const { beyondTolerance, maxDifference, pixels } = await replayDifference(path, driver);
      row.push(`${((1 - beyondTolerance / pixels) * 100).toFixed(2)}%, ${maxDifference}`);
    }
    rows.push(row);
  }
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(markdownTable(['page', 'library', 'calls', 'draws', 'size', ...drivers], rows));
