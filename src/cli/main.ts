import { CommanderError } from 'commander';
import { type ErrorCode, GpuprofError } from '../errors.ts';
import { printable } from '../report/printable.ts';
import { outputFailure } from './output.ts';
import { endProcess } from './own-end.ts';
import { createProgram } from './program.ts';

/** 0 ok, 1 a verification or gate failed, 2 bad usage or input, 3 this machine cannot measure it. */
const exitCodes: Record<ErrorCode, number> = {
  'verification-failed': 1,
  'bad-usage': 2,
  'bad-input': 2,
  'query-misuse': 2,
  'bad-capture': 2,
  'unsupported-version': 2,
  'output-failed': 2,
  'missing-feature': 3,
  'gl-unavailable': 3,
  'cannot-measure': 3,
  interrupted: 130,
};

const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';

/** Says what went wrong and what to do, on a line for each error, and returns the exit code. */
function explain(error: unknown, debug: boolean): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isBrokenPipe(error)) return 0;
  if (error instanceof AggregateError) return Math.max(...error.errors.map((one) => explain(one, debug)));
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
  if (error instanceof GpuprofError) {
    const hint = error.hint ? `; ${error.hint}` : '';
    process.stderr.write(`gpuprof: ${printable(message + hint)}\n`);
  } else {
    const ask = debug ? 'please report it' : 'please report it with what --debug adds';
    process.stderr.write(`gpuprof: internal error: ${printable(message)}; this is a bug in gpuprof, ${ask}\n`);
  }
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof GpuprofError ? exitCodes[error.code] : 2;
}

/** Takes `--debug` out, wherever it stands before a `--`. */
function takeDebug(args: readonly string[]): { readonly debug: boolean; readonly rest: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const rest = args.filter((arg, index) => arg !== '--debug' || index > end);
  return { debug: rest.length < args.length, rest };
}

/** Ends at once when asked to; exit handlers still run, and files are written whole or not at all (output.ts). */
function endOnSignals(debug: boolean): void {
  process.once('SIGINT', () => endProcess(exitCodes.interrupted));
  process.once('SIGTERM', () => endProcess(143));
  // A reader that has gone is no failure of the command; a full disk is.
  process.stdout.on('error', (error) => {
    if (!isBrokenPipe(error)) endProcess(explain(outputFailure('standard output', error), debug));
  });
}

/** Runs one command line (without `node` and the script) and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { debug, rest } = takeDebug(args);
  endOnSignals(debug);
  try {
    await createProgram().parseAsync(rest, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error, debug);
  }
}
