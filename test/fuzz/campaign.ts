/** Runs cases of a reader in processes of their own, and finds out what breaks it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { projectRoot, typescript } from '../helpers/cli.ts';
import type { Message } from './reader.ts';

export interface CampaignOptions {
  /** A module that exports a `Reader`. */
  readonly reader: string;
  /** An empty folder for what cases write. That of a case that failed is kept in it. */
  readonly folder: string;
  /** The first seed, from 1. */
  readonly first: number;
  readonly cases: number;
  /** No case begins after that time of `performance.now()`. */
  readonly untilMs?: number;
  /** Ends it with the cases that have run. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  readonly onFailure?: (failure: Failure) => void;
}

interface Limits {
  /** Processor time of one case. */
  readonly cpuSeconds: number;
  /** Time of one case by the clock, in which a process may be waiting for others. */
  readonly silentSeconds: number;
  /** Resident memory of a process. */
  readonly memoryBytes: number;
}

export interface Failure {
  readonly seed: number;
  /** What happened, and what the process printed. */
  readonly what: string;
}

export interface Tally {
  readonly cases: number;
  readonly ok: number;
  readonly refused: number;
  readonly failures: readonly Failure[];
  /** Processor time, processes' starts included. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

/** That of no case. */
export const nothing: Tally = { cases: 0, ok: 0, refused: 0, failures: [], cpuSeconds: 0, peakBytes: 0 };

/** Two tallies of one reader as one. */
export const together = (a: Tally, b: Tally): Tally => ({
  cases: a.cases + b.cases,
  ok: a.ok + b.ok,
  refused: a.refused + b.refused,
  failures: [...a.failures, ...b.failures],
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  peakBytes: Math.max(a.peakBytes, b.peakBytes),
});

const defaultLimits: Limits = { cpuSeconds: 30, silentSeconds: 300, memoryBytes: 2 ** 30 };
export const casesPerProcess = 1000;
const pollMs = 100;
/** Linux counts processor time in hundredths of seconds. */
const ticksPerSecond = 100;
const keptErrorText = 4000;
/** The folder, beside those of cases, in which drivers keep what they compile. */
const shaders = 'shaders';

const child = fileURLToPath(new URL('child.ts', import.meta.url));

/** Writing files elsewhere is an error. The loader compiles TypeScript, for which it may start a process. */
function nodeOptions(folder: string): string[] {
  const permission = ['--permission', '--experimental-permission'].find((name) =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  return [
    '--no-warnings',
    permission ?? '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${join(folder, '*')}`,
    `--allow-fs-write=${join(projectRoot, 'node_modules', '.cache', '*')}`,
    '--allow-addons',
    '--allow-child-process',
    '--allow-worker',
    ...typescript,
  ];
}

/** What a process takes now; nothing where there is no /proc, or no such process any more. */
function usageOf(pid: number): { readonly cpuSeconds: number; readonly residentBytes: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      residentBytes: Number(resident?.[1] ?? 0) * 1024,
    };
  } catch {
    return { cpuSeconds: 0, residentBytes: 0 };
  }
}

/** Ends the process when a case takes too much; `reason` then says what. */
class Watchdog {
  reason: string | null = null;
  cpuSeconds = 0;
  peakBytes = 0;
  readonly #child: ChildProcess;
  readonly #limits: Limits;
  readonly #timer: NodeJS.Timeout;
  #begunAtMs = performance.now();
  #begunAtCpu = 0;

  constructor(watched: ChildProcess, limits: Limits) {
    this.#child = watched;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#poll(), pollMs);
    watched.once('exit', () => clearInterval(this.#timer));
  }

  /** A case begins or ends. */
  note({ cpuSeconds, peakBytes }: Message): void {
    this.#begunAtMs = performance.now();
    this.#begunAtCpu = cpuSeconds;
    this.#seen(cpuSeconds, peakBytes);
  }

  end(reason: string): void {
    this.reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  #seen(cpuSeconds: number, bytes: number): void {
    const { memoryBytes } = this.#limits;
    this.cpuSeconds = Math.max(this.cpuSeconds, cpuSeconds);
    this.peakBytes = Math.max(this.peakBytes, bytes);
    if (bytes > memoryBytes)
      this.end(`memory: ${Math.round(bytes / 2 ** 20)} MiB, and ${Math.round(memoryBytes / 2 ** 20)} are allowed`);
  }

  #poll(): void {
    const { cpuSeconds, residentBytes } = usageOf(this.#child.pid ?? 0);
    this.#seen(cpuSeconds, residentBytes);
    const silentSeconds = (performance.now() - this.#begunAtMs) / 1000;
    if (this.cpuSeconds - this.#begunAtCpu > this.#limits.cpuSeconds)
      this.end(`hang: no end after ${this.#limits.cpuSeconds} s of processor time`);
    else if (silentSeconds > this.#limits.silentSeconds) this.end(`hang: no end after ${Math.round(silentSeconds)} s`);
  }
}

/** Runs cases in one process, up to the first that fails, or until the time is over; nothing is left of one that has no end. */
async function runBatch(
  { reader, folder, signal }: CampaignOptions,
  limits: Limits,
  first: number,
  count: number,
  untilMs: number,
): Promise<Tally> {
  const args = [...nodeOptions(folder), child, reader, folder, String(first), String(count)];
  // Software GL unless another is asked for, shaders that are compiled once for all cases, and no test runner that is told.
  const env = {
    LIBGL_ALWAYS_SOFTWARE: '1',
    ...process.env,
    LP_NUM_THREADS: '0',
    MESA_SHADER_CACHE_DIR: join(folder, shaders),
    __GL_SHADER_DISK_CACHE_PATH: join(folder, shaders),
  };
  delete (env as NodeJS.ProcessEnv).NODE_TEST_CONTEXT;
  const running = spawn(process.execPath, args, {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const dog = new Watchdog(running, limits);
  const stop = () => dog.end('');
  signal?.addEventListener('abort', stop);
  process.once('exit', stop);
  let errorText = '';
  running.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-keptErrorText);
  });
  let at: number | null = null;
  const tally = { ok: 0, refused: 0 };
  const failures: Failure[] = [];
  createInterface({ input: running.stdio[3] as Readable }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    at = message.seed;
    dog.note(message);
    if (dog.reason !== null) return;
    if (message.end === null) {
      if (performance.now() > untilMs) dog.end('');
      return;
    }
    at = null;
    if (message.end === 'failed') failures.push({ seed: message.seed, what: message.told });
    else tally[message.end]++;
  });
  const ended = await new Promise<string>((resolve) =>
    running.once('close', (code, killed) => resolve(killed ?? (code === 0 ? '' : `exit code ${code}`))),
  );
  signal?.removeEventListener('abort', stop);
  process.off('exit', stop);
  const { cpuSeconds, peakBytes, reason } = dog;
  if (reason !== '' && (reason !== null || ended !== '')) {
    const what = reason ?? `crash: ${ended}`;
    if (at === null) throw new Error(`cases of ${reader} could not be run: ${what}\n${errorText}`);
    failures.push({ seed: at, what: `${what}\n${errorText}`.trimEnd() });
  } else if (at !== null) await rm(join(folder, String(at)), { recursive: true, force: true });
  return { ...tally, cases: tally.ok + tally.refused + failures.length, failures, cpuSeconds, peakBytes };
}

/** Runs cases until all have run or the time is over; one that fails does not end it. */
export async function campaign(options: CampaignOptions): Promise<Tally> {
  const { first, cases, untilMs = Number.POSITIVE_INFINITY, signal, onFailure } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let total = nothing;
  await mkdir(join(options.folder, shaders), { recursive: true });
  while (total.cases < cases && performance.now() < untilMs && !signal?.aborted) {
    const count = Math.min(casesPerProcess, cases - total.cases);
    const batch = await runBatch(options, limits, first + total.cases, count, untilMs);
    total = together(total, batch);
    for (const failure of batch.failures) onFailure?.(failure);
  }
  return total;
}
