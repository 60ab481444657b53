/** Programs that something happens to while they run. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { notebookFile, readNotes } from '../../src/cli/isolation/notebook.ts';
import { projectRoot } from '../helpers/cli.ts';

export const script = join(projectRoot, 'bin', 'gpuprof.js');

const lookEveryMs = 50;

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What standard error has so far. */
  told(): string;
  /** Resolves with the exit code (null after a signal) and what was printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Looks again and again until there is something; fails when the program ends before. */
  until<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T>;
}

/** Starts a program, which the end of the test ends. */
export function startProgram(
  t: TestContext,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Running {
  const all = { ...process.env, ...env };
  // The parent's test runner must not turn the child into a test of its own.
  delete all.NODE_TEST_CONTEXT;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: all });
  t.after(() => child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  return {
    child,
    pid: child.pid as number,
    told: () => printed.stderr,
    ended: once(child, 'close').then(([code]) => ({ code, ...printed })),
    async until(look) {
      for (;;) {
        const found = await look();
        if (found !== undefined && found !== false) return found;
        assert.ok(child.exitCode === null && child.signalCode === null, `it ended: ${printed.stderr}`);
        await setTimeout(lookEveryMs);
      }
    },
  };
}

/** Starts the built `gpuprof`. */
export const start = (
  t: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Running => startProgram(t, process.execPath, [script, ...args], env);

export interface Process {
  readonly pid: number;
  /** Its arguments, a NUL after each. */
  readonly command: string;
}

/** The processes below one, in no order; without those that have ended meanwhile. */
export async function below(pid: number): Promise<Process[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ');
  const found = await Promise.all(
    children
      .filter(Boolean)
      .map(async (child) => [
        { pid: Number(child), command: await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '') },
        ...(await below(Number(child))),
      ]),
  );
  return found.flat();
}

/** Whether a process is there and has not ended. */
export const isRunning = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) [ZX]/.test(stat),
    () => false,
  );

export async function allGone(processes: readonly (Process | number)[]): Promise<void> {
  for (const one of processes)
    while (await isRunning(typeof one === 'number' ? one : one.pid)) await setTimeout(lookEveryMs);
}

/** Whether a process has loaded a library of this name. */
export const hasLoaded = async (pid: number, library: string): Promise<boolean> =>
  (await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')).includes(library);

/** How many bracketed runs a process that replays has noted; none while it is not that far. */
export function notedRuns(pid: number): number {
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
