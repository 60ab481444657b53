import { type Command, CommanderError } from 'commander';
import { type ErrorCode, GpuprofError } from '../errors.ts';
import { createProgram } from './program.ts';

/** 0 ok, 1 a verification or gate failed, 2 bad usage or input, 3 this machine cannot measure it. */
const exitCodes: Record<ErrorCode, number> = {
  'verification-failed': 1,
  'bad-usage': 2,
  'bad-input': 2,
  'bad-capture': 2,
  'unsupported-version': 2,
  'output-failed': 2,
  'missing-feature': 3,
  'gl-unavailable': 3,
  'cannot-measure': 3,
  interrupted: 130,
};

function explain(error: unknown, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof GpuprofError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = known && error.hint ? `; ${error.hint}` : '';
  process.stderr.write(`gpuprof: ${message.replace(/\s*\n\s*/g, ' ')}${hint}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return known ? exitCodes[error.code] : 2;
}

/** Runs one command line (without `node` and the script) and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const program: Command = createProgram();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error, args.includes('--debug'));
  }
}
