import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryKernelTimestamps, type TimestampResult, timestampEvent } from '../../src/analysis/event-timestamps.ts';
import { frameTimeline } from '../../src/analysis/run-timeline.ts';
import type { DeviceTimes, RunRecord } from '../../src/model/timeline.ts';
import { frame, node } from '../report/sample.ts';

const submitted = [1000, 2000];

const record = (times: RunRecord['times'], finishedNs: number): RunRecord => ({
  originNs: 7e9,
  startNs: 900,
  submittedNs: 3000,
  finishedNs,
  submitStartNs: Float64Array.from(submitted),
  submitEndNs: Float64Array.from(submitted, (timeNs) => timeNs + 500),
  finishNs: Float64Array.from(submitted, () => finishedNs),
  latencyNs: 40,
  times,
});

/** A clock that shows `ticks(hostNs)`, read within 200 ns before the run and after it. */
const device = (
  ticks: (hostNs: number) => bigint,
  finishedNs: number,
  [begins, ends]: readonly (readonly (bigint | null)[])[],
  bits: number,
): DeviceTimes => ({
  clock: 'device',
  bits,
  begins,
  ends,
  readings: [500, finishedNs + 500].map((hostNs) => [
    { hostBeforeNs: hostNs - 100, hostAfterNs: hostNs + 100, ticks: ticks(hostNs) },
  ]),
});

const same = (hostNs: number) => BigInt(Math.round(hostNs));

test('a time that lies outside what is possible by no more than its uncertainty is put right, any other is left', () => {
  const [run] =
    frameTimeline([
      record(
        device(
          same,
          9000,
          [
            [950n, 1700n],
            [8000n, 9050n],
          ],
          64,
        ),
        9000,
      ),
    ])?.runs ?? [];
  assert.equal(run.uncertaintyNs, 100 + 1e-17 * 9000 ** 2 * 0.25);
  assert.deepEqual(run.startsNs, [1000, 1700]);
  assert.deepEqual(run.endsNs, [8000, 9000]);
  assert.deepEqual(
    [run.deviceStarts, run.deviceEnds],
    [
      [950n, 1700n],
      [8000n, 9050n],
    ],
  );
  assert.equal(run.latencyNs, 40);
});

for (const bits of [32, 36])
  test(`a GPU that falls far behind its calls is followed through the wraps of a clock of ${bits} bits`, () => {
    const range = 2 ** bits;
    const shown = (hostNs: number) => BigInt.asUintN(bits, 2n ** BigInt(bits) - 5000n + same(hostNs));
    // Each takes most of the clock's range: the second begins when it has gone round almost twice.
    const times = [2000, 0.8 * range, 1.6 * range, 2.4 * range].map(Math.round);
    const [first, second] = [times.slice(0, 2), times.slice(2)].map((both) => both.map(shown));
    const [run] =
      frameTimeline([
        record(
          device(
            shown,
            3 * range,
            [
              [first[0], second[0]],
              [first[1], second[1]],
            ],
            bits,
          ),
          3 * range,
        ),
      ])?.runs ?? [];
    assert.equal(run.reason, null);
    const told = [run.startsNs[0], run.endsNs[0], run.startsNs[1], run.endsNs[1]];
    told.forEach((timeNs, index) => {
      assert.ok(Math.abs((timeNs ?? Number.NaN) - times[index]) < 10, `${timeNs} for ${times[index]}`);
    });
  });

test("where the clocks cannot be brought together an event has the device's timestamps alone, unwrapped", () => {
  const stood = device(
    () => 77n,
    9000,
    [
      [2n ** 32n - 10n, 20n],
      [5n, null],
    ],
    32,
  );
  const report = {
    ...frame,
    nodes: [
      node({ name: 'frame', depth: 0, eventId: null, kind: 'frame', isLeaf: false }, 30),
      node({ name: 'cube', depth: 1, eventId: 3 }, 10),
      node({ name: 'lamp', depth: 1, eventId: 5 }, 20),
    ],
    timeline: frameTimeline([record(stood, 9000)]) ?? undefined,
  };
  const [run] = report.timeline?.runs ?? [];
  assert.deepEqual([run.clock, run.uncertaintyNs, run.startsNs], ['device', null, [null, null]]);
  assert.match(run.reason ?? '', /stood still/);
  const kernel = new Array<TimestampResult>(1);
  const count = { value: 1 };
  const event = timestampEvent(report, 3);
  assert.equal(queryKernelTimestamps(event, count, { kernel }), 'success');
  assert.deepEqual(kernel[0].global, { kernelStart: 2n ** 32n - 10n, kernelEnd: 2n ** 32n + 5n });
  assert.throws(() => queryKernelTimestamps(event, count, { synchronized: kernel }), /no synchronized timestamps/);
  assert.equal(queryKernelTimestamps(timestampEvent(report, 5), count, { kernel }), 'not-ready');
});
