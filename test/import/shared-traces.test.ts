import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { importFormatOf } from '../../src/import/formats.ts';
import { importCapture } from '../../src/import/import-capture.ts';
import { Bindings } from '../../src/model/bindings.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { sharedPath, skipWithout } from '../helpers/files.ts';

interface Sample {
  readonly name: string;
  readonly api: string;
  readonly size: string;
  /** As `apitrace dump -v` lists them. */
  readonly sourceCalls: number;
  /** Draws between swaps, as `apitrace dump` lists them. */
  readonly draws: readonly number[];
}

const times = (count: number, draws: number): number[] => Array<number>(count).fill(draws);

const samples: readonly Sample[] = [
  { name: 'appquery_gl', api: 'gl 4.5 core', size: '512x512', sourceCalls: 1359, draws: [200, 200] },
  { name: 'es2_buffer', api: 'gles 2.0', size: '320x240', sourceCalls: 2512, draws: [1, 1, 1] },
  { name: 'es2_build', api: 'gles 2.0', size: '320x240', sourceCalls: 2680, draws: times(20, 1) },
  { name: 'es2_bump', api: 'gles 2.0', size: '320x240', sourceCalls: 2555, draws: times(10, 1) },
  { name: 'es2_ideas', api: 'gles 2.0', size: '320x240', sourceCalls: 7180, draws: [180, ...times(9, 227)] },
  { name: 'es2_shadow', api: 'gles 2.0', size: '320x240', sourceCalls: 2934, draws: times(10, 3) },
  { name: 'es2gears', api: 'gles 2.0', size: '300x300', sourceCalls: 3646, draws: times(100, 3) },
  { name: 'gl_ideas', api: 'gl 2.1 compatibility', size: '320x240', sourceCalls: 5870, draws: times(10, 180) },
  { name: 'noswap_gl', api: 'gl 4.5 core', size: '512x512', sourceCalls: 1335, draws: [400] },
  { name: 'synth', api: 'gles 3.2', size: '512x512', sourceCalls: 18273, draws: times(3, 2000) },
  { name: 'synth_gl', api: 'gl 4.5 core', size: '512x512', sourceCalls: 18271, draws: times(3, 2000) },
];

const folder = sharedPath('apitrace');
const skip = skipWithout(folder, 'apitrace');

async function imported(name: string) {
  const path = join(folder as string, `${name}.trace`);
  const format = await importFormatOf(path);
  assert.equal(format?.name, 'apitrace');
  return importCapture(path, format as NonNullable<typeof format>);
}

for (const sample of samples)
  test(`${sample.name} is imported whole and replays without a GL error`, { skip }, async () => {
    const { capture, summary } = await imported(sample.name);
    const { api, apiVersion, profile, canvas } = capture.manifest;
    assert.equal([api, apiVersion.join('.'), profile].filter(Boolean).join(' '), sample.api);
    assert.equal(`${canvas.width}x${canvas.height}`, sample.size);
    assert.equal(summary.sourceCalls, sample.sourceCalls);
    assert.deepEqual(summary.dropped, []);
    assert.deepEqual(summary.notes, []);
    assert.equal(summary.ending, null);
    assert.equal(
      summary.draws,
      sample.draws.reduce((sum, draws) => sum + draws, 0),
    );
    const bindings = new Bindings();
    for (const call of await capture.setup()) bindings.apply(call);
    const draws: number[] = [];
    for (let frame = 1; frame <= capture.manifest.frames.length; frame++)
      draws.push(buildEventTree(bindings, await capture.frame(frame), capture.manifest).nodes[0].draws);
    assert.deepEqual(draws, sample.draws);

    const context = await openContext('egl', { api: api === 'gl' ? 'gl' : 'es', ...(profile && { profile }) });
    const replayer = await Replayer.create(context, capture);
    const frame = await replayer.loadFrame(draws.length);
    frame.restore();
    frame.play();
    assert.deepEqual(replayer.glErrors, []);
    const { data } = frame.readCanvas();
    assert.ok(new Set(new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)).size > 4, 'a picture');
    replayer.destroy();
    context.destroy();
  });
