import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Outcome, RunOptions } from './cli.ts';

/** What the session is asked for; null takes a variable away. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | null>>;
}

const program = fileURLToPath(new URL('session-child.js', import.meta.url));
let child: ChildProcess | undefined;
/** Ends with the last command line that was given. */
let last: Promise<unknown> = Promise.resolve();

after(async () => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
});

function start(): ChildProcess {
  const env = { ...process.env };
  // The parent's test runner must not turn the child into a test of its own.
  delete env.NODE_TEST_CONTEXT;
  return fork(program, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function ask(line: CommandLine): Promise<Outcome> {
  child ??= start();
  const ended = new AbortController();
  const { signal } = ended;
  try {
    child.send(line);
    const [outcome] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code, killed]) => {
        throw new Error(`the session ended with ${code ?? killed} at: ${line.args.join(' ')}`);
      }),
    ]);
    return outcome;
  } finally {
    ended.abort();
  }
}

/**
 * As `run` of cli.ts, for one command line after the other in a process that lives as long as the test file: to start one
 * takes longer than most command lines, and a browser longer still. For what is not about processes, nor about how a browser
 * starts and ends. Fails when the process ends.
 */
export function runInSession(
  args: readonly string[],
  { cwd, env = {} }: Pick<RunOptions, 'cwd' | 'env'> = {},
): Promise<Outcome> {
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? null]));
  const outcome = last.then(() => ask({ args, ...(cwd !== undefined && { cwd }), env: variables }));
  last = outcome.catch(() => {});
  return outcome;
}
