import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../src/gl/open.ts';
import { typescript } from '../helpers/cli.ts';
import { problemsOfFrames } from './new-storage-suite.ts';

for (const [driver, api] of [
  ['egl', 'es'],
  ['egl', 'gl'],
  ['headless-gl', 'es'],
] as const)
  test(`${driver} ${api}: what frames of WebGL make holds what WebGL promises`, async () => {
    assert.deepEqual(await problemsOfFrames(() => openContext(driver, { api })), []);
  });

test('what frames of WebGL make holds what WebGL promises where memory is dirty', () => {
  const child = fileURLToPath(new URL('new-storage-child.ts', import.meta.url));
  // softpipe takes memory as malloc gives it, and glibc fills that with junk on demand; llvmpipe clears it.
  const { stdout, stderr, status } = spawnSync(process.execPath, [...typescript, child], {
    env: { ...process.env, GALLIUM_DRIVER: 'softpipe', MALLOC_PERTURB_: '165' },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), []);
});
