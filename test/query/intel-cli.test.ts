import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runOnDouble } from './double/double.ts';

const scene = fileURLToPath(new URL('../../captures/scene.cap', import.meta.url));
const counters = ['--counters', 'intel/*/Draws,intel/Large/Bytes', '--runs', '1', '--format', 'json'];

test('the command line lists and measures what the double counts', async () => {
  const listed = await runOnDouble(['counters', 'intel/*', '--driver', 'egl', '--format', 'json']);
  assert.equal(listed.code, 0, listed.stderr);
  const { sets } = JSON.parse(listed.stdout);
  assert.deepEqual(
    sets.map((set: { id: string }) => set.id),
    ['intel/Work', 'intel/Large', 'intel/Pipeline Statistics Registers'],
  );
});

test('a fault of one query type loses its column only, with the reason in the report', async () => {
  const { code, stdout, stderr } = await runOnDouble(['replay', scene, '--driver', 'egl', ...counters], {
    INTEL_BEGIN: 'silent',
    INTEL_ONLY_QUERY: 2,
  });
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  const reason = 'GetPerfQueryDataINTEL raised GL_INVALID_OPERATION: the driver did not measure';
  assert.deepEqual(
    report.counters.map((set: Record<string, unknown>) => [set.id, set.status, set.reason]),
    [
      ['intel/Work', 'ok', null],
      ['intel/Large', 'failed', reason],
    ],
  );
  const [frame] = report.frames[0].nodes;
  assert.equal(frame.counters['intel/Work/Draws'].value, frame.draws);
  assert.equal(frame.counters['intel/Large/Bytes'].value, null);
});

test('where no timer can be trusted there are counters without durations, and without counters exit code 3', async () => {
  const args = ['replay', scene, '--driver', 'egl', '--runs', '1', '--format', 'json'];
  const counted = await runOnDouble([...args, '--counters', 'intel/Work/Draws'], { DRAWS: 'none' });
  assert.equal(counted.code, 0, counted.stderr);
  const report = JSON.parse(counted.stdout);
  assert.deepEqual([report.settings.timer, report.settings.method], ['auto', null]);
  assert.match(report.settings.why, /^no timer can be trusted here: /);
  const codes = report.warnings.map(({ code }: { code: string }) => code);
  assert.deepEqual([codes.includes('no-timer'), codes.includes('failed-leaves')], [true, false]);
  const [frame] = report.frames[0].nodes;
  assert.deepEqual([frame.durationNs, frame.status, frame.reason], [null, 'failed', 'no timer can be trusted here']);
  assert.deepEqual(frame.counters['intel/Work/Draws'].samples, [frame.draws]);
  const timed = await runOnDouble(args, { DRAWS: 'none' });
  assert.deepEqual([timed.code, timed.stdout], [3, '']);
  assert.match(timed.stderr, /^gpuprof: no timer can be trusted here: /);
});
