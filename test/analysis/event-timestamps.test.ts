import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  queryKernelTimestamps,
  type TimestampEvent,
  type TimestampResult,
  timestampEvent,
  timestampFlags,
} from '../../src/analysis/event-timestamps.ts';
import { GpuprofError } from '../../src/errors.ts';
import type { FrameReport } from '../../src/model/report.ts';
import type { RunTimeline } from '../../src/model/timeline.ts';
import { frame, node } from '../report/sample.ts';

const run = (atNs: number, over: Partial<RunTimeline> = {}): RunTimeline => ({
  startNs: atNs,
  submittedNs: atNs + 60,
  finishedNs: atNs + 100,
  clock: 'device',
  reason: null,
  uncertaintyNs: 2,
  driftPpm: 0,
  driftUncertaintyPpm: 1,
  latencyNs: 30,
  submitStartNs: [atNs + 1, atNs + 20],
  submitEndNs: [atNs + 10, atNs + 30],
  finishNs: [atNs + 100, atNs + 100],
  startsNs: [atNs + 40, atNs + 60],
  endsNs: [atNs + 50, atNs + 80],
  deviceStarts: [BigInt(atNs) + 7040n, BigInt(atNs) + 7060n],
  deviceEnds: [BigInt(atNs) + 7050n, BigInt(atNs) + 7080n],
  ...over,
});

const recorded: FrameReport = {
  ...frame,
  nodes: [
    node({ name: 'frame', depth: 0, eventId: null, kind: 'frame', isLeaf: false }, 30),
    node({ name: 'scene', depth: 1, eventId: 2, kind: 'marker', isLeaf: false }, 30),
    node({ name: 'cube', depth: 2, eventId: 3 }, 10),
    node({ name: 'lamp', depth: 2, eventId: 5 }, 20),
  ],
  timeline: { originNs: 1000, runs: [run(100), run(300)] },
};

const both = (kernelStart: bigint, kernelEnd: bigint): TimestampResult => ({
  global: { kernelStart, kernelEnd },
  context: { kernelStart, kernelEnd },
});
const untouched = both(-1n, -1n);
const room = (count: number) => new Array<TimestampResult>(count).fill(untouched);

test('an event has a packet for each run, and a group for each leaf in it, too', () => {
  const lamp = timestampEvent(recorded, 5);
  assert.equal(lamp.flags, timestampFlags.kernel | timestampFlags.synchronized);
  assert.deepEqual(lamp.packets, [
    { kernel: both(7160n, 7180n), synchronized: both(1160n, 1180n) },
    { kernel: both(7360n, 7380n), synchronized: both(1360n, 1380n) },
  ]);
  assert.deepEqual(
    timestampEvent(recorded, 2).packets?.map(({ kernel }) => kernel.global.kernelStart),
    [7140n, 7160n, 7340n, 7360n],
  );
  assert.throws(
    () => timestampEvent(recorded, 4),
    (error) => error instanceof GpuprofError && error.code === 'query-misuse' && /no event 4/.test(error.message),
  );
});

test('the first call asks for the count, the second fills both kinds', () => {
  const event = timestampEvent(recorded, 3);
  const count = { value: 0 };
  assert.equal(queryKernelTimestamps(event, count), 'success');
  assert.equal(count.value, 2);
  const kernel = room(2);
  const synchronized = room(2);
  assert.equal(queryKernelTimestamps(event, count, { kernel, synchronized }), 'success');
  assert.deepEqual(kernel, [both(7140n, 7150n), both(7340n, 7350n)]);
  assert.deepEqual(synchronized, [both(1140n, 1150n), both(1340n, 1350n)]);
});

test('a count of 0 fills nothing, a small one only so many, a large one is set right', () => {
  const event = timestampEvent(recorded, 3);
  for (const [value, after, filled] of [
    [0, 2, 0],
    [1, 1, 1],
    [2, 2, 2],
    [5, 2, 2],
  ]) {
    const count = { value };
    const kernel = room(5);
    assert.equal(queryKernelTimestamps(event, count, { kernel }), 'success');
    assert.equal(count.value, after, `${value}`);
    assert.deepEqual(
      kernel.map((result) => result !== untouched),
      [0, 1, 2, 3, 4].map((index) => index < filled),
    );
  }
});

test('of an event that has not completed nothing is touched', () => {
  const nothing = run(1, { startsNs: [null, 5], endsNs: [null, 6], deviceStarts: [null, 5n], deviceEnds: [null, 6n] });
  const lost = { ...recorded, timeline: { originNs: 0, runs: [nothing] } };
  for (const frameReport of [lost, frame]) {
    const event = timestampEvent(frameReport, frameReport === frame ? 4 : 3);
    const count = { value: 7 };
    const kernel = room(1);
    assert.equal(queryKernelTimestamps(event, count, { kernel }), 'not-ready');
    assert.deepEqual([count.value, kernel], [7, [untouched]]);
  }
});

test('what an event does not hold cannot be asked of it, nor more than there is room for', () => {
  const packet = { kernel: both(1n, 2n), synchronized: null };
  const event: TimestampEvent = { packets: [packet, packet], flags: timestampFlags.kernel };
  const misuse = (count: number, buffers: Parameters<typeof queryKernelTimestamps>[2], message: RegExp) =>
    assert.throws(
      () => queryKernelTimestamps(event, { value: count }, buffers),
      (error) => error instanceof GpuprofError && error.code === 'query-misuse' && message.test(error.message),
    );
  const kernel = room(1);
  misuse(1, { kernel, synchronized: room(1) }, /holds no synchronized/);
  misuse(2, { kernel }, /too small/);
  misuse(-1, { kernel }, /no count/);
  misuse(0.5, { kernel }, /no count/);
  assert.deepEqual(kernel, [untouched]);
});
