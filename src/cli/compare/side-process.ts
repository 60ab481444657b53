import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, GpuprofError } from '../../errors.ts';
import type { Answer, Ask, Failure, SideWork, WorkName } from './protocol.ts';

/** From source it is TypeScript, which the same loader reads that this process was started with. */
const childModule = fileURLToPath(new URL(`./side-child${extname(import.meta.url)}`, import.meta.url));

/** Longer than any replay run takes. */
const defaultSilenceMs = 300_000;
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

type Variables = Readonly<Record<string, string>>;

/** Its variables come before any other remedy. */
function hintOf(code: ErrorCode, hint: string | undefined, env: Variables): string | undefined {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (variables.length === 0 || !environmentCodes.includes(code)) return hint;
  return `see whether it works without ${variables.join(' ')}, set for this side`;
}

/** What failed in the side's process, as the same error here, with the side's name in front. */
function failureOf(label: string, { code, message, hint, stack }: Failure, env: Variables): Error {
  const told = message.startsWith(`${label}: `) ? message : `${label}: ${message}`;
  if (code !== null) return new GpuprofError(code, told, { hint: hintOf(code, hint, env) });
  return Object.assign(new Error(told), { stack });
}

/**
 * The process that replays one side (side-child.ts). It ends when it is asked to, and when this process ends, for whatever
 * reason. Every request throws GpuprofError: what the side threw, with its code and hint, or `cannot-measure` when the
 * process crashes, ends, or says nothing for too long; all name the side and what it was doing.
 */
export class SideProcess {
  readonly label: string;
  readonly #child: ChildProcess;
  readonly #env: Variables;
  /** The end of what its driver said on standard error. */
  #words = '';
  readonly #silenceMs: number;
  readonly #onProgress: (text: string) => void;
  #doing = 'starting';
  #lost: GpuprofError | undefined;
  #waiting: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** `env` is added to this process's own, and there before any library is loaded. */
  constructor(label: string, env: Variables, onProgress: (text: string) => void, silenceMs = defaultSilenceMs) {
    this.label = label;
    this.#env = env;
    this.#silenceMs = silenceMs;
    this.#onProgress = onProgress;
    const child = fork(childModule, [], {
      env: { ...process.env, ...env },
      serialization: 'advanced',
      // What a driver prints must not get into a report, nor between the lines of this program.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#words = (this.#words + text).slice(-mostWords);
    });
    this.#child = child;
    running.add(child);
    child.on('message', (answer: Answer) => this.#answered(answer));
    child.on('error', (error) => this.#lose(`its process does not start: ${error.message}`));
    child.on('exit', (code, signal) => {
      running.delete(child);
      this.#lose(signal ? `its process was ended by ${signal}` : `its process ended with ${code}`);
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
      this.#expectWord();
      const ask: Ask = { work, argument };
      this.#child.send(ask, (error) => {
        if (error) this.#lose(`its process cannot be reached: ${error.message}`);
      });
    });
  }

  /** Ends the process, and returns when it is gone. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#lost ??= new GpuprofError('cannot-measure', `${this.label}: it has been ended`);
    clearTimeout(this.#watch);
    if (!running.has(child)) return;
    const gone = once(child, 'exit');
    if (child.connected) child.disconnect();
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    child.stderr?.destroy();
    clearTimeout(force);
  }

  #answered(answer: Answer): void {
    if ('progress' in answer) {
      this.#expectWord();
      this.#doing = answer.progress;
      this.#onProgress(answer.progress);
      return;
    }
    clearTimeout(this.#watch);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if ('failed' in answer) waiting?.reject(this.#withWords(failureOf(this.label, answer.failed, this.#env)));
    else waiting?.resolve(answer.done);
  }

  #expectWord(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#lose(`its process has said nothing for ${this.#silenceMs / 1000} s`);
      this.#child.kill('SIGKILL');
    }, this.#silenceMs);
  }

  #lose(how: string): void {
    clearTimeout(this.#watch);
    const hint = 'see whether `gpuprof replay` replays it by itself';
    this.#lost ??= new GpuprofError('cannot-measure', `${this.label}: ${how} (${this.#doing})`, {
      hint: hintOf('cannot-measure', hint, this.#env),
    });
    this.#waiting?.reject(this.#withWords(this.#lost));
    this.#waiting = undefined;
  }

  /** The error, with what the driver said for `--debug`. */
  #withWords<E extends Error>(error: E): E {
    return this.#words === '' ? error : Object.assign(error, { stack: `${error.stack}\n${this.#words.trimEnd()}` });
  }
}
