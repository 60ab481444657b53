/** That the harness finds what it is for, and a few hundred cases of every reader. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../helpers/files.ts';
import { campaign } from './campaign.ts';

const module = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('everything that a reader may do wrong is found, and the cases after it run', async (t) => {
  const limits = { cpuSeconds: 1, silentSeconds: 10, memoryBytes: 200 * 2 ** 20 };
  const folder = await tempFolder(t);
  const { cases, ok, refused, failures, cpuSeconds } = await campaign({
    reader: module('broken.ts'),
    folder,
    first: 1,
    cases: 16,
    limits,
  });
  console.log(cpuSeconds);
  assert.deepEqual([cases, ok, refused], [16, 1, 1]);
  const expected: readonly RegExp[] = [
    /^names no place: bad-input: without its place/,
    /^TypeError: Cannot read properties of undefined/,
    /^hang: no end after 1 s of processor time/,
    /^crash: SIGABRT/,
    /^memory: \d+ MiB, and 200 are allowed/,
    /^Error: Access to this API has been restricted/,
    /^left stray behind/,
    /^left out\.part behind/,
    /spawnSync/,
    /connect/,
    /code of text is forbidden/,
    /^changed what all objects inherit/,
    /^crash: exit code 1\n.*nobody waits for it/s,
    /^crash: exit code 13|^hang: no end after 1\d s$/,
  ];
  assert.deepEqual(
    failures.map(({ seed }) => seed),
    expected.map((_, index) => index + 3),
  );
  for (const [index, { what }] of failures.entries()) assert.match(what, expected[index]);
});

/** Enough to notice when a reader, or what makes its input, is broken; campaigns find the rest. */
const readers: Readonly<Record<string, number>> = {
  captures: 60,
  apitrace: 100,
  renderdoc: 25,
  gltf: 20,
  qrhi: 100,
  reports: 50,
  gate: 100,
  replay: 40,
  'replay-headless-gl': 10,
};

for (const [name, cases] of Object.entries(readers))
  test(`${name}: ${cases} cases`, async (t) => {
    const folder = join(await tempFolder(t), name);
    await mkdir(folder);
    const { ok, refused, failures } = await campaign({
      reader: module(`readers/${name}.ts`),
      folder,
      first: 1,
      cases,
    });
    assert.deepEqual(failures, []);
    // Neither all sound nor all nonsense.
    assert.ok(ok > 0 && refused > 0, `${ok} ok, ${refused} refused`);
  });
