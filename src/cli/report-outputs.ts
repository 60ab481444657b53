import { GpuprofError } from '../errors.ts';
import type { Report } from '../model/report.ts';
import type { FormatName } from '../report/formats.ts';
import type { ReportOptions } from '../report/options.ts';
import { checkOutput, isSameFile, writeOutput } from './output.ts';
import type { ReplayOptions } from './replay-options.ts';
import { terminalWidth, wantsColor } from './terminal.ts';

export interface Output {
  /** A stream is written while the replay goes on (replay-qrhi.ts). */
  readonly format: FormatName | 'qrhi';
  /** `-` is standard output. */
  readonly path: string;
}

const isOnePlace = (left: string, right: string): boolean =>
  left === '-' || right === '-' ? left === right : isSameFile(left, right);

const formatNames: readonly Output['format'][] = ['table', 'csv', 'json', 'markdown', 'qrhi'];

/**
 * The main output and those beside it. The main output makes way when nothing was said about it and another is sent to
 * standard output. Throws GpuprofError `bad-usage` when two go to one place, `output-failed` for places not writable.
 */
export function planOutputs(options: ReplayOptions, mainWasAsked: boolean, input: string): Output[] {
  const beside = formatNames.flatMap((format): Output[] => {
    const path = options[format];
    return path === undefined ? [] : [{ format, path }];
  });
  const main: Output = { format: options.format, path: options.output };
  const outputs = !mainWasAsked && beside.some(({ path }) => path === '-') ? beside : [main, ...beside];
  const places = [...outputs.map(({ path }) => path), ...(options.screenshot ? [options.screenshot] : [])];
  for (const [index, place] of places.entries())
    if (places.slice(0, index).some((other) => isOnePlace(place, other))) {
      const where = place === '-' ? 'standard output' : place;
      throw new GpuprofError('bad-usage', `two outputs go to ${where}`, { hint: 'give each a file of its own' });
    }
  for (const place of places) checkOutput(place, input);
  return outputs;
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

/** Writes every report, the others also when one fails; then throws what went wrong first. */
export async function writeReports(report: Report, outputs: readonly Output[], options: ReplayOptions): Promise<void> {
  const { formats } = await import('../report/formats.ts');
  const failures: unknown[] = [];
  for (const { format, path } of outputs) {
    if (format === 'qrhi') continue;
    try {
      await writeOutput(path, formats[format](report, reportOptions(options, path)));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
