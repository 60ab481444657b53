import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

const script = fileURLToPath(new URL('../../bin/gpuprof.js', import.meta.url));
/** Options of a Node that runs this project's TypeScript. */
export const typescript = ['--import', new URL('typescript.js', import.meta.url).href] as const;
/** Only ends a hung process: no test may depend on it. */
const hangMs = 300_000;

export interface RunOptions {
  /** Added to the environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly nodeArgs?: readonly string[];
}

/** What a command line came to. */
export interface Outcome {
  /** The exit code; 128 plus the signal's number when a signal ended it, as shells say. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunResult extends Outcome {
  /** What stdout held, undecoded. */
  readonly stdoutBytes: Buffer;
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** Runs a program to its end and collects what it prints. */
export function runProgram(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const env = { ...process.env, ...options.env };
  // The parent's test runner must not turn the child into a test of its own.
  delete env.NODE_TEST_CONTEXT;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      cwd: options.cwd,
      stdio: 'pipe',
      timeout: hangMs,
      killSignal: 'SIGKILL',
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that ends without reading its input breaks the pipe; its exit code tells.
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const stdoutBytes = Buffer.concat(stdout);
      resolve({
        code: code ?? 128 + (signalNumbers[signal as NodeJS.Signals] ?? 0),
        stdout: stdoutBytes.toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
        stdoutBytes,
      });
    });
  });
}

/**
 * Runs the built `gpuprof` with these arguments, without a terminal, and without the certificates that a machine may have
 * Node.js read: they take most of the time in which it starts.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const env = { NODE_EXTRA_CA_CERTS: undefined, ...options.env };
  return runProgram(process.execPath, [...(options.nodeArgs ?? []), script, ...args], { ...options, env });
}
