import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { portable } from '../../../src/cli/gate/portable.ts';
import type { CapturePlan, GatePlan } from '../../../src/cli/gate/read-config.ts';
import { fileInRepository } from '../../../src/cli/gate/repository.ts';
import { tempFolder } from '../../helpers/files.ts';
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

test('captures are named from the root of their repository, whatever the working folder', async (t) => {
  const folder = await tempFolder(t);
  const workspace = process.env.GITHUB_WORKSPACE;
  t.after(() => {
    if (workspace === undefined) delete process.env.GITHUB_WORKSPACE;
    else process.env.GITHUB_WORKSPACE = workspace;
  });
  const inner = join(folder, 'checkout', 'frames', 'module', 'gate');
  await mkdir(inner, { recursive: true });
  const from = (variable: string, below = inner) => {
    process.env.GITHUB_WORKSPACE = variable;
    return fileInRepository({ folder: below, baselines: 'b', captures: [] }, '../a.cap');
  };
  assert.equal(from(folder), 'checkout/frames/module/a.cap', 'without a repository the workspace is the root');
  await mkdir(join(folder, 'checkout', '.git'));
  assert.equal(from(''), 'frames/module/a.cap');
  assert.equal(from(folder), 'frames/module/a.cap', 'a checkout in a folder of the workspace');
  assert.equal(from(join(folder, 'elsewhere')), 'frames/module/a.cap');
  await writeFile(join(folder, 'checkout', 'frames', 'module', '.git'), 'gitdir: x');
  assert.equal(from(folder), 'frames/module/a.cap', 'a submodule is part of the checkout');
  assert.equal(from(join(folder, 'checkout'), join(folder, 'checkout')), '../a.cap');
});
