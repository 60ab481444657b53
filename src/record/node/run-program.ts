import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { GpuprofError } from '../../errors.ts';
import { ensureDisplay } from '../../gl/x-display.ts';
import { programFile } from '../../package-file.ts';
import { CaptureReceiver, type ReceivedCapture } from '../wire/receiver.ts';
import { type Exit, Progress } from './outcome.ts';
import { captureFile, planVariable, type RecordingPlan, statusFile } from './protocol.ts';

export interface NodeProgram extends RecordingPlan {
  readonly script: string;
  readonly args: readonly string[];
  /** Where the capture goes. */
  readonly output: string;
  /** How long to wait for the capture. */
  readonly timeoutSeconds: number;
}

const preload = pathToFileURL(programFile('record/node/preload')).href;
/** How long a program has to end when asked to. */
const graceMs = 2000;

function checkScript(script: string): void {
  const found = statSync(script, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  const problem = found ? `${script} is a folder, not a script` : `there is no script ${script}`;
  throw new GpuprofError('bad-usage', problem, { hint: 'name the file that node would run' });
}

function hasHeadlessGl(script: string): boolean {
  try {
    createRequire(resolve(script)).resolve('gl');
    return true;
  } catch {
    return false;
  }
}

/** Feeds the capture's records to the receiver until it is whole or the program is gone. */
async function receive(pipe: Readable, receiver: CaptureReceiver): Promise<void> {
  for await (const bytes of pipe) {
    await receiver.take(bytes as Uint8Array);
    if (receiver.received) return;
  }
}

/** Ends the program: by request, then by force. */
async function end(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(force);
}

/**
 * Runs a Node program that draws with headless-gl, with the recorder preloaded, writes the capture of the frames asked for,
 * and ends the program then. Its standard streams are this process's own. Nothing is left at the output unless a capture is
 * whole. Throws GpuprofError `bad-usage` for a script that is none, `bad-input` when the program ends, fails or takes too long
 * before the frames are drawn, `gl-unavailable` when it needs an X display and there is none.
 */
export async function recordNodeProgram(program: NodeProgram): Promise<ReceivedCapture> {
  const { script, args, output, timeoutSeconds, frame, frames, producer } = program;
  checkScript(script);
  // A program may need no display after all; if it does, this is why it gets no context.
  let noDisplay: unknown;
  await ensureDisplay().catch((error) => {
    noDisplay = error;
  });
  const plan: RecordingPlan = { frame, frames, producer };
  const child = spawn(process.execPath, [...process.execArgv, '--import', preload, script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'pipe'],
    env: { ...process.env, [planVariable]: JSON.stringify(plan) },
  });
  // An interrupted tool leaves no program behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  exited.catch(() => {});

  const receiver = new CaptureReceiver(output);
  const capturePipe = child.stdio[captureFile] as Readable;
  const received = receive(capturePipe, receiver);
  const progress = new Progress();
  const lines = createInterface({ input: child.stdio[statusFile] as Readable });
  const told = once(lines, 'close');
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_, reject) => {
    lines.on('line', (line) => {
      progress.take(line);
      if (progress.problem) reject(progress.problem);
    });
    timer = setTimeout(() => reject(progress.tooLate(script, plan, timeoutSeconds)), timeoutSeconds * 1000);
  });
  try {
    await Promise.race([received, stopped]);
    if (!receiver.received) {
      const exit = await Promise.race([exited, stopped]);
      await told;
      throw progress.whyNothing(script, plan, exit, { hasHeadlessGl: hasHeadlessGl(script), noDisplay });
    }
  } finally {
    clearTimeout(timer);
    await end(child, exited);
    process.off('exit', kill);
    capturePipe.destroy();
    await received.catch(() => {});
    await receiver.abort();
  }
  await told;
  const { notes, ...capture } = receiver.received;
  return { ...capture, notes: [...notes, ...progress.notes()] };
}
