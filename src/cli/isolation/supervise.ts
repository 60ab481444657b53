import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { word } from '../../model/position.ts';
import { programFile } from '../../package-file.ts';
import { childEnvironment } from '../child-environment.ts';
import { contextLostCode } from '../explain.ts';
import { makeNotebook, readPosition, removeTemporaries } from './notebook.ts';
import type { Loss } from './tell-loss.ts';
import { watchProcess } from './watch-process.ts';

const childModule = programFile('cli/isolation/child');

/** How long a process that is calling the driver has to end once it is asked to: it cannot hear in there. */
const graceMs = 2000;

/** How a command's process came to its end. */
export type End =
  | Loss
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'interrupted'; readonly signal: NodeJS.Signals };

/**
 * Hands signals on to a process that is about to start: one that came between its start and this would end the supervisor
 * alone. It has a group of its own, so that a terminal's come through here, once.
 */
function passSignals(child: () => ChildProcess, asked: (signal: NodeJS.Signals) => void): () => void {
  const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals) => {
    asked(signal);
    child().kill(signal);
  };
  const suspend = () => {
    child().kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  };
  const goOn = () => void child().kill('SIGCONT');
  for (const signal of ends) process.on(signal, pass);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', goOn);
  return () => {
    for (const signal of ends) process.off(signal, pass);
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', goOn);
  };
}

/**
 * What the end of a process was, whose position ends like this: what it meant to end with counts, whatever a driver that
 * is unloaded makes of it. The position of a process that had none is all zeros.
 */
export function lossOf(code: number | null, signal: NodeJS.Signals | null, position: Uint32Array): Loss | null {
  const life = position[word.life];
  if (code === contextLostCode || life === 2 + contextLostCode) return { how: 'lost' };
  if (life >= 2) return null;
  if (signal) return { how: 'crashed', signal };
  return life === 1 ? { how: 'ended', code: code ?? 0 } : null;
}

/** `asked` is the signal that was handed on, `lost` is there when the process was ended from here. */
function endOf(
  [code, signal]: readonly [number | null, NodeJS.Signals | null],
  position: Uint32Array,
  asked?: NodeJS.Signals,
  lost?: Loss,
): End {
  if (lost !== undefined && code === null) return lost;
  if (asked !== undefined && code === null) return { how: 'interrupted', signal: asked };
  const life = position[word.life];
  return lossOf(code, signal, position) ?? { how: 'exited', code: life >= 2 ? life - 2 : (code ?? 0) };
}

/**
 * Runs a command line in a process of its own, so that a driver that crashes, hangs or eats all memory does not take with
 * it what is there to say so. `ended` gets how it ended and the notebook, which is closed afterwards. Throws GpuprofError
 * `output-failed` where there is no room for temporary files.
 */
export async function supervise<T>(
  args: readonly string[],
  ended: (end: End, notebook: number) => T | Promise<T>,
): Promise<T> {
  const notebook = makeNotebook();
  const kill = () => void child.kill('SIGKILL');
  let asked: NodeJS.Signals | undefined;
  let lost: Loss | undefined;
  let force: NodeJS.Timeout | undefined;
  const stopPassing = passSignals(
    () => child,
    (signal) => {
      asked = signal;
      force ??= setTimeout(() => readPosition(notebook)[word.activity] !== 0 && kill(), graceMs);
    },
  );
  const child = spawn(process.execPath, [...process.execArgv, childModule, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', notebook],
    detached: true,
    env: childEnvironment(),
  });
  process.on('exit', kill);
  const stopWatching = watchProcess(
    child.pid,
    notebook,
    (position) => (position[word.activity] === 0 ? 0 : position[word.patienceMs]),
    (loss) => {
      lost = loss;
      kill();
    },
  );
  try {
    const exit = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    removeTemporaries(notebook);
    return await ended(endOf(exit, readPosition(notebook), asked, lost), notebook);
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
