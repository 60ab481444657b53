import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../src/gl/open.ts';
import { typescript } from '../helpers/cli.ts';
import { problemsOfNewStorage } from './new-storage-suite.ts';

for (const [driver, api] of [
  ['egl', 'es'],
  ['egl', 'gl'],
  ['headless-gl', 'es'],
] as const)
  test(`${driver} ${api}: new storage holds what WebGL promises`, async () => {
    const context = await openContext(driver, { api });
    assert.deepEqual(problemsOfNewStorage(context), []);
    context.destroy();
  });

test('new storage holds what WebGL promises where memory is dirty', () => {
  const child = fileURLToPath(new URL('new-storage-child.ts', import.meta.url));
  // softpipe takes memory as malloc gives it, and glibc fills that with junk on demand; llvmpipe clears it.
  const { stdout, stderr, status } = spawnSync(process.execPath, [...typescript, child], {
    env: { ...process.env, GALLIUM_DRIVER: 'softpipe', MALLOC_PERTURB_: '165' },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const { renderer, soiled, problems } = JSON.parse(stdout);
  assert.deepEqual(problems, []);
  // A GPU is not asked for its memory's state; it is what it is there.
  if (renderer === 'softpipe') assert.equal(soiled, true);
});
