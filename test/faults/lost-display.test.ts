/** An X display that goes while something draws with it: headless-gl's, which is an Xvfb of the tool's own. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { nodeProgram } from '../record/node-kit.ts';
import { below, notedRuns, type Running, start } from './kit.ts';

/** The Xvfb below a program, once it is there. */
const displayOf = ({ pid, until }: Running): Promise<number> =>
  until(async () => (await below(pid)).find(({ command }) => /^Xvfb\0/.test(command))?.pid);

test('a replay goes on without it, and its exit code is its own', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const outputs = ['--json', join(folder, 'a.json'), '-o', '/dev/null', '--thumbnails', join(folder, 'small')];
  const args = ['replay', file, '--driver', 'headless-gl', '--timer', 'finish', '--runs', '100', ...outputs];
  const running = start(t, args, { DISPLAY: undefined });
  const display = await displayOf(running);
  await running.until(async () => (await below(running.pid)).some(({ pid }) => notedRuns(pid) > 0));
  process.kill(display, 'SIGKILL');
  const { code, stderr } = await running.ended;
  assert.equal(code, 0, stderr);
  // What libX11 says when ANGLE closes the display, and then it ends the process with 1.
  assert.doesNotMatch(stderr, /gpuprof/);
  const { frames } = JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')) as Report;
  assert.equal(frames[0].runs, 100);
  assert.equal((await readdir(join(folder, 'small'))).length, 3);
});

test('one that hangs is waited for as long as --timeout says', async (t) => {
  const args = ['replay', samplePath('triangle'), '--driver', 'headless-gl', '--timeout', '1'];
  const running = start(t, args, { DISPLAY: undefined });
  const display = await displayOf(running);
  process.kill(display, 'SIGSTOP');
  t.after(() => process.kill(display, 'SIGKILL'));
  const { code, stderr } = await running.ended;
  assert.equal(code, 3);
  const line = 'the process was ended, since nothing has moved for 1 s while opening a GL context; raise --timeout';
  assert.match(stderr, new RegExp(`^gpuprof: \\S+triangle\\.cap: ${line} [^\n]+\n$`));
});

test('recording a Node program ends with its end', async (t) => {
  const folder = await tempFolder(t);
  const args = [
    'record',
    'node',
    nodeProgram('contexts-for-ever.cjs'),
    '--frame',
    '1000000',
    '-o',
    join(folder, 'a.cap'),
  ];
  const running = start(t, args, { DISPLAY: undefined });
  const display = await displayOf(running);
  await running.until(() => /drawing/.test(running.told()));
  process.kill(display, 'SIGKILL');
  const { code, stderr } = await running.ended;
  assert.equal(code, 2);
  assert.match(stderr, /contexts-for-ever\.cjs ended with exit code 1 before frame 1000000; it drew \d+ frames?\n$/);
  assert.deepEqual(await readdir(folder), []);
});
