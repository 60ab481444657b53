import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portable } from '../../../src/cli/gate/portable.ts';
import type { CapturePlan, GatePlan } from '../../../src/cli/gate/read-config.ts';
import { capture, check } from '../../report/gate-sample.ts';

test('files are told as the configuration names them, whatever the folders of the machine', () => {
  const own = { file: '../scene.cap', baseline: 'old/base.cap' } as CapturePlan;
  const plan: GatePlan = { folder: '/home/r/repo/gate', baselines: 'b', captures: [own] };
  assert.ok(capture.comparison);
  const at = (file: string) => ({ ...capture.comparison?.base, capture: { file } }) as typeof capture.comparison.base;
  const told = portable(
    {
      ...capture,
      reason: '/home/r/repo/scene.cap is no capture, nor is /home/r/repo/gate/b/x.json',
      checks: [check({ message: 'see /home/r/repo/gate/old/base.cap' })],
      warnings: [{ code: 'x', message: '/home/r/repo/scene.cap' }],
      comparison: {
        ...capture.comparison,
        base: at('/home/r/repo/gate/old/base.cap'),
        new: at('/home/r/repo/scene.cap'),
      },
    },
    own,
    plan,
  );
  assert.deepEqual(
    [told.reason, told.checks[0].message, told.warnings[0].message],
    ['../scene.cap is no capture, nor is b/x.json', 'see old/base.cap', '../scene.cap'],
  );
  assert.deepEqual(
    [told.comparison?.base.capture.file, told.comparison?.new.capture.file],
    ['old/base.cap', '../scene.cap'],
  );
});
