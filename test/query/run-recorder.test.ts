import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { fitClocks } from '../../src/analysis/clock-sync.ts';
import { queryKernelTimestamps, type TimestampResult, timestampEvent } from '../../src/analysis/event-timestamps.ts';
import { hostNs, hostOriginNs } from '../../src/gl/clock.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import type { RunTimeline } from '../../src/model/timeline.ts';
import { DeviceClock } from '../../src/query/clock-pairs.ts';
import { measureFrame } from '../../src/query/measure-frame.ts';
import { type RecordedClock, recordedClock } from '../../src/query/run-recorder.ts';
import { type TimerMethod, timerMethod } from '../../src/query/timer-method.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

setSoftwareThreads(0);
const context = await openContext('egl', { api: 'es' });
const draws = 4;
const tree = loopTree(draws);

async function timeline(name: 'elapsed' | 'timestamp' | 'finish', recorded: RecordedClock, runs = 3) {
  const method = timerMethod(context, name) as TimerMethod;
  const frame = loopFrame(context, [50, 100, 150, 200], 64);
  const measurement = await measureFrame(context, frame, tree, { method, runs, warmups: 1, recorded });
  return analyseFrame(tree, measurement);
}

/** Every event was executed between its submission and the finish that followed; the GPU was behind for a part of the last. */
function assertOrdered(run: RunTimeline): void {
  for (let leaf = 0; leaf < draws; leaf++) {
    const [start, end] = [run.startsNs[leaf] ?? Number.NaN, run.endsNs[leaf] ?? Number.NaN];
    assert.ok(run.submitStartNs[leaf] >= run.startNs && run.submitEndNs[leaf] <= run.submittedNs);
    assert.ok(run.submitStartNs[leaf] < run.submitEndNs[leaf]);
    assert.ok(start >= run.submitStartNs[leaf], `${start} is before ${run.submitStartNs[leaf]}`);
    assert.ok(end <= run.finishNs[leaf], `${end} is after ${run.finishNs[leaf]}`);
    assert.ok(run.finishNs[leaf] <= run.finishedNs);
  }
  const latencyNs = run.latencyNs ?? Number.NaN;
  assert.ok(latencyNs > 0 && latencyNs < run.finishedNs - run.submittedNs, `${latencyNs}`);
}

test('between finishes, the host clock says when each draw was executed, and what it took fits in', async () => {
  const method = timerMethod(context, 'finish') as TimerMethod;
  assert.deepEqual(recordedClock(context, method, false), { clock: 'host' });
  const report = await timeline('finish', recordedClock(context, method, false));
  assert.equal(report.timeline?.originNs, hostOriginNs());
  assert.equal(report.timeline.runs.length, 3);
  report.timeline.runs.forEach((run, index) => {
    assert.deepEqual([run.clock, run.reason, run.uncertaintyNs], ['host', null, 0]);
    assertOrdered(run);
    for (let leaf = 0; leaf < draws; leaf++) {
      if (leaf > 0) assert.ok((run.startsNs[leaf] ?? 0) >= run.finishNs[leaf - 1]);
      const durationNs = report.nodes[leaf + 1].samples.durationNs[index] ?? Number.NaN;
      assert.ok(durationNs <= (run.endsNs[leaf] ?? 0) - run.submitStartNs[leaf]);
      assert.ok(run.submitEndNs[leaf] > (run.startsNs[leaf] ?? 0));
    }
  });
});

test('what was recorded is read packet by packet, by the clock that the system has', async () => {
  const before = process.hrtime.bigint();
  const report = await timeline('finish', { clock: 'host' });
  const after = process.hrtime.bigint();
  const event = timestampEvent(report, tree.nodes[2].eventId ?? 0);
  const count = { value: 0 };
  assert.equal(queryKernelTimestamps(event, count), 'success');
  assert.equal(count.value, 3);
  const synchronized = new Array<TimestampResult>(3);
  assert.equal(queryKernelTimestamps(event, count, { synchronized }), 'success');
  for (const { global } of synchronized)
    assert.ok(before <= global.kernelStart && global.kernelStart < global.kernelEnd && global.kernelEnd <= after);
});

test("timestamps of the device's clock come to lie on the host's, and the latency is told", async () => {
  // Not what llvmpipe's draws take, but real queries of a clock that is the host's own.
  for (const name of ['timestamp', 'elapsed'] as const) {
    const method = timerMethod(context, name) as TimerMethod;
    const recorded = recordedClock(context, method, true);
    assert.deepEqual(recorded, { clock: 'device' });
    const { timeline: recordedRuns } = await timeline(name, recorded);
    assert.equal(recordedRuns?.runs.length, 3);
    for (const run of recordedRuns.runs) {
      assert.deepEqual([run.clock, run.reason], ['device', null]);
      assert.ok(Math.abs(run.driftPpm ?? Number.NaN) <= (run.driftUncertaintyPpm ?? 0), `${run.driftPpm}`);
      assertOrdered(run);
    }
  }
  assert.equal(context.gl.glGetError(), 0);
});

test('where timestamps cannot be trusted there are times of submission alone, and the reason', async () => {
  const recorded = recordedClock(context, timerMethod(context, 'elapsed') as TimerMethod, false);
  const { timeline: recordedRuns } = await timeline('elapsed', recorded, 1);
  const [run] = recordedRuns?.runs ?? [];
  assert.equal(run.clock, 'none');
  assert.match(run.reason ?? '', /timestamps cannot be trusted/);
  assert.deepEqual(run.startsNs, [null, null, null, null]);
  assert.equal(run.uncertaintyNs, null);
  assert.ok(run.submitEndNs[3] > run.submitStartNs[0]);
});

test('two readings of a clock a while apart fit a third within what is stated', async () => {
  const clock = new DeviceClock(context);
  const before = clock.pairs();
  const checks = [];
  for (let count = 0; count < 20; count++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const earliest = hostNs();
    checks.push({ earliest, ticks: clock.now(), latest: hostNs() });
  }
  const fit = fitClocks([before, clock.pairs()], 64);
  assert.ok(typeof fit !== 'string', `${fit}`);
  for (const { earliest, ticks, latest } of checks) {
    const told = fit.toHostNs(ticks);
    assert.ok(told >= earliest - fit.uncertaintyNs && told <= latest + fit.uncertaintyNs, `${told} ${earliest}`);
  }
});

test('without a clock to record by nothing is recorded', async () => {
  const method = timerMethod(context, 'finish') as TimerMethod;
  const { runs } = await measureFrame(context, loopFrame(context, [5], 16), loopTree(1), { method, runs: 1 });
  assert.equal('record' in runs[0], false);
});
