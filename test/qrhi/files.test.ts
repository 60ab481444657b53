import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, readlink, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { run, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { start } from './cli-kit.ts';
import { buffer, release, smallStream } from './kit.ts';

test('a file, several, and standard input', async (t) => {
  const folder = await tempFolder(t);
  const [good, bad] = [join(folder, 'good.csv'), join(folder, 'bad.csv')];
  await writeFile(good, smallStream);
  await writeFile(bad, `${smallStream}line2,\nline3,\n`);
  const one = await runInSession(['qrhi', good]);
  assert.deepEqual([one.code, one.stderr], [0, '']);
  assert.match(one.stdout, /^stream {6}\S*good\.csv\nlines {7}20, 1\.5 KiB, from 5 to 22 ms\nmalformed {3}none\n/);
  const two = await runInSession(['qrhi', good, bad, '--format', 'json', '--top', '1']);
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
  const strict = await runInSession(['qrhi', bad, '--strict']);
  assert.equal(strict.code, 2);
  assert.match(strict.stdout, /malformed {3}2 lines, skipped/);
  assert.equal(strict.stderr, `gpuprof: ${bad}: line 21 is malformed, as is 1 more: it has fewer than 4 fields\n`);
  assert.equal((await runInSession(['qrhi', good, '--strict'])).code, 0);
});

test('what is wrong with one file costs no other its report', async (t) => {
  const folder = await tempFolder(t);
  const paths = ['good', 'missing', 'html', 'cut', 'next'].map((name) => join(folder, `${name}.csv`));
  const [good, , html, cut, next] = paths;
  await writeFile(good, smallStream);
  await writeFile(html, '<html>\n');
  await writeFile(cut, buffer(1, 100).slice(0, 9));
  // The last line has no line feed.
  await writeFile(next, buffer(1, 7) + buffer(2, 8).trimEnd());
  const { code, stdout, stderr } = await runInSession(['qrhi', ...paths, '--format', 'json']);
  assert.equal(code, 2);
  assert.deepEqual(
    JSON.parse(stdout).streams.map(({ stream, lines, malformed }: Record<string, { first: { fault: string }[] }>) => [
      stream,
      lines,
      malformed.first[0]?.fault,
    ]),
    [
      [good, 20, undefined],
      [cut, 1, 'is cut off by the end of the stream'],
      [next, 2, undefined],
    ],
  );
  assert.match(
    stderr,
    /^gpuprof: cannot read \S*missing\.csv: .*\ngpuprof: \S*html\.csv is no QRhiProfiler stream: .*\n$/,
  );
  const strict = await runInSession(['qrhi', cut, cut, good, '--strict', '-o', join(folder, 'report')]);
  assert.deepEqual([strict.code, strict.stderr.match(/: line 1 is malformed/g)?.length], [2, 2]);
  assert.match(await readFile(join(folder, 'report'), 'utf8'), /good\.csv/);
  // Cut anywhere behind its op, an only line is a stream's.
  const line = buffer(1, 100, 1, 'a name');
  for (const length of [2, 5, 12, 40, line.length - 2]) {
    await writeFile(cut, line.slice(0, length));
    assert.equal((await runInSession(['qrhi', cut])).code, 0, `${length}`);
  }
});

test('a pipe is read to its end, and followed from one writer to the next', async (t) => {
  const pipe = join(await tempFolder(t), 'pipe');
  assert.equal((await runProgram('mkfifo', [pipe])).code, 0);
  const read = run(['qrhi', pipe, '--format', 'json']);
  await writeFile(pipe, smallStream);
  assert.equal(JSON.parse((await read).stdout).streams[0].lines, 20);
  // Who waits for a writer can be ended.
  const waiting = start(t, ['qrhi', pipe]);
  const opened = async () => {
    const folder = `/proc/${waiting.child.pid}/fd`;
    const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ''));
    return (await Promise.all(links)).includes(pipe);
  };
  while (!(await opened())) await setTimeout(20);
  waiting.child.kill('SIGINT');
  assert.equal(await waiting.ended, 130);
  const follow = start(t, ['qrhi', pipe, '--follow', '--format', 'json']);
  await writeFile(pipe, buffer(1, 100));
  await follow.until(/1 line, at 5 ms, 1 resource live of 100 B/);
  await writeFile(pipe, smallStream.repeat(2000));
  await follow.until(/40001 lines/);
  follow.child.kill('SIGINT');
  assert.equal(await follow.ended, 0);
  assert.equal(JSON.parse(follow.stdout()).streams[0].lines, 40001);
});

test('what goes on without an entry is left, and what came before it is reported', async (t) => {
  const stream = join(await tempFolder(t), 'stream.csv');
  const told = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInSession(['qrhi', ...args, '--format', 'json']);
    assert.equal(code, 2);
    return { stderr, streams: stdout === '' ? [] : JSON.parse(stdout).streams };
  };
  for (const device of ['/dev/zero', '/dev/urandom'])
    for (const options of [[], ['--follow']]) {
      const { stderr, streams } = await told(device, ...options);
      assert.deepEqual([stderr, streams], [`gpuprof: ${device}: from byte 0 on there is no entry in 16 MiB\n`, []]);
    }
  const junk = Buffer.alloc(17 * 2 ** 20, 'junk\n');
  await writeFile(stream, Buffer.concat([Buffer.from(smallStream), junk]));
  const { stderr, streams } = await told(stream);
  const where = `from byte ${Buffer.byteLength(smallStream)} on there is no entry in 16 MiB`;
  assert.equal(stderr, `gpuprof: ${stream}: ${where}\n`);
  assert.deepEqual([streams.length, streams[0].memory.all.peakBytes], [1, 3508]);
  assert.ok(streams[0].notes.includes(`nothing more was read: ${stream}: ${where}`), streams[0].notes.join());
  // An entry in time, and it is a stream like any other.
  await writeFile(
    stream,
    Buffer.concat([junk.subarray(0, 15 * 2 ** 20), Buffer.from(`\n${smallStream}`), junk.subarray(0, 2 ** 20)]),
  );
  assert.equal((await runInSession(['qrhi', stream])).code, 0);
});

test('what is no stream, and bad usage', async (t) => {
  const folder = await tempFolder(t);
  const [html, empty] = [join(folder, 'a.html'), join(folder, 'empty.csv')];
  await writeFile(html, '<html>\n</html>\n');
  await writeFile(empty, '');
  const message = async (...args: string[]) => {
    const { code, stderr } = await runInSession(['qrhi', ...args]);
    return [code, stderr];
  };
  assert.deepEqual(await message(html), [
    2,
    `gpuprof: ${html} is no QRhiProfiler stream: line 1 does not end with a comma; Qt writes one entry a line: op,timestamp,res,name,key,value,\n`,
  ]);
  assert.deepEqual(await message(empty), [0, '']);
  const missing = join(folder, 'missing.csv');
  assert.deepEqual(await message(missing), [2, `gpuprof: cannot read ${missing}: no such file\n`]);
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
  const [file, report] = [join(folder, 'growing.csv'), join(folder, 'report.json')];
  await writeFile(file, buffer(1, 100));
  const follow = start(t, ['qrhi', file, '--follow', '--strict', '--format', 'json', '-o', report]);
  await follow.until(/1 line, at 5 ms, 1 resource live of 100 B/);
  await truncate(file, 0);
  await follow.until(/was cut short after \d+ bytes and has begun anew/);
  await appendFile(file, 'no entry\n');
  await appendFile(file, buffer(4, 70));
  await follow.until(/\(stream 2\): 2 lines, 1 malformed/);
  await writeFile(join(folder, 'next'), buffer(3, 7) + release(2, 3));
  // Written just before it is replaced.
  await appendFile(file, buffer(5, 30));
  await rename(join(folder, 'next'), file);
  await follow.until(/was replaced/);
  await follow.until(/2 lines, at 9 ms/);
  await appendFile(file, buffer(2, 50).slice(0, 20));
  await appendFile(file, buffer(2, 50).slice(20));
  await follow.until(/3 lines, at 5 ms, 1 resource live of 50 B/);
  // A whole line counts without its line feed.
  await appendFile(file, release(2, 2).trimEnd());
  follow.child.kill('SIGINT');
  assert.equal(await follow.ended, 2);
  assert.match(follow.stderr(), /growing\.csv \(stream 2\): line 1 is malformed: it does not end with a comma\n$/);
  assert.deepEqual(
    JSON.parse(await readFile(report, 'utf8')).streams.map(
      ({ stream, lines, memory }: { stream: string; lines: number; memory: { buffer: { peakBytes: number } } }) => [
        stream,
        lines,
        memory.buffer.peakBytes,
      ],
    ),
    [
      [file, 1, 100],
      [`${file} (stream 2)`, 3, 100],
      [`${file} (stream 3)`, 4, 50],
    ],
  );
});
