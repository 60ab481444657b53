/**
 * A page with each of the well-known libraries is recorded in Chromium and drawn again by SwiftShader and another driver, by
 * turns: `npm run bench:libraries` has every page on every driver.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { noChromium } from '../helpers/chromium.ts';
import { drivers } from '../helpers/drivers.ts';
import { tempFolder } from '../helpers/files.ts';
import { pages } from '../pages/build.ts';
import { recordLibraryPage, replayDifference } from '../pages/measure.ts';

/** They take longest, and are left to the bench. */
const slow: ReadonlySet<string> = new Set([
  'three-materials',
  'three-postprocessing',
  'three-animation',
  'babylon-scene',
  'pixi-filters',
  'deck-layers',
  'maplibre-map',
]);
/** Of this one the recording is made twice, to see that the files are equal. */
const twice = 'regl-webgl1';

for (const [index, page] of pages.filter(({ name }) => !slow.has(name)).entries())
  test(page.name, { skip: noChromium }, async (t) => {
    const folder = await tempFolder(t);
    const path = await recordLibraryPage(page, folder);
    // The renderer that recorded draws the same picture; others round and place edges in their own way.
    assert.equal((await replayDifference(path, 'swiftshader')).differing, 0);
    const driver = drivers[index % drivers.length];
    const { beyondTolerance, pixels } = await replayDifference(path, driver);
    assert.ok(
      beyondTolerance <= 0.01 * pixels,
      `${driver}: ${beyondTolerance} of ${pixels} pixels differ by more than 3`,
    );
    if (page.name !== twice) return;
    const again = await recordLibraryPage(page, folder, 'again');
    assert.ok((await readFile(again)).equals(await readFile(path)), 'two recordings of one frame differ');
  });
