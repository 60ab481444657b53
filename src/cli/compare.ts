import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { lostCounters } from '../analysis/compare/lost-counters.ts';
import { noVerdict } from '../analysis/compare/no-verdict.ts';
import { GpuprofError } from '../errors.ts';
import type { Comparison } from '../model/comparison.ts';
import { findings } from '../model/findings.ts';
import type { CompareFormatName } from '../report/compare/formats.ts';
import type { CompareFormat } from '../report/compare/options.ts';
import { printable } from '../report/printable.ts';
import { addCompareOptions, type CompareCommandOptions } from './compare/compare-options.ts';
import type { ComparedSides, CompareSettings, SideRequest } from './compare/requests.ts';
import { writeOutput } from './output.ts';
import { startProgress } from './progress.ts';
import { type OutputOf, planOutputs, writeAndJudge, writeOutputs } from './report-outputs.ts';
import { say } from './say.ts';
import { terminalWidth, wantsColor } from './terminal.ts';

const formatNames = ['table', 'markdown', 'csv', 'json', 'html'] as const satisfies readonly CompareFormatName[];
/** Work, which costs little to count, and memory. */
const defaultCounters = ['statistics', 'memory'];

type Kind = 'capture' | 'report';

/** Refuses options that have nothing to work on. */
function checkUsage(options: CompareCommandOptions, command: Command, kinds: readonly [Kind, Kind]): void {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli';
  const refuse = (message: string, hint: string) => {
    throw new GpuprofError('bad-usage', message, { hint });
  };
  const { driver, driverA, driverB } = options;
  for (const [side, kind, driverName, envName] of [
    ['base', kinds[0], 'driverA', 'envA'],
    ['new', kinds[1], 'driverB', 'envB'],
  ] as const)
    for (const name of [driverName, envName])
      if (kind === 'report' && given(name))
        refuse(
          `--${name.replace(/[AB]$/, (letter) => `-${letter.toLowerCase()}`)} is for captures`,
          `${side} is a report`,
        );
  if (options.browser !== undefined && ![driver, driverA, driverB].includes('swiftshader'))
    refuse('--browser is for --driver swiftshader', 'add --driver swiftshader');
  if (!options.countersOnly) return;
  if (options.counters === false) refuse('--counters-only and --no-counters leave nothing', 'leave one of them out');
  const timed = [
    ['metric', '--metric'],
    ['runs', '--runs'],
    ['timer', '--timer'],
  ].find(([name]) => given(name));
  if (timed) refuse(`${timed[1]} is about times, which --counters-only leaves out`, 'leave one of them out');
}

/** What each side is called: its file, with its driver and variables where the files are the same. */
function labelsOf(files: readonly [string, string], options: CompareCommandOptions): [string, string] {
  const names = files.map((file) => basename(file));
  if (names[0] !== names[1]) return [names[0], names[1]];
  const settings = (driver: string | undefined, env: Readonly<Record<string, string>> | undefined) =>
    [driver, ...Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`)].filter(Boolean).join(', ');
  const told = [settings(options.driverA, options.envA), settings(options.driverB, options.envB)];
  if (told[0] === told[1]) return files[0] === files[1] ? [names[0], names[1]] : [files[0], files[1]];
  const [base, next] = told.map((text, side) => (text === '' ? names[side] : `${names[side]} (${text})`));
  return [base, next];
}

function requestsOf(files: readonly [string, string], options: CompareCommandOptions): [SideRequest, SideRequest] {
  const { driver, browser, api, softwareThreads, timeout, frame, timer, per, warmup } = options;
  const labels = labelsOf(files, options);
  const side = (index: 0 | 1, own: typeof options.driverA, env: SideRequest['env'] = {}): SideRequest => ({
    file: files[index],
    label: labels[index],
    env,
    replay: { driver: own ?? driver, browser, api, softwareThreads, timeout, frame, timer, per, warmup },
  });
  return [side(0, options.driverA, options.envA), side(1, options.driverB, options.envB)];
}

const settingsOf = (options: CompareCommandOptions, pictures: boolean): CompareSettings => ({
  metric: options.metric,
  threshold: options.threshold,
  minChangeNs: options.minChange,
  falseAlarmRate: options.falseAlarmRate,
  budgetSeconds: options.budget,
  runs: options.runs,
  counters: options.counters === false ? undefined : (options.counters ?? defaultCounters),
  readCounters: options.counters === false ? [] : options.counters,
  countersOnly: options.countersOnly ?? false,
  pictures,
});

/** A side's own report: of one that was read, the file as it is. */
const reportText = async ({ reports }: ComparedSides, side: 0 | 1, files: readonly string[], kinds: readonly Kind[]) =>
  kinds[side] === 'report' ? [await readFile(files[side])] : (await import('../report/json.ts')).json(reports[side]);

async function writeAll(
  result: ComparedSides,
  files: readonly string[],
  kinds: readonly Kind[],
  outputs: readonly OutputOf<CompareFormatName>[],
  options: CompareCommandOptions,
): Promise<void> {
  const { comparison, canvases } = result;
  const { compareFormats } = await import('../report/compare/formats.ts');
  const formats = new Map<CompareFormatName, CompareFormat>();
  for (const { format } of outputs) formats.set(format, await compareFormats[format]());
  const pictures = canvases && (await import('./compare/pictures.ts')).comparedPictures(...canvases);
  if (options.reportA !== undefined) await writeOutput(options.reportA, await reportText(result, 0, files, kinds));
  if (options.reportB !== undefined) await writeOutput(options.reportB, await reportText(result, 1, files, kinds));
  await writeOutputs(outputs, ({ format, path }) =>
    formats.get(format)!(comparison, {
      unit: options.unit,
      width: path === '-' ? terminalWidth() : null,
      color: path === '-' && wantsColor(process.stdout),
      all: options.all ?? false,
      top: options.top ?? null,
      pictures: pictures ?? undefined,
    }),
  );
}

/** What to do about times that say too little. */
function timeRemedy({ settings }: Comparison, options: CompareCommandOptions, wantedBudget: number | null): string {
  if (options.runs !== undefined) return 'raise --runs, or leave it out';
  if (wantedBudget !== null) return `give it --budget ${wantedBudget}`;
  return settings.interleaved
    ? 'give it a longer --budget, or another --metric'
    : 'compare the captures, or reports of more runs';
}

/**
 * Throws what the exit code tells: what got worse, or is undecided where that fails (1), or that a side was lost, or nothing
 * could be compared of what was asked for (3).
 */
function judge({ comparison, wantedBudget, lost: lostSide }: ComparedSides, options: CompareCommandOptions): void {
  if (lostSide) {
    const { pairs } = comparison.settings;
    const kept = `${pairs} ${pairs === 1 ? 'pair of runs is' : 'pairs of runs are'} in the report`;
    throw new GpuprofError(lostSide.code, `${lostSide.message}; ${kept}`, { hint: lostSide.hint, cause: lostSide });
  }
  const { counters, settings } = comparison;
  const found = findings(comparison);
  const worse = found.filter(({ isWorse }) => isWorse);
  if (worse.length > 0) {
    const more = worse.length > 1 ? `, and ${worse.length - 1} more` : '';
    const isUnsure = !settings.interleaved && worse.every(({ time }) => time !== null);
    throw new GpuprofError('verification-failed', `it got worse: ${worse[0].message}${more}`, {
      hint: isUnsure
        ? 'separate sittings can differ by as much: compare the captures themselves to be sure'
        : undefined,
    });
  }
  if (!options.countersOnly && settings.metric === null)
    throw new GpuprofError('cannot-measure', `times were not compared: ${settings.why}`, {
      hint: '--counters-only compares work alone',
    });
  const areAsked = options.countersOnly === true || Array.isArray(options.counters);
  if (counters.length === 0 && areAsked)
    throw new GpuprofError('cannot-measure', 'no counter could be compared', {
      hint: '`gpuprof counters` lists what can be counted here',
    });
  const lost = lostCounters(comparison, areAsked);
  if (lost !== null)
    throw new GpuprofError('cannot-measure', `not all counters could be compared: ${lost}`, {
      hint: areAsked
        ? '`gpuprof counters` lists what can be counted here; --counters names those to compare'
        : '--counters names those to compare, --no-counters compares times alone',
    });
  const unknown = options.countersOnly ? null : noVerdict(comparison);
  if (unknown !== null)
    throw new GpuprofError('cannot-measure', `there is no verdict on time: ${unknown}`, {
      hint: timeRemedy(comparison, options, wantedBudget),
    });
  const undecided = found.filter(({ kind }) => kind === 'undecided').length;
  if (undecided === 0) return;
  const message = `nothing got worse, but ${undecided === 1 ? '1 event is' : `${undecided} events are`} undecided`;
  const remedy = timeRemedy(comparison, options, wantedBudget);
  if (options.undecided === 'fail') throw new GpuprofError('verification-failed', message, { hint: remedy });
  say(`${message}${wantedBudget === null ? '' : `; ${remedy}`}`);
}

async function compare(base: string, next: string | undefined, options: CompareCommandOptions, command: Command) {
  const files = [base, next ?? base] as const;
  const differs = ['driverA', 'driverB', 'envA', 'envB'].some((name) => command.getOptionValueSource(name) === 'cli');
  if (next === undefined && !differs)
    throw new GpuprofError('bad-usage', 'there is nothing to compare it with', {
      hint: 'name a second capture or report, or what differs: --driver-b or --env-b',
    });
  if (files.includes('-'))
    throw new GpuprofError('bad-usage', 'a side is a file: none is read from standard input', {
      hint: 'write the report to a file first: gpuprof replay --json report.json',
    });
  const mainWasAsked = ['format', 'output'].some((name) => command.getOptionValueSource(name) === 'cli');
  const outputs = planOutputs(formatNames, options, mainWasAsked, files, [options.reportA, options.reportB]);
  const [{ kindOfSide }, { compareSides }] = await Promise.all([
    import('./compare/read-report.ts'),
    import('./compare/compare-sides.ts'),
  ]);
  const kinds = [await kindOfSide(files[0]), await kindOfSide(files[1])] as const;
  checkUsage(options, command, kinds);
  const [left, right] = requestsOf(files, options);
  const progress = await startProgress(`comparing ${printable(left.label)} and ${printable(right.label)}`);
  const printed = { ...progress, update: (text: string) => progress.update(printable(text)) };
  const settings = settingsOf(
    options,
    outputs.some(({ format }) => format === 'html'),
  );
  const result = await compareSides(left, right, settings, printed).finally(() => progress.stop());
  await writeAndJudge(
    () => writeAll(result, files, kinds, outputs, options),
    () => judge(result, options),
  );
}

/** `gpuprof compare`: two captures or reports, event by event. */
export function compareCommand(): Command {
  const command = new Command('compare')
    .argument('<base>', 'a capture (.cap), or a report (JSON of gpuprof replay)')
    .argument('[new]', 'another; without it, the same capture with --driver-a/-b or --env-a/-b')
    .addHelpText(
      'after',
      `
Two captures are replayed by turns until every event is decided: slower, faster, the same, or undecided when the
budget ends. What is slower or faster is measured once more by fresh processes before it is told.

Examples:
  $ gpuprof compare before.cap after.cap                     both replayed by turns in one sitting
  $ gpuprof compare baseline.json after.cap                  a capture against a report of an earlier day
  $ gpuprof compare before.cap after.cap --counters-only     work alone, exactly: no noise, a few seconds
  $ gpuprof compare scene.cap --env-b LP_NUM_THREADS=2       one capture in two environments
  $ gpuprof compare scene.cap --driver-b headless-gl --counters-only
  $ gpuprof compare a.cap b.cap --markdown change.md --json change.json
  $ gpuprof compare a.cap b.cap --html change.html           a page with both pictures and their difference

Exit codes: 0 nothing got worse (what is undecided is told), 1 something got slower or heavier, or is new work, or with
--undecided fail an event is undecided, 2 bad usage or bad input, 3 this machine cannot measure it, no event could be
decided, or new lacks counters that base has.`,
    );
  return addCompareOptions(command).action(compare);
}
