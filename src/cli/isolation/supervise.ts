import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { word } from '../../model/position.ts';
import { contextLostCode } from '../explain.ts';
import { emptyNotebook, readPosition } from './notebook.ts';

/** From source it is TypeScript, which the same loader reads that this process was started with. */
const childModule = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));

const lookEveryMs = 250;
/** How long a process that is calling the driver has to end once it is asked to: it cannot hear in there. */
const graceMs = 2000;

/** How a command's process came to its end. */
export type End =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'interrupted'; readonly signal: NodeJS.Signals }
  | { readonly how: 'crashed'; readonly signal: NodeJS.Signals }
  /** The driver lost its context. */
  | { readonly how: 'lost' }
  /** After so long without a change of the position. */
  | { readonly how: 'hung'; readonly patienceMs: number };

/** A file without a name: nothing of it is left, however this process ends. */
function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'gpuprof-'));
  const file = openSync(join(folder, 'notes'), 'w+');
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows keeps a file that is open: the system's own clean-up takes it.
  }
  return file;
}

/** Ends the process when the position has not moved for as long as it asks for. Returns what stops looking. */
function watchPosition(file: number, hung: (patienceMs: number) => void): () => void {
  let before = '';
  let movedMs = performance.now();
  const timer = setInterval(() => {
    const words = readPosition(file);
    const patienceMs = words[word.patienceMs];
    const now = words.join();
    if (now !== before || words[word.activity] === 0 || patienceMs === 0) {
      before = now;
      movedMs = performance.now();
    } else if (performance.now() - movedMs > patienceMs) {
      clearInterval(timer);
      hung(patienceMs);
    }
  }, lookEveryMs);
  return () => clearInterval(timer);
}

/** Hands signals on. The process has a group of its own, so that a terminal's come through here, once. */
function passSignals(child: ChildProcess, asked: (signal: NodeJS.Signals) => void): () => void {
  const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals) => {
    asked(signal);
    child.kill(signal);
  };
  const suspend = () => {
    child.kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  };
  const goOn = () => void child.kill('SIGCONT');
  for (const signal of ends) process.on(signal, pass);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', goOn);
  return () => {
    for (const signal of ends) process.off(signal, pass);
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', goOn);
  };
}

/** `asked` is the signal that was handed on, `patienceMs` is there when the process was ended since it hung. */
function endOf(code: number | null, signal: NodeJS.Signals | null, asked?: NodeJS.Signals, patienceMs?: number): End {
  if (code === contextLostCode) return { how: 'lost' };
  if (code !== null) return { how: 'exited', code };
  if (patienceMs !== undefined) return { how: 'hung', patienceMs };
  return asked ? { how: 'interrupted', signal: asked } : { how: 'crashed', signal: signal as NodeJS.Signals };
}

/**
 * Runs a command line in a process of its own, so that a driver that crashes, hangs or eats all memory does not take with
 * it what is there to say so. `ended` gets how it ended and the notebook, which is closed afterwards.
 */
export async function supervise<T>(
  args: readonly string[],
  ended: (end: End, notebook: number) => T | Promise<T>,
): Promise<T> {
  const notebook = namelessFile();
  emptyNotebook(notebook);
  const child = spawn(process.execPath, [...process.execArgv, childModule, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', notebook],
    detached: true,
  });
  const kill = () => void child.kill('SIGKILL');
  process.on('exit', kill);
  let asked: NodeJS.Signals | undefined;
  let patienceMs: number | undefined;
  let force: NodeJS.Timeout | undefined;
  const stopPassing = passSignals(child, (signal) => {
    asked = signal;
    force ??= setTimeout(() => readPosition(notebook)[word.activity] !== 0 && kill(), graceMs);
  });
  const stopWatching = watchPosition(notebook, (patience) => {
    patienceMs = patience;
    kill();
  });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return await ended(endOf(code, signal, asked, patienceMs), notebook);
  } finally {
    clearTimeout(force);
    stopWatching();
    stopPassing();
    process.off('exit', kill);
    closeSync(notebook);
  }
}

/** What a shell would have as the exit code of a process that a signal ended. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
