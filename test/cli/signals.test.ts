import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { writeSmallCapture } from './small-capture.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

test('Ctrl-C ends a measurement with 130 and leaves no report', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const endless = ['replay', file, '--driver', 'egl', '--runs', '1000000', '--csv', join(folder, 'a.csv')];
  const child = spawn(process.execPath, [script, ...endless], { stdio: 'ignore' });
  const closed = once(child, 'close');
  // GL is loaded after everything else, so the measurement is near or on its way.
  while (!(await readFile(`/proc/${child.pid}/maps`, 'utf8')).includes('libEGL')) await setTimeout(20);
  child.kill('SIGINT');
  const [code, signal] = await closed;
  assert.deepEqual([code, signal], [130, null]);
  assert.deepEqual(await readdir(folder), ['small.cap']);
});

test('a reader that goes away early is no error', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { frames: 3 });
  const { code, stdout, stderr } = await runProgram('bash', [
    '-c',
    'set -o pipefail; "$0" "$1" replay "$2" --runs 1 --csv - | head -c 5',
    process.execPath,
    script,
    file,
  ]);
  assert.deepEqual([code, stdout, stderr], [0, 'frame', '']);
});

test('a broken pipe of standard output is quiet for help as well', async () => {
  const { code, stderr } = await runProgram('bash', ['-c', '"$0" "$1" --help | true', process.execPath, script]);
  assert.deepEqual([code, stderr], [0, '']);
});
