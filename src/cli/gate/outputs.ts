/** Where a gate's result goes: options of `gate` and `merge`, and the writing. */
import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { outputFailure } from '../../capture/whole-file.ts';
import { GpuprofError } from '../../errors.ts';
import type { GateCapture, GateResult } from '../../model/gate.ts';
import type { GateFormatName } from '../../report/ci/formats.ts';
import type { GateReportOptions } from '../../report/ci/options.ts';
import { writeOutput } from '../output.ts';
import { type OutputOf, planOutputs as planFiles, writeOutputs as writeFiles } from '../report-outputs.ts';
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
    .option('--table <file>', 'write the table there as well')
    .option('--json <file>', 'write everything as JSON, which gpuprof merge reads')
    .option('--junit <file>', 'write JUnit XML')
    .option('--comment <file>', 'write Markdown for a comment on a pull request')
    .option('--benchmark <file>', 'write JSON for benchmark-tracking actions')
    .option(
      '--summary [file]',
      'write Markdown for a step summary (default: to $GITHUB_STEP_SUMMARY, added to what is there)',
    )
    .option(
      '--github',
      'print GitHub annotations, and add to the step summary (default: where GITHUB_ACTIONS is true; of a shard the ' +
        'annotations alone, and merge tells of the rest)',
    )
    .option('--no-github', 'neither of them')
    .option('--all', 'show checks that pass as well');
}

const formatNames = ['table', 'json', 'junit', 'comment', 'benchmark', 'summary'] as const;

export interface PlannedOutputs {
  readonly outputs: readonly OutputOf<(typeof formatNames)[number]>[];
  /** The step summary, which other steps write to as well. */
  readonly addedTo: string | null;
  readonly annotations: 'stdout' | 'stderr' | null;
  /** Whether annotations are about every capture, or only about those that no gate could annotate. */
  readonly annotatesAll: boolean;
  readonly all: boolean;
}

/** What writes a result: a gate of all captures, one of a part of them, or the merging of such. */
export type Writer = 'gate' | 'shard' | 'merge';

/** Those of shards would stand beside the one that merge writes. */
function stepSummary({ summary, github }: OutputOptions, onGithub: boolean, writer: Writer): string | null {
  if (typeof summary === 'string') return null;
  if (writer === 'shard' && summary === undefined && github === undefined) return null;
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (path) return summary === true || onGithub ? path : null;
  if (summary === undefined) return null;
  throw new GpuprofError('bad-usage', '--summary without a file is for GitHub, and GITHUB_STEP_SUMMARY is not set', {
    hint: 'name a file: --summary summary.md',
  });
}

/**
 * Where everything goes; the table goes to standard output unless something else does. Throws GpuprofError `bad-usage` when
 * two go to one place, `output-failed` for places that cannot be written; costs nothing and leaves nothing.
 */
export function planOutputs(options: OutputOptions, inputs: readonly string[], writer: Writer): PlannedOutputs {
  const onGithub = options.github ?? process.env.GITHUB_ACTIONS === 'true';
  const addedTo = stepSummary(options, onGithub, writer);
  const { summary, ...files } = options;
  const named = { ...files, ...(typeof summary === 'string' && { summary }), format: 'table', output: '-' } as const;
  const outputs = planFiles(formatNames, named, false, inputs, addedTo === null ? [] : [addedTo]);
  const isPlain = outputs.every(({ format, path }) => path !== '-' || format === 'table');
  return {
    outputs,
    addedTo,
    annotations: onGithub ? (isPlain ? 'stdout' : 'stderr') : null,
    annotatesAll: writer !== 'merge' || options.github === true,
    all: options.all ?? false,
  };
}

const reportOptions = (path: string, all: boolean, annotated: GateReportOptions['annotated']): GateReportOptions => ({
  unit: 'auto',
  width: path === '-' ? terminalWidth() : null,
  color: path === '-' && wantsColor(process.stdout),
  all,
  annotated,
});

function add(path: string, chunks: Iterable<string>): void {
  try {
    appendFileSync(path, [...chunks].join(''));
  } catch (error) {
    throw outputFailure(path, error);
  }
}

/**
 * Writes everything, the others also when one fails; then throws what went wrong. `missing`: the captures that no gate has
 * annotated.
 */
export async function writeOutputs(
  result: GateResult,
  planned: PlannedOutputs,
  missing: readonly GateCapture[] = [],
): Promise<void> {
  const { outputs, addedTo, annotations, annotatesAll, all } = planned;
  const { gateFormats } = await import('../../report/ci/formats.ts');
  const rendered = (format: GateFormatName, path: string) =>
    gateFormats[format](result, reportOptions(path, all, annotatesAll ? null : missing));
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt(() => writeFiles(outputs, ({ format, path }) => rendered(format, path)));
  await attempt(() => {
    if (addedTo !== null) add(addedTo, rendered('summary', addedTo));
  });
  await attempt(async () => {
    if (annotations === 'stdout') await writeOutput('-', rendered('github', ''));
    if (annotations === 'stderr') process.stderr.write([...rendered('github', '')].join(''));
  });
  if (failures.length === 0) return;
  // A full disk hides no verdict.
  if (result.level === 'fail') failures.push(new GpuprofError('verification-failed', 'the gate failed'));
  throw new AggregateError(failures);
}

/**
 * 1 when anything failed: that is known for certain. Else 3 when anything could not be measured; else 0, also for warnings
 * and for what the runs do not decide.
 */
export const exitCodeOf = ({ level }: GateResult): number => (level === 'fail' ? 1 : level === 'unmeasured' ? 3 : 0);
