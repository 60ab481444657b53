import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads, softwareThreads } from '../../src/gl/software-threads.ts';
import { median } from '../../src/model/median.ts';
import { GpuLead } from '../../src/query/gpu-lead.ts';
import { type MeasureProgress, measureFrame } from '../../src/query/measure-frame.ts';
import { type TimerMethod, timerMethod } from '../../src/query/timer-method.ts';
import { llvmpipeThreads } from './llvmpipe-threads.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

setSoftwareThreads(0);
const context = await openContext('egl', { api: 'es' });
const finish = timerMethod(context, 'finish') as TimerMethod;

test('llvmpipe has the worker threads it was given: none', () => {
  assert.equal(softwareThreads(context), 0);
  assert.deepEqual(llvmpipeThreads(), []);
});

test('ten batches whose loops grow 1:2:...:10 take CPU time in proportion, and the leaves explain the frame', async () => {
  const loops = Array.from({ length: 10 }, (_, batch) => (batch + 1) * 60);
  const tree = loopTree(loops.length);
  const measurement = await measureFrame(context, loopFrame(context, loops, 256), tree, {
    method: finish,
    runs: 5,
    warmups: 1,
  });
  assert.equal(measurement.runs.length, 5);
  assert.equal(measurement.plain.length, 5);
  assert.equal(measurement.warmups, 1);
  const report = analyseFrame(tree, measurement);
  // By CPU time, so that whatever else the machine does cannot fail the test; the least of the runs for the same reason.
  const cpu = report.nodes.slice(1).map((node) => node.cpuNs?.min ?? Number.NaN);
  const unit = median(cpu.map((value, batch) => value / (batch + 1)));
  cpu.forEach((value, batch) => {
    assert.ok(Math.abs(value / (unit * (batch + 1)) - 1) < 0.15, `batch ${batch + 1} is off: ${cpu.join(' ')}`);
  });
  for (const run of measurement.runs) {
    assert.equal(run.questionable, null);
    const sum = run.readingsNs.reduce((total, reading) => total + reading, 0);
    assert.ok(sum <= run.bracketedNs && sum > 0.9 * run.bracketedNs, `${sum} of ${run.bracketedNs}`);
    assert.ok(run.floorNs > 0 && run.floorNs < Math.min(...run.readingsNs), `${run.floorNs}`);
  }
  assert.equal(report.nodes[1].status, 'ok');
  assert.ok(report.plainNs && report.plainNs.median > 0);
});

test('queries that lie about a draw are found out, and measured again only so often', async () => {
  const impossible: TimerMethod = {
    name: 'elapsed',
    isolate: false,
    bits: 64,
    createReader: () => ({
      subscribe() {},
      beginQuery() {},
      endQuery() {},
      unsubscribe: () => ({ values: new Float64Array(100).fill(480e9), suspect: null }),
      dispose() {},
    }),
  };
  const measurement = await measureFrame(context, loopFrame(context, [1, 1], 16), loopTree(2), {
    method: impossible,
    runs: 2,
    warmups: 0,
  });
  assert.equal(measurement.repeated, 3);
  for (const { durationNs } of measurement.plain) assert.ok(Number.isNaN(durationNs));
  for (const { questionable } of measurement.runs) assert.match(questionable ?? '', /longer than the whole run/);
});

test('without a number of runs it settles, and says how far it is', async () => {
  const progress: MeasureProgress[] = [];
  const measurement = await measureFrame(context, loopFrame(context, [50, 50], 64), loopTree(2), {
    method: finish,
    onProgress: (state) => progress.push(state),
  });
  assert.ok(measurement.runs.length >= 3, `${measurement.runs.length}`);
  assert.deepEqual(progress[0], { phase: 'warm-up', run: 1, runs: 1 });
  assert.deepEqual(progress[progress.length - 1], { phase: 'run', run: measurement.runs.length, runs: null });
});

test('each query method gives a reading a bracket and leaves no GL error', async () => {
  for (const api of ['es', 'gl'] as const) {
    const own = await openContext('egl', { api });
    for (const name of ['elapsed', 'timestamp'] as const) {
      const method = timerMethod(own, name) as TimerMethod;
      assert.equal(method.bits, 64);
      const { runs } = await measureFrame(own, loopFrame(own, [5, 5, 5], 64), loopTree(3), { method, runs: 2 });
      assert.equal(runs.length, 2);
      for (const run of runs) {
        assert.equal(run.readingsNs.length, 3);
        assert.ok(run.readingsNs.every(Number.isFinite));
        assert.equal(run.cpuNs, null);
      }
      assert.equal(own.gl.glGetError(), 0, `${api} ${name}`);
    }
    own.destroy();
  }
  context.makeCurrent();
});

test('a lead leaves bindings and errors alone', () => {
  const { gl, scratch } = context;
  gl.glGenBuffers(1, scratch.address);
  const bound = scratch.u32[0];
  gl.glBindBuffer(0x8f36, bound);
  const lead = new GpuLead(context);
  lead.occupy(1e6);
  lead.dispose();
  assert.deepEqual([context.integer(0x8f36), context.integer(0x8f37)], [bound, 0]);
  assert.equal(gl.glGetError(), 0);
});

test('behind a lead, the whole run is timed by the same clock as its leaves', async () => {
  const method = timerMethod(context, 'timestamp') as TimerMethod;
  const options = { method, lead: true, runs: 2 };
  const { plain, runs } = await measureFrame(context, loopFrame(context, [5, 5], 64), loopTree(2), options);
  assert.deepEqual([plain.length, runs.length], [2, 2]);
  for (const { bracketedNs, readingsNs } of runs)
    assert.ok(Number.isFinite(bracketedNs) && readingsNs.every(Number.isFinite));
  assert.equal(context.gl.glGetError(), 0);
});

test('a frame without calls or without leaves is no failure', async () => {
  const nothing = await measureFrame(context, loopFrame(context, [], 16), loopTree(0), { method: finish });
  assert.deepEqual([nothing.runs.length, nothing.plain.length], [0, 0]);
  const leafless = await measureFrame(context, loopFrame(context, [1], 16), loopTree(0), { method: finish, runs: 2 });
  assert.deepEqual([leafless.runs.length, leafless.runs[0].questionable], [2, null]);
  assert.ok(leafless.plain.every(({ durationNs }) => durationNs >= 0));
});
