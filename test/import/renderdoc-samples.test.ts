import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { imageDifference } from '../../src/analysis/image-difference.ts';
import { decodePng } from '../../src/capture/png.ts';
import { sharedPath, skipWithout, tempFolder } from '../helpers/files.ts';
import { fixture, fixtureXml, frameChunks, importFile, playLast, unpack } from './renderdoc-kit.ts';

/** Draws as RenderDoc counts them. */
const samples = [
  { name: 'tex', draws: 16, api: 'gl', dropped: [] },
  {
    name: 'fbo',
    draws: 12,
    api: 'gl',
    dropped: [
      {
        name: 'initial contents of a Texture',
        count: 1,
        why: 'GL cannot upload the samples of a multisampled texture',
      },
    ],
  },
  { name: 'buf', draws: 14, api: 'gl', dropped: [] },
  { name: 'ext', draws: 5, api: 'gl', dropped: [] },
  { name: 'misc', draws: 6, api: 'gl', dropped: [] },
  { name: 'es', draws: 6, api: 'gles', dropped: [] },
] as const;

/** Calls of a frame by name. */
async function frameCalls(capture: Awaited<ReturnType<typeof importFile>>['capture']): Promise<string[]> {
  const frame = await capture.frame(1);
  return Array.from({ length: frame.length }, (_, index) => frame.call(index).signature.name);
}

for (const { name, draws, api, dropped } of samples)
  test(`${name}: draws what RenderDoc replays, without GL errors`, async (t) => {
    const { capture, summary } = await importFile(await unpack(name, await tempFolder(t)));
    assert.equal(capture.manifest.api, api);
    assert.deepEqual([capture.manifest.canvas.width, capture.manifest.canvas.height], [112, 84]);
    assert.equal(summary.draws, draws);
    assert.deepEqual(summary.dropped, dropped);
    assert.deepEqual([summary.frames, summary.isComplete, summary.ending], [1, true, null]);
    const { canvas, errors, renderer, versionText } = await playLast(capture);
    assert.deepEqual(errors, []);
    const difference = imageDifference(canvas, decodePng(await readFile(fixture(`${name}.png`))), 3);
    const { origin } = capture.manifest;
    if (renderer === origin.renderer && versionText === origin.version) assert.equal(difference.differing, 0);
    else assert.ok(difference.beyondTolerance <= 0.01 * difference.pixels, JSON.stringify(difference));
  });

test('every chunk of a frame is one call where the program bound what it changed', async (t) => {
  const folder = await tempFolder(t);
  for (const name of ['tex', 'fbo', 'es']) {
    const { capture } = await importFile(await unpack(name, folder));
    const chunks = frameChunks(await fixtureXml(name));
    const calls = await frameCalls(capture);
    assert.equal(calls.length, chunks.length, name);
    const renamed = chunks.flatMap((chunk, index) => (chunk === calls[index] ? [] : [`${chunk} > ${calls[index]}`]));
    assert.deepEqual(
      renamed,
      name === 'es' ? ['glFlushMappedBufferRange > glBufferSubData'] : [],
      'what a mapping wrote is uploaded; all else keeps its name',
    );
  }
});

test('what EXT_direct_state_access names is bound for the call, and put back', async (t) => {
  const { capture } = await importFile(await unpack('ext', await tempFolder(t)));
  const calls = await frameCalls(capture);
  const at = calls.indexOf('glTexSubImage2D');
  assert.deepEqual(calls.slice(at - 1, at + 2), ['glBindTexture', 'glTexSubImage2D', 'glBindTexture']);
  assert.ok(calls.every((name) => !name.endsWith('EXT')));
});

const nested = sharedPath('renderdoc');

test('nested200: 656 calls, 204 draws, its groups, and no GL error', {
  skip: skipWithout(nested, 'renderdoc'),
}, async () => {
  const path = join(nested!, 'nested200.zip.xml');
  const { capture, summary } = await importFile(path);
  const calls = await frameCalls(capture);
  assert.deepEqual(calls, frameChunks(await readFile(path, 'utf8')));
  assert.deepEqual([calls.length, summary.draws, summary.frames], [656, 204, 1]);
  assert.equal(calls.filter((name) => name === 'glPushDebugGroup').length, 16);
  assert.deepEqual([summary.dropped, summary.notes], [[], []]);
  const { errors, canvas, renderer, versionText } = await playLast(capture);
  assert.deepEqual(errors, []);
  // The shader is chaotic: one rounding decides on a pixel's whole colour, so that only the same driver draws the same.
  const { origin } = capture.manifest;
  if (renderer !== origin.renderer || versionText !== origin.version) return;
  const digest = createHash('sha256').update(canvas.data.filter((_, at) => at % 4 !== 3));
  assert.equal(digest.digest('hex'), '13890111852e1e169d67dad7783e60f3484bbcf3cd827a9a5d29b9d93ff4669f');
});
