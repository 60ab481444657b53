import assert from 'node:assert/strict';
import { appendFile, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { start } from './cli-kit.ts';
import { buffer, release, smallStream } from './kit.ts';

test('a file, several, and standard input', async (t) => {
  const folder = await tempFolder(t);
  const [good, bad] = [join(folder, 'good.csv'), join(folder, 'bad.csv')];
  await writeFile(good, smallStream);
  await writeFile(bad, `${smallStream}line2,\nline3,\n`);
  const one = await run(['qrhi', good]);
  assert.deepEqual([one.code, one.stderr], [0, '']);
  assert.match(one.stdout, /^stream {6}\S*good\.csv\nlines {7}20, 1\.5 KiB, from 5 to 22 ms\nmalformed {3}none\n/);
  const two = await run(['qrhi', good, bad, '--format', 'json', '--top', '1']);
  const { streams } = JSON.parse(two.stdout);
  assert.deepEqual(
    streams.map(({ stream, malformed, largest }: { stream: string; malformed: { count: number }; largest: [] }) => [
      stream,
      malformed.count,
      largest.length,
    ]),
    [
      [good, 0, 1],
      [bad, 2, 1],
    ],
  );
  const piped = await run(['qrhi', '-', '--format', 'csv', '-o', join(folder, 'out.csv')], { stdin: smallStream });
  assert.deepEqual([piped.code, piped.stdout], [0, '']);
  assert.match(await readFile(join(folder, 'out.csv'), 'utf8'), /^standard input,memory,all,9,3,1600,3508,/m);
  const strict = await run(['qrhi', bad, '--strict']);
  assert.equal(strict.code, 2);
  assert.match(strict.stdout, /malformed {3}2 lines, skipped/);
  assert.equal(strict.stderr, `gpuprof: ${bad}: line 21 is malformed, as is 1 more: it has fewer than 4 fields\n`);
  assert.equal((await run(['qrhi', good, '--strict'])).code, 0);
});

test('what is no stream, and bad usage', async (t) => {
  const folder = await tempFolder(t);
  const [html, empty] = [join(folder, 'a.html'), join(folder, 'empty.csv')];
  await writeFile(html, '<html>\n</html>\n');
  await writeFile(empty, '');
  const message = async (...args: string[]) => {
    const { code, stderr } = await run(['qrhi', ...args]);
    return [code, stderr];
  };
  assert.deepEqual(await message(html), [
    2,
    `gpuprof: ${html} is no QRhiProfiler stream: line 1 does not end with a comma; Qt writes one entry a line: op,timestamp,res,name,key,value,\n`,
  ]);
  assert.deepEqual(await message(empty), [0, '']);
  const missing = join(folder, 'missing.csv');
  assert.deepEqual(await message(missing), [2, `gpuprof: cannot read ${missing}: there is no such file\n`]);
  assert.deepEqual(await message(folder), [2, `gpuprof: cannot read ${folder}: it is a folder\n`]);
  for (const args of [
    [],
    ['--once', html],
    ['--follow', html, html],
    ['--listen', '1', html],
    ['--listen', '99999'],
    ['--host', '::1', html],
  ])
    assert.equal((await message(...args))[0], 2, args.join(' '));
  assert.equal((await message(html, '-o', html))[0], 2);
});

test('a file is followed as it grows, and begun anew when it is cut short or replaced', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'growing.csv');
  await writeFile(file, buffer(1, 100));
  const follow = start(t, ['qrhi', file, '--follow', '--format', 'json']);
  await follow.until(/1 line, at 5 ms, 1 resource live of 100 B/);
  await truncate(file, 0);
  await follow.until(/has begun anew/);
  await writeFile(join(folder, 'next'), buffer(3, 7) + release(2, 3));
  await rename(join(folder, 'next'), file);
  await follow.until(/2 lines, at 9 ms/);
  await appendFile(file, buffer(2, 50).slice(0, 20));
  await appendFile(file, buffer(2, 50).slice(20));
  await follow.until(/3 lines, at 5 ms, 1 resource live of 50 B/);
  follow.child.kill('SIGINT');
  assert.equal(await follow.ended, 0);
  const reports = follow.stdout().split(/^(?=\{\n"format")/m);
  assert.deepEqual(
    reports.map((text) => JSON.parse(text).streams[0].memory.buffer.liveBytes),
    [100, 50],
  );
});
