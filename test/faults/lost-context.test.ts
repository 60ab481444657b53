/** A GPU that is reset: contexts that tell of it are asked for, and what they tell is heard. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import type { Report } from '../../src/model/report.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { tempFolder } from '../helpers/files.ts';
import { runOnDouble } from '../query/double/double.ts';

const GL_RESET_NOTIFICATION_STRATEGY = 0x8256;
const GL_LOSE_CONTEXT_ON_RESET = 0x8252;

for (const api of ['es', 'gl'] as const)
  test(`a context of ${api} tells of resets where the driver can`, async () => {
    const context = await openContext('egl', { api });
    assert.equal(context.integer(GL_RESET_NOTIFICATION_STRATEGY), GL_LOSE_CONTEXT_ON_RESET);
    context.destroy();
  });

const endless = ['--driver', 'egl', '--timer', 'finish', '--runs', '1000000'];
/** More than the check of the timers takes, and a run of the capture. */
const draws = { LOST_AFTER: 3000 };

test('a replay whose context is lost ends with one line, and keeps what was measured', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const report = join(folder, 'a.json');
  const { code, stderr } = await runOnDouble(['replay', file, ...endless, '-o', '/dev/null', '--json', report], draws);
  const what = String.raw`the driver lost its context \(as after a reset of the GPU\) while frame 1 was made ready`;
  const kept = new RegExp(`^gpuprof: \\S+small\\.cap: ${what}; \\d+ whole runs are in the report; replay it once more`);
  assert.match(stderr, kept);
  assert.equal(code, 3);
  const { frames, warnings } = JSON.parse(await readFile(report, 'utf8')) as Report;
  assert.match(warnings[0].message, new RegExp(`^${what}; what was measured before it is here$`));
  assert.ok(frames[0].runs > 1);
});

test('a comparison names the side', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const { code, stderr } = await runOnDouble(['compare', file, file, ...endless, '-o', '/dev/null'], draws);
  assert.match(
    stderr,
    /^gpuprof: (base|new) \(small\.cap\): the driver lost its context \(.*\) while .*; \d+ pairs of runs are in the report/,
  );
  assert.equal(code, 3);
});
