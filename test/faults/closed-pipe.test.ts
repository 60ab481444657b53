/** Readers that go away early, come late, or never: of standard output, and of a pipe with a name. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { runProgram } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { send } from '../qrhi/cli-kit.ts';
import { smallStream } from '../qrhi/kit.ts';
import { script, start } from './kit.ts';

const timed = ['--driver', 'egl', '--timer', 'finish', '--runs', '1'];

/** Runs gpuprof into a reader that takes so many bytes and goes; the exit code is gpuprof's. */
async function cut(bytes: number, ...args: readonly string[]) {
  const command = `"$0" "$@" | head -c ${bytes}; exit \${PIPESTATUS[0]}`;
  const { code, stdout, stderr } = await runProgram('bash', ['-c', command, process.execPath, script, ...args]);
  return [code, stdout, stderr];
}

test('a reader that goes away early is no error', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { frames: 3 });
  assert.deepEqual(await cut(5, 'replay', file, ...timed, '--csv', '-'), [0, 'frame', '']);
  assert.deepEqual(await cut(2, 'replay', file, ...timed, '--format', 'qrhi'), [0, '11', '']);
  // More than a pipe holds.
  assert.deepEqual(await cut(0, 'dump', samplePath('draws-2000')), [0, '', '']);
  assert.deepEqual(await cut(0, '--help'), [0, '', '']);
});

async function makePipe(t: TestContext): Promise<{ readonly folder: string; readonly pipe: string }> {
  const folder = await tempFolder(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return { folder, pipe };
}

test('a pipe whose reader comes late gets everything', async (t) => {
  const { folder, pipe } = await makePipe(t);
  const stream = join(folder, 'stream.csv');
  await writeFile(stream, smallStream);
  const cases = [
    [['qrhi', stream, '--format', 'json'], /^\{.*"lines": 20,.*\}\n$/s],
    [
      ['replay', samplePath('triangle'), ...timed, '--format', 'qrhi'],
      /^5,0,4\d+,.*\n(?:.*,\n)+12,\d+,4\d+,canvas,\n$/,
    ],
  ] as const;
  for (const [args, whole] of cases) {
    const { ended, until, told } = start(t, [...args, '-o', pipe]);
    const waiting = `gpuprof: waiting for a reader of ${pipe}\n`;
    await until(() => told() === waiting);
    const [read, { code, stderr }] = await Promise.all([text(createReadStream(pipe)), ended]);
    assert.deepEqual([code, stderr], [0, waiting]);
    assert.match(read, whole);
  }
});

for (const [what, options] of [
  ['a report', []],
  ['what is kept of streams', ['--listen', '0']],
] as const)
  test(`${what} for a pipe that nobody reads can be interrupted`, async (t) => {
    const { folder, pipe } = await makePipe(t);
    const stream = join(folder, 'stream.csv');
    await writeFile(stream, smallStream);
    const args = ['qrhi', ...(options.length > 0 ? options : [stream]), '-o', pipe];
    const { child, until, ended, told } = start(t, args);
    await until(() => told() !== '');
    child.kill('SIGINT');
    assert.deepEqual(await ended, { code: 130, stdout: '', stderr: `gpuprof: waiting for a reader of ${pipe}\n` });
    assert.deepEqual((await readdir(folder)).sort(), ['pipe', 'stream.csv']);
  });

test('a pipe takes all streams that come, and waits for its reader', async (t) => {
  const { pipe } = await makePipe(t);
  const reader = createReadStream(pipe).pause();
  const { child, until, ended, told } = start(t, ['qrhi', '--listen', '0', '-o', pipe, '--format', 'json']);
  const port = Number((await until(() => /listening on 127\.0\.0\.1:(\d+)/.exec(told()) ?? undefined))[1]);
  // More than the pipe holds.
  const much = smallStream.repeat(200);
  const all = text(reader);
  await Promise.all([send(port, much), send(port, smallStream)]);
  await until(() => told().match(/the stream is in/g)?.length === 2);
  child.kill('SIGINT');
  assert.equal((await all).length, much.length + smallStream.length);
  assert.equal((await ended).code, 0);
});

test('a pipe without a reader takes no capture', async (t) => {
  const { pipe } = await makePipe(t);
  const args = ['import', join(import.meta.dirname, '..', 'import', 'traces', 'es-2.0.trace'), '-o', pipe];
  const { code, stderr } = await start(t, args).ended;
  assert.deepEqual([code, stderr], [2, `gpuprof: cannot write ${pipe}: nobody reads from it\n`]);
});
