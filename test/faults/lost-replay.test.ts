/** A replay's process that goes down, hangs or is interrupted: real signals, at a time when runs have been measured. */
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CaptureWriter } from '../../src/capture/write.ts';
import { notebookFile, readPosition } from '../../src/cli/isolation/notebook.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import { word } from '../../src/model/position.ts';
import type { Report } from '../../src/model/report.ts';
import { head } from '../capture/sample.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { tempFolder } from '../helpers/files.ts';
import { allGone, below, hasLoaded, isRunning, notedRuns, type Running, script, start } from './kit.ts';
import { triangleModel } from './triangle-model.ts';

interface Replay extends Running {
  readonly folder: string;
  /** The process that replays. */
  readonly replayer: number;
}

/** A replay without an end, of which at least two runs have been measured. */
async function measuring(t: TestContext, options: readonly string[] = [], env = {}): Promise<Replay> {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1000000'];
  const outputs = ['-o', join(folder, 'a.txt'), '--json', join(folder, 'a.json')];
  const running = start(t, [...args, ...outputs, ...options], env);
  const replayer = await running.until(async () => {
    const [child] = await below(running.pid);
    return child && notedRuns(child.pid) >= 2 && child.pid;
  });
  return { ...running, folder, replayer };
}

/** Changes what a process has written down of itself; returns what stood there. */
function changeWord(pid: number, at: number, value: number): number {
  const notebook = openSync(`/proc/${pid}/fd/${notebookFile}`, 'r+');
  try {
    const before = readPosition(notebook)[at];
    writeSync(notebook, Uint32Array.of(value), 0, 4, at * 4);
    return before;
  } finally {
    closeSync(notebook);
  }
}

/** The report that was written, which says what happened. */
async function kept(folder: string, warning: RegExp): Promise<void> {
  const report = JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')) as Report;
  assert.match(report.warnings.find(({ code }) => code === 'replay-lost')?.message ?? '', warning);
  const leaf = report.frames[0].nodes.find(({ isLeaf }) => isLeaf);
  assert.ok((leaf?.durationNs?.runs ?? 0) >= 2);
  assert.match(await readFile(join(folder, 'a.txt'), 'utf8'), /^warning +.*what was measured before it is here$/m);
}

const place = String.raw`(?: at frame 1, event \d+, gl\w+\(.*\)| while frame 1 was made ready)`;

/** Signal, what is told of it, and the remedy. */
const crashes = [
  ['SIGSEGV', String.raw`the driver crashed \(SIGSEGV\)`, '--driver'],
  ['SIGKILL', String.raw`the process was ended \(SIGKILL\), as systems do that run out of memory`, 'gpuprof info'],
] as const;

for (const [signal, what, remedy] of crashes)
  test(`${signal} is one line with the event, and what was measured is reported`, async (t) => {
    const { folder, replayer, ended } = await measuring(t);
    process.kill(replayer, signal);
    const { code, stderr } = await ended;
    assert.equal(code, 3, stderr);
    const line = String.raw`^gpuprof: .*small\.cap: ${what}${place}; \d+ whole runs are in the report; .*${remedy}.*\n$`;
    assert.match(stderr, new RegExp(line));
    await kept(folder, new RegExp(`^${what}${place}; what was measured before it is here$`));
  });

/** At a signal it ends as a library in it would that calls `exit`: without a word to JavaScript. */
const leaving = `
import { createRequire } from 'node:module';
const koffi = createRequire(${JSON.stringify(script)})('koffi');
process.on('SIGUSR2', () => koffi.load(null).func('void _exit(int)')(1));`;

test('a driver that ends the process is named, as is where', async (t) => {
  const module = `data:text/javascript,${encodeURIComponent(leaving)}`;
  const { folder, replayer, ended } = await measuring(t, [], { NODE_OPTIONS: `--import "${module}"` });
  process.kill(replayer, 'SIGUSR2');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  const what = String.raw`the driver ended the process \(exit code 1\), as it does when its display goes${place}`;
  assert.match(stderr, new RegExp(String.raw`small\.cap: ${what}; \d+ whole runs are in the report`));
  await kept(folder, new RegExp(`^${what}; what was measured before it is here$`));
});

test('what does not move is ended after --timeout', async (t) => {
  const { folder, replayer, ended } = await measuring(t, ['--timeout', '5']);
  process.kill(replayer, 'SIGSTOP');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  assert.match(stderr, /small\.cap: the process was ended, since nothing has moved for 5 s (at|while) .*--timeout/);
  assert.equal(await isRunning(replayer), false);
  await kept(folder, /^the process was ended, since nothing has moved for 5 s /);
});

test('a recording of a model that does not move is ended after --timeout, too', async (t) => {
  const folder = await tempFolder(t);
  const [model, output] = [join(folder, 'model.gltf'), join(folder, 'a.cap')];
  await writeFile(model, triangleModel);
  const args = ['record', 'gltf', model, '--driver', 'egl', '--frames', '1000', '--size', '16x16', '-o', output];
  const { pid, until, ended } = start(t, [...args, '--timeout', '60']);
  const recorder = await until(async () => {
    const [child] = await below(pid);
    return child && (await readdir(folder)).length > 1 && child.pid;
  });
  process.kill(recorder, 'SIGSTOP');
  assert.equal(changeWord(recorder, word.patienceMs, 1000), 60_000);
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  const what = 'the process was ended, since nothing has moved for 1 s while drawing the model; raise --timeout';
  assert.match(stderr, new RegExp(`^gpuprof: \\S+model\\.gltf: ${what} [^\n]+\n$`));
  assert.deepEqual(await readdir(folder), ['model.gltf']);
});

test('what takes more memory than it may is ended, by default at twice --max-memory and a GiB', async (t) => {
  const { folder, replayer, ended } = await measuring(t, ['--max-memory', '6GiB']);
  assert.equal(changeWord(replayer, word.mostMebibytes, 9), 13 * 1024);
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  const what = `the process was ended, since it took more than 9 MiB of memory${place}`;
  assert.match(
    stderr,
    new RegExp(String.raw`small\.cap: ${what}; \d+ whole runs are in the report; raise --max-memory`),
  );
  await allGone([replayer]);
  await kept(folder, new RegExp(`^${what}; what was measured before it is here$`));
});

test('one that is deep in the driver is interrupted, too', async (t) => {
  const { folder, child, replayer, ended } = await measuring(t);
  process.kill(replayer, 'SIGSTOP');
  child.kill('SIGINT');
  assert.deepEqual(await ended, { code: 130, stdout: '', stderr: '' });
  assert.equal(await isRunning(replayer), false);
  assert.deepEqual(await readdir(folder), ['small.cap']);
});

test('it ends with what started it', async (t) => {
  const { folder, child, replayer, ended } = await measuring(t);
  child.kill('SIGKILL');
  await ended;
  await allGone([replayer]);
  assert.deepEqual(await readdir(folder), ['small.cap']);
});

test('without isolation the driver is in the first process', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1000000', '--no-isolation'];
  const { child, pid, until, ended } = start(t, args);
  await until(() => hasLoaded(pid, 'libEGL'));
  child.kill('SIGINT');
  assert.equal((await ended).code, 130);
});

test('a frame for which there is no memory ends in one line of ours', async (t) => {
  const file = join(await tempFolder(t), 'large.cap');
  const writer = await CaptureWriter.create(file, head);
  writer.beginFrame();
  const clear = signatureOf('glClear');
  assert.ok(clear);
  for (let call = 0; call < 200_000; call++) writer.call(clear, [0x4000]);
  await writer.finish();
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--per', 'frame'];
  const { code, stderr } = await start(t, args, { NODE_OPTIONS: '--max-old-space-size=24' }).ended;
  assert.equal(code, 3, stderr);
  const what = 'the process was aborted \\(SIGABRT\\), by a driver at fault or by Node for want of memory';
  // What Node says of its memory stands before it.
  assert.match(
    stderr,
    new RegExp(`^gpuprof: \\S+large\\.cap: ${what}[^;\n]*; see what the capture needs[^\n]*\n$`, 'm'),
  );
});
