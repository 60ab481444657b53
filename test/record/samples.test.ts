import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Archive } from '../../src/capture/archive.ts';
import { defaultLimits } from '../../src/capture/limits.ts';
import { openCapture } from '../../src/capture/open.ts';
import { projectRoot, runProgram, typescript } from '../helpers/cli.ts';
import { drivers } from '../helpers/drivers.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

const samples = [
  ['triangle', 1],
  ['scene', 99],
  ['draws-2000', 2000],
  ['ten-batches', 10],
] as const;

/** What differs between two captures: entries by name, else their order or packing. */
async function differences(paths: readonly string[]): Promise<string> {
  const [first, second] = await Promise.all(paths.map((path) => Archive.open(path, defaultLimits)));
  const names = new Set([...first.entries.keys(), ...second.entries.keys()]);
  const differing = [...names].filter((name) => first.entries.get(name)?.crc32 !== second.entries.get(name)?.crc32);
  await Promise.all([first.close(), second.close()]);
  return differing.length > 0 ? differing.join(', ') : 'the order or the packing of its entries';
}

describe('sample captures', () => {
  for (const [name, draws] of samples) {
    it(`${name}.cap holds ${draws} draws in a small file`, async () => {
      const path = samplePath(name);
      const capture = await openCapture(path);
      const calls = [...(await capture.frame(1))].map((call) => call.signature.name);
      await capture.close();
      assert.equal(calls.filter((call) => /^glDraw(Arrays|Elements)/.test(call)).length, draws);
      assert.ok((await readFile(path)).length < 300_000);
    });

    for (const driver of drivers)
      it(`${name}.cap replays on ${driver}`, async () => {
        const { code, stderr } = await runInSession([
          'replay',
          samplePath(name),
          '--driver',
          driver,
          '--no-timing',
          '--verify',
        ]);
        assert.equal(code, 0, stderr);
      });
  }

  it('scene.cap has several passes, nested names, textures and instancing', async () => {
    const capture = await openCapture(samplePath('scene'));
    const calls = [...(await capture.frame(1))];
    const setup = [...(await capture.setup())].map((call) => call.signature.name);
    await capture.close();
    const names = calls.map((call) => call.signature.name);
    const markers = calls.filter((call) => call.signature.name === 'glPushGroupMarkerEXT').map((call) => call.args[1]);
    for (const name of ['courtyard', 'shadow pass', 'main pass', 'post pass', 'left colonnade', 'column 6', 'hat'])
      assert.ok(markers.includes(name), name);
    assert.equal(names.filter((name) => name === 'glDrawElementsInstanced').length, 4);
    assert.ok(names.filter((name) => name === 'glBindFramebuffer').length >= 3);
    assert.ok(setup.includes('glGenerateMipmap') || setup.some((name) => /^glTex(Sub)?Image2D$/.test(name)));
  });

  it('come out the same each time they are made', async (t) => {
    const folders = [await tempFolder(t), await tempFolder(t)];
    const script = join(projectRoot, 'captures', 'make.ts');
    for (const folder of folders) {
      const { code, stderr } = await runProgram(process.execPath, [...typescript, script, folder], {
        cwd: projectRoot,
      });
      assert.equal(code, 0, stderr);
    }
    for (const [name] of samples) {
      const paths = folders.map((folder) => join(folder, `${name}.cap`));
      const [first, second] = await Promise.all(paths.map((path) => readFile(path)));
      if (!first.equals(second)) assert.fail(`${name}: ${await differences(paths)}`);
    }
  });
});
