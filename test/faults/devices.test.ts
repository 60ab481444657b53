/** Devices, which may have no end, and pipes, which may have no writer, in place of files: one line, at once. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

test('captures, traces, reports, results, configurations and models', async (t) => {
  const folder = await tempFolder(t);
  const [device, pipe] = [join(folder, 'device.json'), join(folder, 'pipe.json')];
  await symlink('/dev/zero', device);
  execFileSync('mkfifo', [pipe]);
  const output = ['-o', join(folder, 'output')];
  for (const file of [device, pipe])
    for (const args of [
      ['info', file],
      ['dump', file],
      ['replay', file, '--driver', 'egl'],
      ['screenshot', file, '--driver', 'egl', ...output],
      ['view', file, '--no-open'],
      ['import', file, ...output],
      ['compare', file, file],
      ['merge', file],
      ['gate', file],
      ['record', 'gltf', file, '--driver', 'egl', ...output],
    ]) {
      const { code, stdout, stderr } = await runInSession(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /^gpuprof: [^\n]*(device|pipe)\.json(: it)? is not a (regular )?file\n$/, args.join(' '));
    }
  assert.deepEqual((await readdir(folder)).sort(), ['device.json', 'pipe.json']);
});
