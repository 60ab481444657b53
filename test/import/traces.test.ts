/**
 * Small traces of programs that each use one part of GL, and what their windows showed at the end: every `NAME.trace` in
 * traces/ has its `NAME.png`, which the program itself read before its last swap, on Mesa's llvmpipe.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng } from '../../src/capture/png.ts';
import { openContext } from '../../src/gl/open.ts';
import { importFormatOf } from '../../src/import/formats.ts';
import { importCapture } from '../../src/import/import-capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';

const folder = join(import.meta.dirname, 'traces');
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.trace') ? [file.replace(/\.trace$/, '')] : []));

/** Levels of 255: Mesa's versions round alike but for these. */
const tolerance = 2;

function differingPixels(expected: Uint8Array, actual: Uint8Array): number {
  assert.equal(actual.length, expected.length);
  let count = 0;
  for (let at = 0; at < expected.length; at += 4)
    // What alpha a window has, nobody sees.
    if ([0, 1, 2].some((channel) => Math.abs(expected[at + channel] - actual[at + channel]) > tolerance)) count++;
  return count;
}

for (const name of names)
  test(`${name} shows what its program showed`, async () => {
    const path = join(folder, `${name}.trace`);
    const format = await importFormatOf(path);
    assert.ok(format);
    const { capture, summary } = await importCapture(path, format);
    assert.equal(summary.ending, null);
    assert.deepEqual(summary.dropped, []);
    const { api, profile, frames } = capture.manifest;
    const context = await openContext('egl', { api: api === 'gl' ? 'gl' : 'es', ...(profile && { profile }) });
    try {
      const replayer = await Replayer.create(context, capture);
      const frame = await replayer.loadFrame(frames.length);
      // Twice: the second run begins where the first one did.
      for (const run of [1, 2]) {
        frame.restore();
        frame.play();
        const { width, height, data } = frame.readCanvas();
        const expected = decodePng(readFileSync(join(folder, `${name}.png`)));
        assert.deepEqual([width, height], [expected.width, expected.height]);
        assert.equal(differingPixels(expected.data, data), 0, `run ${run}`);
      }
      assert.deepEqual(replayer.glErrors, []);
      replayer.destroy();
    } finally {
      context.destroy();
    }
  });
