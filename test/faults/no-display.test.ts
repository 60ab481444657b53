import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';

const line =
  /^gpuprof: headless-gl needs an X display, and Xvfb is not installed .*; apt-get install xvfb, or use .*\n$/;

for (const [machine, programs] of [
  ['Xvfb', ['/bin/sh']],
  ['Xvfb and a shell', []],
] as const)
  test(`without ${machine} the headless-gl driver says what to install, and ends`, async (t) => {
    const folder = await tempFolder(t);
    for (const program of programs) await symlink(program, join(folder, 'sh'));
    const env = { DISPLAY: undefined, PATH: folder };
    const replay = await run(['replay', samplePath('triangle'), '--driver', 'headless-gl'], { env });
    assert.deepEqual([replay.code, replay.stdout], [3, '']);
    assert.match(replay.stderr, line);
    const doctor = await run(['doctor'], { env });
    assert.equal(doctor.code, 0, doctor.stderr);
    assert.match(doctor.stdout, /^headless-gl, OpenGL ES: not available\n {2}headless-gl needs an X display/);
    assert.match(doctor.stdout, /^egl, OpenGL ES: llvmpipe/m);
  });

test('a DISPLAY that no server answers at is named, and what to do about it', async () => {
  const env = { DISPLAY: ':7777' };
  const { code, stdout, stderr } = await run(['replay', samplePath('triangle'), '--driver', 'headless-gl'], { env });
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /^gpuprof: ANGLE cannot open the display :7777; unset DISPLAY, which starts an Xvfb, or .*$/m);
});
