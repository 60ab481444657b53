import { outputFailure } from '../capture/whole-file.ts';
import type { GpuprofError } from '../errors.ts';
import { version } from '../version.ts';
import { contextLostCode, exitCodes, explain, isBrokenPipe } from './explain.ts';
import { endProcess } from './own-end.ts';

/** Options of the whole program, wherever they stand before a `--`. */
function takeOption(name: string, args: readonly string[]): { readonly isGiven: boolean; readonly rest: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const rest = args.filter((arg, index) => arg !== name || index > end);
  return { isGiven: rest.length < args.length, rest };
}

/** Ends at once when asked to; exit handlers still run, and files are written whole or not at all (output.ts). */
function endOnSignals(debug: boolean): void {
  process.once('SIGINT', () => endProcess(exitCodes.interrupted));
  process.once('SIGTERM', () => endProcess(143));
  process.once('SIGHUP', () => endProcess(129));
  // A reader that has gone is no failure of the command; a full disk is.
  process.stdout.on('error', (error) => {
    if (!isBrokenPipe(error)) endProcess(explain(outputFailure('standard output', error), debug));
  });
}

/** Commands that call the driver; the others start no process for it, or have their own way (compare/side-process.ts). */
function callsDriver(args: readonly string[]): boolean {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return false;
  const [command, kind] = args;
  return (
    ['replay', 'screenshot', 'view', 'counters', 'doctor'].includes(command) ||
    (command === 'record' && kind === 'gltf')
  );
}

/** Runs one command line (without `node` and the script) and returns the exit code. */
export async function main(args: readonly string[], { isIsolated = false } = {}): Promise<number> {
  // What cannot be said is still told by the exit code.
  process.stderr.on('error', () => {});
  const { isGiven: debug, rest: withoutDebug } = takeOption('--debug', args);
  const { isGiven: together, rest } = takeOption('--no-isolation', withoutDebug);
  if (!isIsolated && !together && callsDriver(rest)) {
    const { runIsolated } = await import('./isolation/run-isolated.ts');
    return runIsolated(rest, debug);
  }
  endOnSignals(debug);
  if (rest[0] === '--version' || rest[0] === '-V') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  // Not before it is needed: loading it takes longer than saying the version.
  const { createProgram, wasSaid } = await import('./program.ts');
  try {
    await (await createProgram(rest)).parseAsync(rest, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (isIsolated && (error as Partial<GpuprofError>).code === 'context-lost') return contextLostCode;
    return wasSaid(error) ? (error.exitCode === 0 ? 0 : 2) : explain(error, debug);
  }
}
