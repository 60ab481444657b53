/** Two processes with one output: one wins, whole. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { buffer } from '../qrhi/kit.ts';

test('who reads the output while two write it always finds one of both, whole', async (t) => {
  const folder = await tempFolder(t);
  const output = join(folder, 'report.csv');
  // Reports of several writes each.
  const streams = await Promise.all(
    ['a', 'b'].map(async (name, index) => {
      const path = join(folder, `${name}.csv`);
      const lines = Array.from({ length: 1000 }, (_, res) => buffer(res + 1, 100 + res, 1, name.repeat(100 + index)));
      await writeFile(path, lines.join(''));
      return path;
    }),
  );
  const write = (stream: string) => run(['qrhi', stream, '--format', 'csv', '--top', '1000', '-o', output]);
  const wholes: string[] = [];
  for (const stream of streams) {
    assert.equal((await write(stream)).code, 0);
    wholes.push(await readFile(output, 'utf8'));
  }
  assert.ok(wholes.every((whole) => whole.length > 2 * 65_536));
  let isWriting = true;
  const written = Promise.all(streams.map(write)).finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    assert.ok(wholes.includes(await readFile(output, 'utf8')), 'a mixture, or a part');
    await setTimeout(2);
  }
  for (const { code } of await written) assert.equal(code, 0);
  assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'b.csv', 'report.csv']);
});
