import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf, reportOf, swapchain, usageOf } from './kit.ts';

const gpu = (res: number, name: string, ms: number): string =>
  `16,8,${res},${name},Fmin_ms_gpu_frame_time,${ms},Fmax_ms_gpu_frame_time,${ms + 1},Favg_ms_gpu_frame_time,${ms + 0.5},\n`;
/** As gpuprof writes an event, between the line that announces it and the one that releases it. */
const event = (res: number, name: string, ms: number): string =>
  `11,8,${res},${name},width,0,height,0,buffer_count,1,msaa_buffer_count,0,effective_sample_count,1,approx_total_byte_size,4,\n` +
  `${gpu(res, name, ms)}12,8,${res},${name},\n`;
const stream = [
  swapchain(400, 800),
  gpu(400, 'canvas', 9),
  event(1, 'sky', 1),
  event(3, 'sky/draw', 4),
  event(1, 'sky', 3),
  gpu(400, 'canvas', 11),
].join('');
const options = { top: 1, qt: 5, width: 80, color: false } as const;

test("a frame's events are listed by weight, and are no swapchains", () => {
  const { eventTimes, gpuFrame, gpuOther, memory, total, largest, events, notes } = usageOf(stream);
  assert.deepEqual(
    eventTimes.map(({ res, name, windows, minMs, maxMs, avgMs }) => [res, name, windows, minMs, maxMs, avgMs]),
    [
      [3n, 'sky/draw', 1, 4, 5, 4.5],
      [1n, 'sky', 2, 1, 4, 2.5],
    ],
  );
  assert.deepEqual([gpuFrame?.windows, gpuFrame?.minMs, gpuFrame?.maxMs, gpuOther], [2, 9, 12, null]);
  assert.deepEqual([memory.get('swapchain')?.created, total.liveBytes, total.peakBytes], [1, 800n, 800n]);
  assert.deepEqual([total.strayReleases, largest.length, events.get(11), notes], [0, 1, 4, []]);
});

test("a window that is minimized, and gpuprof's event ids as swapchains of others, stay swapchains", () => {
  const minimized = swapchain(400, 8).replace('width,10,height,10', 'width,0,height,0');
  const { eventTimes, gpuFrame, memory } = usageOf(swapchain(400, 800) + minimized + gpu(400, '', 2));
  assert.deepEqual([eventTimes, gpuFrame?.windows, memory.get('swapchain')?.liveBytes], [[], 1, 8n]);
  const again = usageOf(event(1, 'sky', 1).replace(/12,.*\n$/, '') + swapchain(1, 800) + gpu(1, '', 2));
  assert.deepEqual([again.eventTimes.length, again.gpuFrame?.windows, again.total.liveBytes], [1, 1, 800n]);
});

test('events in the reports', () => {
  const report = reportOf('a.csv', stream);
  assert.ok(
    documentOf('table', [report], options).includes(`
Heaviest events, 1 of 2, on the GPU
event  min ms  max ms  avg ms  path
───────────────────────────────────────
    3       4       5     4.5  sky/draw
`),
  );
  const rows = documentOf('csv', [report], options).split('\r\n');
  assert.deepEqual(
    rows.filter((row) => row.includes('event times')),
    ['a.csv,event times,GPU,1,,,,4,5,4.5,3,sky/draw,,,', 'a.csv,event times,GPU,2,,,,1,4,2.5,1,sky,,,'],
  );
  const { eventTimes } = JSON.parse(documentOf('json', [report], options)).streams[0];
  assert.deepEqual(
    eventTimes.map(({ res, name, avgMs }: { res: string; name: string; avgMs: number }) => [res, name, avgMs]),
    [
      ['3', 'sky/draw', 4.5],
      ['1', 'sky', 2.5],
    ],
  );
});
