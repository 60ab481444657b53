import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FrameClock, frameWindow, WindowSamples } from '../../src/model/qrhi/frame-windows.ts';
import { sharedPath, skipWithout } from '../helpers/files.ts';

test('minimum, maximum and average as Qt takes them', () => {
  assert.deepEqual(frameWindow([5, 2, 9]), { min: 2, max: 9, average: Math.fround(16 / 3) });
  // A 0 makes the running minimum begin anew.
  assert.deepEqual(frameWindow([4, 0, 3, 9]), { min: 3, max: 9, average: 4 });
  assert.deepEqual(frameWindow([1, 0, 2, 1, 90]), { min: 1, max: 90, average: Math.fround(94 / 5) });
  assert.deepEqual(frameWindow([1, 0]), { min: 0, max: 1, average: 0.5 });
  // Qt would say 1 here, above the average.
  assert.deepEqual(frameWindow([0, 0, 1]), { min: 0, max: 1, average: Math.fround(1 / 3) });
  assert.deepEqual(frameWindow([0, 0]), { min: 0, max: 0, average: 0 });
});

test('windows do not overlap', () => {
  const samples = new WindowSamples();
  const windows = [1, 2, 3, 4, 5].map((sample) => samples.add(sample, 2));
  assert.deepEqual(windows, [null, { min: 1, max: 2, average: 1.5 }, null, { min: 3, max: 4, average: 3.5 }, null]);
});

test('the first frame only starts the clock; a resize counts frames anew and keeps samples', () => {
  const clock = new FrameClock();
  const lines: string[] = [];
  for (let frame = 0; frame < 10; frame++) {
    if (frame === 5) clock.resized();
    const times = clock.endFrame(frame === 5 ? 100 : 10 + frame, 3, 3);
    if (times) lines.push(`frame ${frame}: ${times.framesSinceResize}, delta ${times.delta.min} to ${times.delta.max}`);
  }
  assert.deepEqual(lines, ['frame 3: 4, delta 11 to 13', 'frame 6: 2, delta 14 to 100', 'frame 9: 5, delta 17 to 19']);
});

const samplesPath = sharedPath('qrhi/streams/gl_llvmpipe.samples.tsv');

test("the windows of Qt's own samples", { skip: skipWithout(samplesPath, 'qrhi/streams') }, () => {
  const rows = readFileSync(samplesPath!, 'utf8').trim().split('\n').slice(1);
  const stream = readFileSync(sharedPath('qrhi/streams/gl_llvmpipe.csv')!, 'utf8');
  const lines = [...stream.matchAll(/^1[78],.*frames_since_resize,(\d+),\w+,(\d+),\w+,(\d+),\w+,([\d.]+),$/gm)];
  const wanted = lines.map((match) => match.slice(1).map(Number));
  assert.equal(wanted.length, 6);
  const clock = new FrameClock();
  const found: number[][] = [];
  const sums = [0, 0];
  for (const row of rows) {
    const [frame, ...cells] = row.split('\t');
    if (Number(frame) === 250) clock.resized();
    // The sample that completes a window is not in the file: it is what the average lacks.
    const isLast = cells[0] === '*';
    const [delta, build] = sums.map((sum, kind) =>
      isLast ? Math.round(wanted[found.length + kind][3] * 120) - sum : Number.parseInt(cells[kind], 10) || 0,
    );
    sums[0] = isLast ? 0 : sums[0] + delta;
    sums[1] = isLast ? 0 : sums[1] + build;
    const times = clock.endFrame(delta, build, 120);
    for (const window of times ? [times.delta, times.build] : [])
      found.push([times!.framesSinceResize, window.min, window.max, Number(window.average.toPrecision(6))]);
  }
  // From samples of 0 Qt has minimums above the average twice, 2 over 1.86667 and 7 over 2.55.
  const above = wanted.filter(([, min, , average]) => min > average);
  assert.deepEqual(
    above.map(([, min]) => min),
    [2, 7],
  );
  for (const window of above) window[1] = 0;
  assert.deepEqual(found, wanted);
});
