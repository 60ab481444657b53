/** That the harness finds what it is for, and some cases of every reader. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../helpers/files.ts';
import { campaign } from './campaign.ts';

const module = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('everything that a reader may do wrong is found, and the cases after it run', async (t) => {
  const limits = { cpuSeconds: 1, silentSeconds: 10, memoryBytes: 120 * 2 ** 20 };
  const folder = await tempFolder(t);
  const { cases, ok, refused, failures } = await campaign({
    reader: module('broken.ts'),
    folder,
    first: 1,
    cases: 11,
    limits,
  });
  assert.deepEqual([cases, ok, refused], [11, 1, 1]);
  const expected: readonly RegExp[] = [
    /^names no place: bad-input: without its place/,
    /^hang: no end after 1 s of processor time/,
    /^crash: SIGABRT/,
    /^memory: \d+ MiB, and 120 are allowed/,
    /^Error: Access to this API has been restricted/,
    /^left out\.part behind/,
    /spawnSync/,
    /code of text is forbidden/,
    /^crash: exit code 1\n.*nobody waits for it/s,
  ];
  assert.deepEqual(
    failures.map(({ seed }) => seed),
    expected.map((_, index) => index + 3),
  );
  for (const [index, { what }] of failures.entries()) assert.match(what, expected[index]);
});

/** Enough to notice when a reader, or what makes its input, is broken; campaigns find the rest. */
const readers: Readonly<Record<string, number>> = {
  captures: 15,
  apitrace: 20,
  renderdoc: 5,
  gltf: 5,
  qrhi: 60,
  reports: 30,
  gate: 60,
  records: 25,
  replay: 5,
  'replay-headless-gl': 4,
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
