import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import { run } from '../helpers/cli.ts';
import { samplePath } from '../helpers/files.ts';

test('a plain frame does not pay for memory that the renderer freed in the frame before', async () => {
  const args = ['replay', samplePath('draws-2000'), '--driver', 'egl', '--timer', 'finish', '--runs', '9'];
  const { code, stdout, stderr } = await run([...args, '--format', 'json']);
  assert.equal(code, 0, stderr);
  const [{ plainNs, bracketedNs }] = (JSON.parse(stdout) as Report).frames;
  // 2,000 finishes make a frame several times slower; paying for memory makes the plain frame the slower one.
  assert.ok(plainNs !== null && bracketedNs !== null);
  assert.ok(plainNs.min < bracketedNs.min, `plain ${plainNs.min} ns, bracketed ${bracketedNs.min} ns`);
});
