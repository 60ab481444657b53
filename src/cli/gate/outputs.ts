/** Where a gate's result goes: options of `gate` and `merge`, and the writing. */
import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { GpuprofError } from '../../errors.ts';
import type { GateResult } from '../../model/gate.ts';
import type { GateFormatName } from '../../report/ci/formats.ts';
import type { GateFormat, GateReportOptions } from '../../report/ci/options.ts';
import { checkOutput, isSameFile, outputFailure, writeOutput } from '../output.ts';
import { terminalWidth, wantsColor } from '../terminal.ts';

export interface OutputOptions {
  readonly table?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly comment?: string;
  readonly benchmark?: string;
  /** True for the file that GitHub names. */
  readonly summary?: string | true;
  /** Undefined: where GitHub runs it. */
  readonly github?: boolean;
  readonly all?: boolean;
}

export function addOutputOptions(command: Command): Command {
  return command
    .optionsGroup('Results (each is written before the exit):')
    .option('--table <file>', 'write the table there, instead of to standard output')
    .option('--json <file>', 'write everything as JSON, which gpuprof merge reads')
    .option('--junit <file>', 'write JUnit XML')
    .option('--comment <file>', 'write Markdown for a comment on a pull request')
    .option('--benchmark <file>', 'write JSON for benchmark-tracking actions')
    .option(
      '--summary [file]',
      'write Markdown for a step summary (default: to $GITHUB_STEP_SUMMARY, added to what is there)',
    )
    .option('--github', 'print GitHub annotations, and add to the step summary (default: where GITHUB_ACTIONS is true)')
    .option('--no-github', 'neither of them')
    .option('--all', 'show checks that pass as well');
}

interface Place {
  readonly format: GateFormatName;
  /** `-` is standard output. */
  readonly path: string;
  /** To what is there. */
  readonly isAdded: boolean;
}

export interface PlannedOutputs {
  readonly places: readonly Place[];
  readonly annotations: 'stdout' | 'stderr' | null;
  readonly all: boolean;
}

const fileFormats = ['table', 'json', 'junit', 'comment', 'benchmark'] as const;

function summaryPlace({ summary }: OutputOptions, onGithub: boolean): Place[] {
  const format = 'summary';
  if (typeof summary === 'string') return [{ format, path: summary, isAdded: false }];
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (path) return summary === true || onGithub ? [{ format, path, isAdded: true }] : [];
  if (summary === undefined) return [];
  throw new GpuprofError('bad-usage', '--summary without a file is for GitHub, and GITHUB_STEP_SUMMARY is not set', {
    hint: 'name a file: --summary summary.md',
  });
}

/**
 * Where everything goes; the table goes to standard output unless something else does. Throws GpuprofError `bad-usage` when
 * two go to one place, `output-failed` for places that cannot be written; costs nothing and leaves nothing.
 */
export function planOutputs(options: OutputOptions, inputs: readonly string[]): PlannedOutputs {
  const onGithub = options.github ?? process.env.GITHUB_ACTIONS === 'true';
  const named = fileFormats.flatMap((format): Place[] => {
    const path = options[format];
    return path === undefined ? [] : [{ format, path, isAdded: false }];
  });
  const files = [...named, ...summaryPlace(options, onGithub)];
  const takesStdout = options.table !== undefined || files.some(({ path }) => path === '-');
  const places = takesStdout ? files : [{ format: 'table' as const, path: '-', isAdded: false }, ...files];
  for (const [index, { path }] of places.entries()) {
    const isTaken = (other: Place) =>
      path === '-' || other.path === '-' ? path === other.path : isSameFile(path, other.path);
    if (places.slice(0, index).some(isTaken)) {
      const where = path === '-' ? 'standard output' : path;
      throw new GpuprofError('bad-usage', `two outputs go to ${where}`, { hint: 'give each a file of its own' });
    }
    for (const input of inputs.length > 0 ? inputs : ['']) checkOutput(path, input);
  }
  const isPlain = places.every(({ format, path }) => path !== '-' || format === 'table');
  return { places, annotations: onGithub ? (isPlain ? 'stdout' : 'stderr') : null, all: options.all ?? false };
}

const reportOptions = (path: string, all: boolean): GateReportOptions => ({
  unit: 'auto',
  width: path === '-' ? terminalWidth() : null,
  color: path === '-' && wantsColor(process.stdout),
  all,
});

/** Adds to a file that others write to as well. */
function add(path: string, chunks: Iterable<string>): void {
  try {
    appendFileSync(path, [...chunks].join(''));
  } catch (error) {
    throw outputFailure(path, error);
  }
}

/** Writes everything, the others also when one fails; then throws what went wrong. */
export async function writeOutputs(result: GateResult, { places, annotations, all }: PlannedOutputs): Promise<void> {
  const { gateFormats } = await import('../../report/ci/formats.ts');
  const formats: Readonly<Record<GateFormatName, GateFormat>> = gateFormats;
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  for (const { format, path, isAdded } of places)
    await attempt(() => {
      const chunks = formats[format](result, reportOptions(path, all));
      return isAdded ? add(path, chunks) : writeOutput(path, chunks);
    });
  if (annotations !== null)
    await attempt(async () => {
      const chunks = formats.github(result, reportOptions('', all));
      if (annotations === 'stdout') await writeOutput('-', chunks);
      else process.stderr.write([...chunks].join(''));
    });
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures);
}

/**
 * 1 when anything failed: that is known for certain. Else 3 when anything could not be measured; else 0, also for warnings
 * and for what the runs do not decide.
 */
export const exitCodeOf = ({ level }: GateResult): number => (level === 'fail' ? 1 : level === 'unmeasured' ? 3 : 0);
