import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drivers } from '../helpers/drivers.ts';
import { sharedPath, skipWithout, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

const folder = sharedPath('models');
const models = folder ? readdirSync(folder).filter((name) => /\.(glb|gltf)$/.test(name)) : [''];

describe('models made by others', () => {
  for (const model of models)
    it(`${model || 'all'} is recorded, and replays the same on both drivers`, {
      skip: skipWithout(folder, 'models'),
    }, async (t) => {
      const output = join(await tempFolder(t), 'frame.cap');
      const recorded = await runInSession([
        'record',
        'gltf',
        join(folder ?? '', model),
        '-o',
        output,
        '--size',
        '160x120',
        '--driver',
        'egl',
      ]);
      assert.equal(recorded.code, 0, recorded.stderr);
      for (const driver of drivers) {
        const replayed = await runInSession(['replay', output, '--driver', driver, '--no-timing', '--verify']);
        assert.equal(replayed.code, 0, replayed.stderr);
        assert.match(replayed.stderr, /verification passed/);
      }
    });
});
