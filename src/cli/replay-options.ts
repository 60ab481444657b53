import { type Command, Option } from 'commander';
import type { Api, DriverName } from '../gl/context.ts';
import { qrhiPort } from '../model/qrhi/ops.ts';
import type { BracketUnit, TimerMethodName } from '../model/sample.ts';
import type { DurationUnit } from '../model/units.ts';
import type { FormatName } from '../report/formats.ts';
import type { Metric, ReportOptions } from '../report/options.ts';
import {
  countFrom,
  defaultTimeoutSeconds,
  frameNumber,
  lingerSeconds,
  patterns,
  seconds,
  softwareThreads,
} from './option-values.ts';
import { type ViewerAddress, viewerAddress } from './viewer-connection.ts';

/** What the user asked of `gpuprof replay`, checked. */
export interface ReplayOptions {
  readonly driver: DriverName | 'auto';
  readonly browser?: string;
  readonly api?: Api;
  readonly softwareThreads: number | 'default';
  /** Seconds. */
  readonly timeout: number;
  readonly frame: number | 'all';
  readonly timer: TimerMethodName | 'auto';
  readonly per: BracketUnit;
  readonly runs?: number;
  readonly warmup?: number;
  readonly budget?: number;
  /** Patterns of counters (select-counters.ts). */
  readonly counters?: readonly string[];
  /** False with `--no-timing`. */
  readonly timing: boolean;
  readonly verify?: boolean;
  readonly tolerance?: number;
  readonly screenshot?: string;
  /** A folder for the files, or true for the HTML report alone. */
  readonly thumbnails?: string | true;
  readonly thumbnailSize: number;
  readonly format: FormatName | 'qrhi';
  readonly output: string;
  readonly table?: string;
  readonly csv?: string;
  readonly json?: string;
  readonly markdown?: string;
  readonly perfetto?: string;
  readonly speedscope?: string;
  /** Record when events happen, for JSON; what is written for Perfetto has it whatever this says. */
  readonly timeline?: boolean;
  readonly html?: string;
  readonly qrhi?: string;
  readonly qrhiInterval?: number;
  readonly qrhiQt: '5' | '6';
  readonly qrhiEvents?: boolean;
  readonly qrhiConnect?: ViewerAddress;
  readonly qrhiLinger?: number;
  readonly unit: DurationUnit | 'auto';
  readonly metric: Metric;
  readonly raw?: boolean;
  readonly top?: number;
  readonly sort?: ReportOptions['sort'];
  readonly depth?: number;
  readonly filter?: string;
}

/** Of `--timer` and `--per`. */
export const timerChoices = ['auto', 'elapsed', 'timestamp', 'finish'];
export const bracketChoices = ['draw', 'pass', 'marker', 'frame'];

const formatChoices = ['table', 'csv', 'json', 'markdown', 'perfetto', 'speedscope', 'html', 'qrhi'];
export const driverChoices = ['auto', 'egl', 'headless-gl', 'swiftshader'];
/** More would be no use, and a number of this size still is one. */
const most = 1_000_000;

export const choice = (flags: string, description: string, choices: readonly string[], preset?: string): Option => {
  const option = new Option(flags, description).choices(choices);
  return preset === undefined ? option : option.default(preset);
};

export const timeoutOption = (work = 'a replay'): Option =>
  new Option('--timeout <seconds>', `end ${work} in which nothing moves for so long`)
    .argParser(seconds)
    .default(defaultTimeoutSeconds);

export function addReplayOptions(command: Command): Command {
  return command
    .optionsGroup('Replay:')
    .addOption(choice('--driver <driver>', 'where the GL context comes from', driverChoices, 'auto'))
    .option(
      '--browser <path>',
      'for --driver swiftshader: the Chromium or Chrome (program or folder) that recorded (default: on PATH)',
    )
    .addOption(choice('--api <api>', 'OpenGL ES or desktop OpenGL (default: what the capture needs)', ['es', 'gl']))
    .option('--frame <n>', 'which frame, from 1, or all', frameNumber, 'all' as const)
    .option('--software-threads <n>', 'worker threads of a software renderer: 0 to 16, or default', softwareThreads, 0)
    .addOption(timeoutOption())
    .option('--verify', "compare the canvas with the capture's reference picture; exit 1 when it is not the same")
    .option(
      '--tolerance <levels>',
      'levels of 255 by which a channel may differ (default: 0, 3 on another renderer)',
      countFrom(0, 255),
    )
    .option('--screenshot <file>', 'write the replayed canvas as a PNG')
    .option(
      '--thumbnails [folder]',
      'show what each action wrote in a small picture in the HTML report, and as a PNG in the folder',
    )
    .option('--thumbnail-size <pixels>', 'their longest side', countFrom(8, 1024), 160)
    .option('--no-timing', 'time nothing: play each frame once, or what --counters, --verify and --screenshot need')
    .optionsGroup('Measurement:')
    .addOption(choice('--timer <method>', 'how brackets are timed', timerChoices, 'auto'))
    .addOption(choice('--per <unit>', 'what one bracket encloses', bracketChoices, 'draw'))
    .option('--runs <n>', 'measured runs (default: until the median settles)', countFrom(1, most))
    .option('--warmup <n>', 'runs before those that count (default: up to 2)', countFrom(0, most))
    .option(
      '--budget <seconds>',
      'without --runs: time for a frame after which no further run begins (default: 1)',
      seconds,
    )
    .option(
      '--counters <pattern,...>',
      'counters to measure too, by source, set or name, * and ? are wild, or all (`gpuprof counters` lists them); repeatable',
      patterns,
    )
    .optionsGroup('Report:')
    .addOption(choice('--format <format>', 'format of the main output', formatChoices, 'table'))
    .option('-o, --output <file>', 'file of the main output, - for standard output', '-')
    .option('--table <file>', 'write a table there as well')
    .option('--csv <file>', 'write CSV there as well')
    .option('--json <file>', 'write JSON there as well')
    .option('--markdown <file>', 'write Markdown there as well')
    .option('--perfetto <file>', 'write a timeline of submission and execution there as well, for ui.perfetto.dev')
    .option('--speedscope <file>', 'write flame graphs there as well, for speedscope')
    .option('--timeline', 'add to JSON when each event was submitted and executed, on both clocks')
    .option('--html <file>', 'write one HTML page there as well: event tree, flame chart, samples, resources')
    .addOption(choice('--unit <unit>', 'unit of durations in tables', ['auto', 'ns', 'us', 'ms', 's'], 'auto'))
    .addOption(choice('--metric <metric>', 'what shares, order and spread rest on', ['duration', 'cpu'], 'duration'))
    .option('--raw', 'show readings as they came, the floor not subtracted')
    .addOption(
      new Option('--top <n>', 'only the N heaviest leaves, flat').argParser(countFrom(1, most)).conflicts('depth'),
    )
    .addOption(
      choice('--sort <order>', 'order of siblings (default: order, with --top duration)', ['duration', 'order']),
    )
    .option('--depth <n>', 'only so many levels below the frame', countFrom(0, most))
    .option('--filter <text>', 'only rows whose name or path contains the text, and what they stand in')
    .optionsGroup('QRhiProfiler stream:')
    .option('--qrhi <file>', "write the replay there as a stream of Qt's QRhiProfiler as well")
    .option(
      '--qrhi-connect <host[:port]>',
      `stream live to Qt's qrhiprof viewer (default port: ${qrhiPort})`,
      viewerAddress,
    )
    .option(
      '--qrhi-linger <seconds>',
      'hold that connection so long after the replay (default: until interrupted)',
      lingerSeconds,
    )
    .option(
      '--qrhi-interval <n>',
      'replay runs in one window of frame times (default: the measured runs, 120 at most)',
      countFrom(1, most),
    )
    .addOption(
      choice(
        '--qrhi-qt <version>',
        'numbers of texture formats: those of Qt 5.15 or of Qt 6; 0 for formats that have none',
        ['5', '6'],
        '5',
      ),
    )
    .option('--qrhi-events', 'add the GPU time of every event: op 16, between an op 11 and an op 12 that announce it');
}
