import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { QrhiUsageTally } from '../../src/analysis/qrhi/usage.ts';
import { QrhiStreamReader } from '../../src/import/qrhi/stream-reader.ts';
import type { QrhiKind, QrhiUsage } from '../../src/model/qrhi/usage.ts';
import { sharedPath, skipWithout } from '../helpers/files.ts';
import { integersFrom } from '../helpers/random.ts';
import { buffer, release, renderbuffer, smallStream, swapchain, texture, usageOf } from './kit.ts';

const memoryOf = ({ memory }: QrhiUsage, kind: QrhiKind) => {
  const { liveCount, liveBytes, peakBytes, created, released, recreated, strayReleases } = memory.get(kind)!;
  return [liveCount, liveBytes, peakBytes, created, released, recreated, strayReleases];
};

test('memory, live and at its peak', () => {
  const usage = usageOf(smallStream);
  assert.deepEqual(memoryOf(usage, 'buffer'), [1, 0n, 84n, 2, 1, 0, 0]);
  assert.deepEqual(memoryOf(usage, 'texture'), [1, 0n, 512n, 2, 1, 0, 0]);
  assert.deepEqual(memoryOf(usage, 'renderbuffer'), [1, 1600n, 1600n, 2, 0, 1, 0]);
  assert.deepEqual(memoryOf(usage, 'swapchain'), [0, 0n, 800n, 1, 1, 0, 1]);
  assert.deepEqual(memoryOf(usage, 'buffer staging'), [0, 0n, 84n, 1, 1, 0, 0]);
  assert.deepEqual(memoryOf(usage, 'readback'), [0, 0n, 512n, 1, 1, 0, 0]);
  assert.equal(usage.total.peakBytes, 84n + 512n + 1600n + 800n + 512n);
  assert.deepEqual(
    usage.live.map(({ kind, res, line, sizeBytes }) => [kind, res, line, sizeBytes]),
    [
      ['renderbuffer', 300n, 8, 1600n],
      ['buffer', 101n, 2, 0n],
      ['texture', 201n, 6, 0n],
    ],
  );
  assert.deepEqual(
    usage.largest.map(({ res, sizeBytes, isLive }) => [res, sizeBytes, isLive]),
    [
      [300n, 1600n, true],
      [400n, 800n, false],
      [200n, 512n, false],
      [100n, 84n, false],
    ],
  );
});

test('times, the allocator, events', () => {
  const usage = usageOf(smallStream);
  assert.deepEqual(usage.allocator, {
    reports: 2,
    blocks: 1n,
    allocations: 3n,
    usedBytes: 1000n,
    unusedBytes: 1048n,
    peakUsedBytes: 2000n,
  });
  const { last: _, ...gpu } = usage.gpuFrame!;
  assert.deepEqual(gpu, { windows: 1, minMs: 1e-7, maxMs: 2.5, avgMs: 0.25, minimumAboveAverage: 0 });
  assert.equal(usage.frameBuild?.minimumAboveAverage, 1);
  assert.equal(usage.gpuOther, null);
  assert.deepEqual([usage.events.get(15), usage.events.get(12), usage.events.get(9)], [2, 2, undefined]);
  assert.deepEqual([usage.firstMs, usage.lastMs, usage.clockSteps], [5n, 22n, 0]);
});

test('GPU times of what is no swapchain stand apart', () => {
  const times = (res: number, ms: number) =>
    `16,5,${res},frame/draw,Fmin_ms_gpu_frame_time,${ms},Fmax_ms_gpu_frame_time,${ms},Favg_ms_gpu_frame_time,${ms},\n`;
  const usage = usageOf(swapchain(9, 100) + times(9, 4) + times(3, 1) + times(4, 3));
  assert.deepEqual([usage.gpuFrame?.avgMs, usage.gpuOther?.windows, usage.gpuOther?.avgMs], [4, 2, 2]);
});

test("the viewer's double counting is shown beside what is live", () => {
  const again = usageOf(buffer(1, 100) + buffer(1, 150, 2) + release(2, 1) + release(2, 1));
  assert.deepEqual(memoryOf(again, 'buffer'), [0, 0n, 300n, 2, 1, 1, 1]);
  assert.deepEqual([again.viewer.buffers.totalBytes, again.viewer.buffers.peakBytes], [100n, 400n]);
  assert.match(again.notes.join('\n'), /viewer shows 100 bytes of buffers where 0 are live: 1 buffer came again/);
  const staged = usageOf(`${buffer(1, 100)}3,5,1,,slot,0,size,60,\n3,5,1,,slot,5,size,7,\n${release(2, 1)}`);
  assert.deepEqual(memoryOf(staged, 'buffer staging'), [0, 0n, 67n, 2, 2, 0, 0]);
  assert.equal(staged.viewer.buffers.stagingBytes, 60n);
  // Its integers have 64 bits.
  const huge = usageOf(buffer(1, 2n ** 63n - 1n) + buffer(2, 1));
  assert.equal(huge.memory.get('buffer')?.liveBytes, 2n ** 63n);
  assert.equal(huge.viewer.buffers.totalBytes, -(2n ** 63n));
});

test('a stream that never releases is followed up to a bound, and told of', () => {
  const tally = new QrhiUsageTally(3);
  const reader = new QrhiStreamReader((line) => tally.add(line));
  for (let at = 0; at < 140; at++)
    reader.push(Buffer.from(Array.from({ length: 1000 }, (_, index) => buffer(1000 * at + index + 1, 1)).join('')));
  const usage = tally.figures();
  assert.equal(usage.live.length, 2 ** 17);
  assert.equal(usage.viewer.buffers.count, 2 ** 17);
  assert.match(usage.notes.join('\n'), /8928 creations were not followed, since 131072 resources were live/);
});

/** Adds up from scratch after every line: slow and plain. */
function naive(lines: readonly string[]) {
  const live = new Map<string, number>();
  const peak = { b: 0, t: 0, r: 0, s: 0 };
  const sum = (kind: string) => [...live].reduce((all, [key, bytes]) => all + (key[0] === kind ? bytes : 0), 0);
  const viewer = { b: 0, t: 0, s: 0, bPeak: 0, tPeak: 0, sPeak: 0 };
  for (const line of lines) {
    const [op, , res, , ...pairs] = line.trim().split(',');
    const value = (key: string) => Number(pairs[pairs.indexOf(key) + 1]);
    const kind = { 1: 'b', 2: 'b', 5: 'r', 6: 'r', 7: 't', 8: 't', 11: 's', 12: 's' }[Number(op)] as
      | 'b'
      | 'r'
      | 't'
      | 's';
    const key = kind + res;
    const was = live.get(key) ?? 0;
    live.delete(key);
    let size: number | null = null;
    if (op === '1') size = value('effective_size') * value('backing_gpu_buf_count');
    else if (op === '7') size = value('owns_native_resource') * value('approx_byte_size');
    else if (op === '5') size = value('approx_byte_size');
    else if (op === '11') size = value('approx_total_byte_size');
    if (size !== null) live.set(key, size);
    if (kind !== 'r') viewer[kind] += size === null || kind === 's' ? (size ?? 0) - was : size;
    if (kind !== 'r') viewer[`${kind}Peak`] = Math.max(viewer[`${kind}Peak`], viewer[kind]);
    peak[kind] = Math.max(peak[kind], sum(kind));
  }
  return { live: { b: sum('b'), t: sum('t'), r: sum('r'), s: sum('s') }, peak, viewer, count: live.size };
}

test('totals equal those of a plain model, over generated streams', () => {
  const random = integersFrom(12345);
  for (let round = 0; round < 60; round++) {
    const lines = Array.from({ length: 1 + random(200) }, () => {
      const [res, size] = [1 + random(12), random(5000)];
      const make = [
        () => buffer(res, size, random(3)),
        () => texture(res, size, random(2)),
        () => renderbuffer(res, size),
        () => swapchain(res, size),
        () => release(2, res),
        () => release(8, res),
        () => release(6, res),
        () => release(12, res),
      ];
      return make[random(make.length)]();
    });
    const { memory, viewer, total } = usageOf(lines.join(''));
    const pick = (kind: QrhiKind, what: 'liveBytes' | 'peakBytes') => Number(memory.get(kind)![what]);
    const each = (what: 'liveBytes' | 'peakBytes') => ({
      b: pick('buffer', what),
      t: pick('texture', what),
      r: pick('renderbuffer', what),
      s: pick('swapchain', what),
    });
    const { buffers, textures, swapchains } = viewer;
    const seen = [
      buffers.totalBytes,
      textures.totalBytes,
      swapchains.totalBytes,
      buffers.peakBytes,
      textures.peakBytes,
      swapchains.peakBytes,
    ].map(Number);
    const [b, t, s, bPeak, tPeak, sPeak] = seen;
    assert.deepEqual(
      {
        live: each('liveBytes'),
        peak: each('peakBytes'),
        viewer: { b, t, s, bPeak, tPeak, sPeak },
        count: total.liveCount,
      },
      naive(lines),
      `round ${round}`,
    );
  }
});

const streams = sharedPath('qrhi/streams');

test('real streams of Qt', { skip: skipWithout(streams, 'qrhi/streams') }, () => {
  const read = (name: string) => usageOf(readFileSync(join(streams as string, name)));
  const gl = read('gl_llvmpipe.csv');
  assert.deepEqual([gl.lines, gl.malformed, gl.live.length, gl.total.liveBytes], [106, 0, 3, 1920000n]);
  assert.deepEqual(gl.viewer.buffers, {
    count: 2,
    totalBytes: 0n,
    peakBytes: 14216n,
    stagingBytes: 0n,
    peakStagingBytes: 0n,
  });
  const qml = read('qml_opengl.csv');
  assert.deepEqual([qml.lines, qml.malformed, qml.live.length, qml.frameToFrame?.windows], [142, 0, 7, 25]);
  const vk = read('vk_lavapipe.csv');
  assert.deepEqual([vk.malformed, vk.live.length, vk.allocator?.reports, vk.events.size], [0, 0, 6, 18]);
  assert.match(vk.notes.join('\n'), /^2 colour renderbuffers of 1280000 bytes in all, counted twice/m);
  for (const { notes } of [gl, qml, read('known_bad/real_newline_in_name.csv')])
    assert.doesNotMatch(notes.join('\n'), /counted twice/);
  assert.deepEqual([vk.viewer.buffers.stagingBytes, vk.memory.get('buffer staging')?.liveBytes], [24n, 0n]);
  const bad = read('known_bad/real_newline_in_name.csv');
  assert.deepEqual(
    bad.faults.map(({ line }) => line),
    [10, 11, 110, 111, 112, 113],
  );
  assert.deepEqual([bad.live.length, bad.viewer.buffers.totalBytes], [0, 3000n]);
});
