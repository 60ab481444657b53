import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { writeSmallCapture } from './small-capture.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

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
