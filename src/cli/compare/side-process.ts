import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { type ErrorCode, GpuprofError } from '../../errors.ts';
import { word } from '../../model/position.ts';
import type { Report } from '../../model/report.ts';
import { programFile } from '../../package-file.ts';
import { childEnvironment } from '../child-environment.ts';
import { makeNotebook, readNotes, readPosition } from '../isolation/notebook.ts';
import { lossOf } from '../isolation/supervise.ts';
import { type Loss, tellLoss } from '../isolation/tell-loss.ts';
import { watchProcess } from '../isolation/watch-process.ts';
import type { Answer, Ask, Failure, SideWork, WorkName } from './protocol.ts';
import type { SideRequest } from './requests.ts';

const childModule = programFile('cli/compare/side-child');

/** Longer than any import takes, or whatever else is no call of the driver. */
const outsideMs = 300_000;
/** How long a process has to end once its channel is closed. */
const graceMs = 2000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

type Argument<W extends WorkName> = Parameters<SideWork[W]>[0];
type Result<W extends WorkName> = Awaited<ReturnType<SideWork[W]>>;

/** What a driver without a display, or a process that crashes, may owe to variables set for it. */
const environmentCodes: readonly ErrorCode[] = ['gl-unavailable', 'missing-feature', 'cannot-measure'];
/** Of what is said on standard error, for `--debug`. */
const mostWords = 4096;

/** Its variables come before any other remedy. */
function hintOf(code: ErrorCode, hint: string | undefined, env: SideRequest['env']): string | undefined {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (variables.length === 0 || !environmentCodes.includes(code)) return hint;
  return `see whether it works without ${variables.join(' ')}, set for this side`;
}

/** A side's process is gone, or was ended for what it did: what it was measuring will not be finished. */
export class SideLost extends GpuprofError {}

/**
 * The process that replays one side (side-child.ts). It ends when it is asked to, and when this process ends, for whatever
 * reason. Every request throws GpuprofError: what the side threw, with its code and hint, or {@link SideLost} when the
 * process crashes, ends, or makes no progress for too long, which names the event that was running.
 */
export class SideProcess {
  readonly label: string;
  readonly #request: SideRequest;
  readonly #child: ChildProcess;
  readonly #notebook = makeNotebook();
  readonly #onProgress: (text: string) => void;
  /** The end of what its driver said on standard error. */
  #words = '';
  #doing = 'starting';
  /** Why it was ended from here. */
  #endedFor: Loss | undefined;
  #lost: GpuprofError | undefined;
  #waiting: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;
  #stopWatching = (): void => {};
  #ending: Promise<void> | undefined;

  /** The variables of the request are there before any library is loaded. Throws GpuprofError `output-failed`. */
  constructor(label: string, request: SideRequest, onProgress: (text: string) => void) {
    this.label = label;
    this.#request = request;
    this.#onProgress = onProgress;
    const child = fork(childModule, [], {
      env: { ...childEnvironment(), ...request.env },
      serialization: 'advanced',
      // What a driver prints must not get into a report, nor between the lines of this program.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', this.#notebook],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#words = (this.#words + text).slice(-mostWords);
    });
    this.#child = child;
    running.add(child);
    child.on('message', (answer: Answer) => void this.#answered(answer));
    child.on('error', ({ message }) => {
      if (child.pid === undefined) running.delete(child);
      this.#lose(`its process does not start: ${message}`);
    });
    child.on('exit', (code, signal) => {
      running.delete(child);
      const loss = this.#endedFor ?? lossOf(code, signal, readPosition(this.#notebook));
      if (loss) void this.#explain(loss);
      else this.#lose(`its process ended with ${code}`);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Has the side do one piece of work; one at a time. `doing` says which, for people. */
  ask<W extends WorkName>(work: W, argument: Argument<W>, doing: string): Promise<Result<W>> {
    if (this.#lost) return Promise.reject(this.#lost);
    this.#doing = doing;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve: resolve as (value: unknown) => void, reject };
      this.#stopWatching = watchProcess(
        this.#child.pid,
        this.#notebook,
        (position) => Math.max(this.#request.replay.timeout * 1000, position[word.activity] === 0 ? outsideMs : 0),
        (loss) => {
          this.#endedFor = loss;
          this.#child.kill('SIGKILL');
        },
      );
      const ask: Ask = { work, argument };
      // Where it cannot be reached it is gone, which is told of.
      this.#child.send(ask, () => {});
    });
  }

  /** The report of all runs so far, without counters, also of a process that is gone; null when no run was whole. */
  async salvaged(message: string): Promise<Report | null> {
    const { salvage } = await import('../isolation/salvage.ts');
    const { file, replay } = this.#request;
    return (await salvage({ file, per: replay.per }, [...readNotes(this.#notebook)], message))?.report ?? null;
  }

  /** Ends the process, and returns when it is gone. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#lost ??= new SideLost('cannot-measure', `${this.label}: it has been ended`);
    this.#stopWatching();
    if (running.has(child)) {
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await gone;
      child.stderr?.destroy();
      clearTimeout(force);
    }
    closeSync(this.#notebook);
  }

  async #answered(answer: Answer): Promise<void> {
    if ('progress' in answer) {
      this.#doing = answer.progress;
      this.#onProgress(answer.progress);
      return;
    }
    if ('failed' in answer && answer.failed.code === 'context-lost') return this.#explain({ how: 'lost' });
    this.#stopWatching();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if ('failed' in answer) waiting?.reject(this.#withWords(this.#failureOf(answer.failed)));
    else waiting?.resolve(answer.done);
  }

  /** What failed in the side's process, as the same error here, with the side's name in front. */
  #failureOf({ code, message, hint, stack }: Failure): Error {
    const told = message.startsWith(`${this.label}: `) ? message : `${this.label}: ${message}`;
    if (code !== null) return new GpuprofError(code, told, { hint: hintOf(code, hint, this.#request.env) });
    return Object.assign(new Error(told), { stack });
  }

  async #explain(loss: Loss): Promise<void> {
    if (this.#lost) return;
    const position = readPosition(this.#notebook);
    const { sentence, hint } = await tellLoss(loss, position, this.#request.file, this.#doing);
    this.#lose(sentence, hint);
  }

  #lose(how: string, hint = 'see whether `gpuprof replay` replays it by itself'): void {
    this.#stopWatching();
    this.#lost ??= new SideLost('cannot-measure', `${this.label}: ${how}`, {
      hint: hintOf('cannot-measure', hint, this.#request.env),
    });
    this.#waiting?.reject(this.#withWords(this.#lost));
    this.#waiting = undefined;
  }

  /** The error, with what the driver said for `--debug`. */
  #withWords<E extends Error>(error: E): E {
    return this.#words === '' ? error : Object.assign(error, { stack: `${error.stack}\n${this.#words.trimEnd()}` });
  }
}
