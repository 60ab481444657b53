import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe } from '../../src/query/probe.ts';
import { run } from '../helpers/cli.ts';

/** Needs a Chromium, which not every machine has; test/gl/swiftshader.test.ts knows it. */
const isOfTheSystem = ({ driver }: Probe) => driver !== 'swiftshader';

test('doctor lists every driver with its renderer, timers and verdicts', async () => {
  const { code, stdout, stderr } = await run(['doctor', '--format', 'json']);
  assert.equal(code, 0, stderr);
  const drivers = (JSON.parse(stdout) as { drivers: Probe[] }).drivers.filter(isOfTheSystem);
  assert.deepEqual(
    drivers.map(({ driver, api, problem }) => `${driver} ${api} ${problem}`),
    ['headless-gl es null', 'egl es null', 'egl gl null'],
  );
  for (const { driver, api, environment, trust, extras } of drivers) {
    assert.ok(environment && environment.renderer !== '', driver);
    assert.deepEqual(
      trust?.methods.map(({ method }) => method),
      ['elapsed', 'timestamp', 'finish'],
    );
    assert.ok(trust?.methods.some(({ trusted }) => trusted));
    assert.equal(extras.includes('pipeline statistics'), api === 'gl');
  }
});

test('the table names each driver once and each of its timers', async () => {
  const { code, stdout } = await run(['doctor']);
  assert.equal(code, 0);
  assert.equal(stdout.match(/^(headless-gl|egl|swiftshader), OpenGL( ES)?: /gm)?.length, 4);
  const sections = stdout.split('\n\n').filter((section) => !section.startsWith('swiftshader'));
  assert.equal(
    sections.join('\n').match(/^ {2}(elapsed|timestamp|finish) +(\d+ bits|host clock) +(not )?trusted +reads \d/gm)
      ?.length,
    9,
  );
});

test('without any GL it says what to install and exits 3', async () => {
  const nowhere = { PATH: '/nonexistent', DISPLAY: undefined, __EGL_VENDOR_LIBRARY_FILENAMES: '/dev/null' };
  const { code, stdout, stderr } = await run(['doctor'], { env: nowhere });
  assert.equal(code, 3);
  assert.match(stdout, /^headless-gl, OpenGL ES: not available\n/m);
  assert.match(stdout, /^egl, OpenGL: not available\n.*\n {2}install it: apt-get install libegl1/m);
  assert.match(stdout, /^swiftshader, OpenGL ES: not available\n.*none is on PATH\n {2}apt-get install chromium/m);
  assert.equal(stderr, 'gpuprof: no driver can measure here; install one as listed above\n');
});

test('a wrong thread count is a usage error', async () => {
  const { code, stderr } = await run(['doctor', '--software-threads', '99']);
  assert.equal(code, 2);
  assert.equal(stderr, 'gpuprof: "99" is no number of software threads; use 0 to 16, or default\n');
});
