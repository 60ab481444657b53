import { type ErrorCode, GpuprofError } from '../errors.ts';
import { printable } from '../report/printable.ts';

/** 0 ok, 1 a verification or gate failed, 2 bad usage or input, 3 this machine cannot measure it. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
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
  'context-lost': 3,
  interrupted: 130,
};

/** What an isolated process ends with when the driver lost its context: as good as a crash, which its supervisor tells of. */
export const contextLostCode = 70;

/** Of what nobody had a better word for: the machine has no memory, room, processes or open files left. */
const machineCodes = ['ENOMEM', 'ENOSPC', 'EDQUOT', 'EROFS', 'EAGAIN', 'EMFILE', 'ENFILE'];
const isMachineFault = (error: unknown): error is Error =>
  error instanceof Error &&
  (machineCodes.includes((error as NodeJS.ErrnoException).code ?? '') ||
    /allocation failed|Failed to allocate memory/i.test(error.message));

export const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';

/** What failed is known for certain, whatever else went wrong; and what could not be measured weighs more than bad input. */
const codeOfAll = (codes: readonly number[]): number =>
  codes.includes(exitCodes['verification-failed']) ? exitCodes['verification-failed'] : Math.max(...codes);

/** Says what went wrong and what to do, on a line for each error, and returns the exit code. */
export function explain(error: unknown, debug: boolean): number {
  if (isBrokenPipe(error)) return 0;
  if (error instanceof AggregateError) return codeOfAll(error.errors.map((one) => explain(one, debug)));
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
  if (error instanceof GpuprofError) {
    const hint = error.hint ? `; ${error.hint}` : '';
    process.stderr.write(`gpuprof: ${printable(message + hint)}\n`);
  } else if (isMachineFault(error)) {
    process.stderr.write(`gpuprof: this machine cannot go on: ${printable(message)}\n`);
  } else {
    const ask = debug ? 'please report it' : 'please report it with what --debug adds';
    process.stderr.write(`gpuprof: internal error: ${printable(message)}; this is a bug in gpuprof, ${ask}\n`);
  }
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  if (error instanceof GpuprofError) return exitCodes[error.code];
  return isMachineFault(error) ? exitCodes['cannot-measure'] : 2;
}
