import { GpuprofError } from '../errors.ts';
import type { Report } from '../model/report.ts';
import type { FormatName } from '../report/formats.ts';
import type { ReportOptions } from '../report/options.ts';
import { checkOutput, isSameFile, writeOutput } from './output.ts';
import type { ReplayOptions } from './replay-options.ts';
import { terminalWidth, wantsColor } from './terminal.ts';

/** A document of a format, and where it goes. */
export interface OutputOf<F extends string> {
  readonly format: F;
  /** `-` is standard output. */
  readonly path: string;
}

/** A stream is written while the replay goes on (replay-qrhi.ts). */
export type Output = OutputOf<FormatName | 'qrhi'>;

/** The main output, and a file of each format beside it. */
export type OutputOptions<F extends string> = { readonly format: F; readonly output: string } & {
  readonly [format in F]?: string;
};

const isOnePlace = (left: string, right: string): boolean =>
  left === '-' || right === '-' ? left === right : isSameFile(left, right);

/**
 * The main output and those beside it. The main output makes way when nothing was said about it and another is sent to
 * standard output. `others` are written, too. Throws GpuprofError `bad-usage` when two go to one place, or one to an
 * input; `output-failed` for places not writable.
 */
export function planOutputs<F extends string>(
  formats: readonly F[],
  options: OutputOptions<F>,
  mainWasAsked: boolean,
  inputs: readonly string[],
  others: readonly (string | undefined)[] = [],
): OutputOf<F>[] {
  const beside = formats.flatMap((format): OutputOf<F>[] => {
    const path = options[format];
    return path === undefined ? [] : [{ format, path }];
  });
  const main: OutputOf<F> = { format: options.format, path: options.output };
  const outputs = !mainWasAsked && beside.some(({ path }) => path === '-') ? beside : [main, ...beside];
  const places = [...outputs.map(({ path }) => path), ...others.filter((path) => path !== undefined)];
  for (const [index, place] of places.entries())
    if (places.slice(0, index).some((other) => isOnePlace(place, other))) {
      const where = place === '-' ? 'standard output' : place;
      throw new GpuprofError('bad-usage', `two outputs go to ${where}`, { hint: 'give each a file of its own' });
    }
  for (const place of places) for (const input of inputs) checkOutput(place, input);
  return outputs;
}

/** Writes every output, the others also when one fails; then throws what went wrong first. */
export async function writeOutputs<F extends string>(
  outputs: readonly OutputOf<F>[],
  render: (output: OutputOf<F>) => Iterable<string>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const output of outputs) {
    try {
      await writeOutput(output.path, render(output));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Judges whatever becomes of what is written, so that no full disk hides a verdict; then throws what went wrong, of both as
 * an AggregateError.
 */
export async function writeAndJudge(write: () => Promise<void>, judge: () => void): Promise<void> {
  const failures: unknown[] = [];
  for (const work of [write, judge]) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures);
  if (failures.length > 0) throw failures[0];
}

/** Options for one output: only a terminal has a width, only standard output can have colour. */
function reportOptions(options: ReplayOptions, path: string): ReportOptions {
  const toStdout = path === '-';
  const top = options.top ?? null;
  return {
    unit: options.unit,
    top,
    sort: options.sort ?? (top === null ? 'order' : 'duration'),
    depth: options.depth ?? null,
    filter: options.filter ?? null,
    raw: options.raw ?? false,
    metric: options.metric,
    width: toStdout ? terminalWidth() : null,
    color: toStdout && wantsColor(process.stdout),
  };
}

const isDocument = (output: Output): output is OutputOf<FormatName> => output.format !== 'qrhi';

/** Writes every report, the others also when one fails; then throws what went wrong first. */
export async function writeReports(
  report: Report,
  outputs: readonly Output[],
  options: ReplayOptions,
  shown: Pick<ReportOptions, 'resources' | 'thumbnails'>,
): Promise<void> {
  const { formats } = await import('../report/formats.ts');
  await writeOutputs(outputs.filter(isDocument), ({ format, path }) =>
    formats[format](report, { ...reportOptions(options, path), ...shown }),
  );
}
