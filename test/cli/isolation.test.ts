/** A replay's process that goes down, hangs or is interrupted: real signals, at a time when runs have been measured. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { notebookFile, readNotes } from '../../src/cli/isolation/notebook.ts';
import type { Report } from '../../src/model/report.ts';
import { projectRoot } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { writeSmallCapture } from './small-capture.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

interface Replay {
  readonly folder: string;
  readonly supervisor: ChildProcess;
  /** The process that replays. */
  readonly pid: number;
  /** Resolves with the exit code and what standard error held. */
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

const isRunning = async (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) [ZX]/.test(stat),
    () => false,
  );

/** How many bracketed runs the process has noted; none while it is not that far. */
function notedRuns(pid: number): number {
  try {
    const notebook = openSync(`/proc/${pid}/fd/${notebookFile}`, 'r');
    try {
      return [...readNotes(notebook)].filter((note) => note.what === 'sample' && 'run' in note.sample).length;
    } finally {
      closeSync(notebook);
    }
  } catch {
    return 0;
  }
}

/** A replay without an end, of which at least two runs have been measured. */
async function measuring(t: TestContext, options: readonly string[] = []): Promise<Replay> {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1000000'];
  const outputs = ['-o', join(folder, 'a.txt'), '--json', join(folder, 'a.json')];
  const supervisor = spawn(process.execPath, [script, ...args, ...outputs, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => supervisor.kill('SIGKILL'));
  let stderr = '';
  supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(supervisor, 'close').then(([code]) => ({ code, stderr }));
  for (;;) {
    const [pid] = await childrenOf(supervisor.pid as number);
    if (pid !== undefined && notedRuns(pid) >= 2) return { folder, supervisor, pid, ended };
    assert.equal(supervisor.exitCode, null, stderr);
    await setTimeout(20);
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

test('a crash is one line with the event, and what was measured is reported', async (t) => {
  const { folder, pid, ended } = await measuring(t);
  process.kill(pid, 'SIGSEGV');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  const line = String.raw`^gpuprof: .*small\.cap: the driver crashed \(SIGSEGV\)${place}; \d+ whole runs are in the report; .*--driver.*\n$`;
  assert.match(stderr, new RegExp(line));
  await kept(folder, new RegExp(`^the driver crashed \\(SIGSEGV\\)${place}; what was measured before it is here$`));
});

test('a process that is killed may have taken all memory', async (t) => {
  const { folder, pid, ended } = await measuring(t);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  assert.match(stderr, /small\.cap: the process was ended \(SIGKILL\), as systems do that run out of memory/);
  await kept(folder, /^the process was ended \(SIGKILL\)/);
});

test('what does not move is ended after --timeout', async (t) => {
  const { folder, pid, ended } = await measuring(t, ['--timeout', '1']);
  process.kill(pid, 'SIGSTOP');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  assert.match(stderr, /small\.cap: the replay was ended, since nothing has moved for 1 s,.*--timeout/);
  assert.equal(await isRunning(pid), false);
  await kept(folder, /^the replay was ended, since nothing has moved for 1 s,/);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends it with ${code}, and leaves neither report nor process`, async (t) => {
    const { folder, supervisor, pid, ended } = await measuring(t);
    supervisor.kill(signal);
    assert.deepEqual(await ended, { code, stderr: '' });
    assert.equal(await isRunning(pid), false);
    assert.deepEqual(await readdir(folder), ['small.cap']);
  });

test('one that is deep in the driver is interrupted, too', async (t) => {
  const { folder, supervisor, pid, ended } = await measuring(t);
  process.kill(pid, 'SIGSTOP');
  supervisor.kill('SIGINT');
  assert.deepEqual(await ended, { code: 130, stderr: '' });
  assert.equal(await isRunning(pid), false);
  assert.deepEqual(await readdir(folder), ['small.cap']);
});

test('it ends with what started it', async (t) => {
  const { folder, supervisor, pid, ended } = await measuring(t);
  supervisor.kill('SIGKILL');
  await ended;
  while (await isRunning(pid)) await setTimeout(20);
  assert.deepEqual(await readdir(folder), ['small.cap']);
});

test('without isolation the driver is in the first process', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1000000', '--no-isolation'];
  const child = spawn(process.execPath, [script, ...args], { stdio: 'ignore' });
  const closed = once(child, 'close');
  while (!(await readFile(`/proc/${child.pid}/maps`, 'utf8')).includes('libEGL')) await setTimeout(20);
  child.kill('SIGINT');
  assert.deepEqual(await closed, [130, null]);
});
