import { type Command, Option } from 'commander';
import type { Api, DriverName } from '../../gl/context.ts';
import type { DurationUnit } from '../../model/units.ts';
import type { CompareFormatName } from '../../report/compare/formats.ts';
import {
  countFrom,
  durationNs,
  environmentVariable,
  frameNumber,
  patterns,
  percentage,
  seconds,
  softwareThreads,
} from '../option-values.ts';
import { bracketChoices, choice, driverChoices, timeoutOption, timerChoices } from '../replay-options.ts';
import type { CompareSettings, SideReplay } from './requests.ts';

type Variables = Readonly<Record<string, string>>;

/** What the user asked of `gpuprof compare`, checked. */
export interface CompareCommandOptions extends Omit<SideReplay, 'api' | 'browser'> {
  readonly driverA?: DriverName;
  readonly driverB?: DriverName;
  readonly browser?: string;
  readonly api?: Api;
  readonly envA?: Variables;
  readonly envB?: Variables;
  readonly runs?: number;
  readonly budget: number;
  readonly threshold: number;
  readonly minChange: number;
  readonly falseAlarmRate: number;
  readonly metric: CompareSettings['metric'];
  readonly undecided: 'pass' | 'fail';
  /** False with `--no-counters`. */
  readonly counters?: readonly string[] | false;
  readonly countersOnly?: boolean;
  readonly format: CompareFormatName;
  readonly output: string;
  readonly table?: string;
  readonly csv?: string;
  readonly json?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly reportA?: string;
  readonly reportB?: string;
  readonly all?: boolean;
  readonly top?: number;
  readonly unit: DurationUnit | 'auto';
}

const most = 1_000_000;
const realDrivers = driverChoices.filter((name) => name !== 'auto');

export function addCompareOptions(command: Command): Command {
  return command
    .optionsGroup('Replay, of sides that are captures:')
    .addOption(choice('--driver <driver>', 'where the GL context comes from', driverChoices, 'auto'))
    .addOption(choice('--driver-a <driver>', 'for the base side', realDrivers))
    .addOption(choice('--driver-b <driver>', 'for the new side', realDrivers))
    .option('--env-a <name=value>', "a variable of the base side's process; repeatable", environmentVariable)
    .option('--env-b <name=value>', "a variable of the new side's process; repeatable", environmentVariable)
    .option('--browser <path>', 'for swiftshader: the Chromium or Chrome that recorded (default: on PATH)')
    .addOption(choice('--api <api>', 'OpenGL ES or desktop OpenGL (default: what the capture needs)', ['es', 'gl']))
    .option('--frame <n>', 'which frame, from 1, or all', frameNumber, 'all' as const)
    .option('--software-threads <n>', 'worker threads of a software renderer: 0 to 16, or default', softwareThreads, 0)
    .addOption(timeoutOption())
    .optionsGroup('Measurement, of sides that are captures:')
    .addOption(choice('--timer <method>', 'how brackets are timed', timerChoices, 'auto'))
    .addOption(choice('--per <unit>', 'what one bracket encloses', bracketChoices, 'draw'))
    .option('--runs <n>', 'pairs of runs (default: until everything is decided)', countFrom(1, most))
    .option('--warmup <n>', 'runs before those that count (default: 3)', countFrom(0, most))
    .option('--budget <seconds>', 'time for all after which no further run begins', seconds, 60)
    .option(
      '--counters <pattern,...>',
      'counters to compare (`gpuprof counters` lists them; default: statistics,memory, and all of a report); repeatable',
      patterns,
    )
    .option('--no-counters', 'compare times alone')
    .option('--counters-only', 'time nothing and compare work alone: across renderers, too')
    .optionsGroup('Verdict:')
    .addOption(
      new Option('--threshold <percent>', 'smallest change of a time that matters')
        .argParser(percentage(10))
        .default(0.05, '5%'),
    )
    .addOption(new Option('--min-change <duration>', 'and at least this').argParser(durationNs).default(50_000, '50us'))
    .addOption(
      new Option('--false-alarm-rate <percent>', 'highest probability of any false verdict on time, of two captures')
        .argParser(percentage(0.5))
        .default(0.01, '1%'),
    )
    .addOption(
      choice(
        '--metric <metric>',
        'what verdicts on time rest on; auto: cpu on software renderers, duration on hardware',
        ['auto', 'duration', 'cpu'],
        'auto',
      ),
    )
    .addOption(choice('--undecided <as>', 'what an undecided event counts as', ['pass', 'fail'], 'pass'))
    .optionsGroup('Report:')
    .addOption(
      choice('--format <format>', 'format of the main output', ['table', 'markdown', 'csv', 'json', 'html'], 'table'),
    )
    .option('-o, --output <file>', 'file of the main output, - for standard output', '-')
    .option('--table <file>', 'write a table there as well')
    .option('--markdown <file>', 'write Markdown there as well')
    .option('--csv <file>', 'write CSV there as well')
    .option('--json <file>', 'write JSON there as well')
    .option('--html <file>', 'write a page for a browser there as well')
    .option('--report-a <file>', "write the base side's own report there (JSON)")
    .option('--report-b <file>', "write the new side's own report there (JSON)")
    .option('--all', 'show what did not change, too')
    .option('--top <n>', 'only the N largest changes, flat', countFrom(1, most))
    .addOption(choice('--unit <unit>', 'unit of durations in tables', ['auto', 'ns', 'us', 'ms', 's'], 'auto'));
}
