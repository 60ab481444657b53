import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeBaseline } from '../../../src/cli/gate/baselines.ts';
import { frame, node, report } from '../../analysis/gate/fixed.ts';
import { tempFolder } from '../../helpers/files.ts';

test('baselines are written into folders that are not there yet; where none can be made, it says so', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'file'), '');
  const plan = { folder, baselines: 'x', captures: [] };
  const written = (path: string) => writeBaseline(plan, path, report([frame([node('', null)])]));
  assert.equal(await written('x/y/z.json'), 'new');
  assert.equal(await written('x/y/z.json'), 'unchanged');
  for (const [path, reason] of [
    ['/proc/nope/deep/z.json', 'its folder does not exist'],
    ['file/y/z.json', 'its folder is not a folder'],
  ])
    await assert.rejects(written(path), { code: 'output-failed', message: `cannot write ${path}: ${reason}` });
});
