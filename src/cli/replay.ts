import { Command } from 'commander';
import { aboutFile, GpuprofError } from '../errors.ts';
import type { Capture } from '../model/capture.ts';
import type { ResourceSize } from '../model/life/resource-sizes.ts';
import { waitAtMost } from '../model/position.ts';
import type { GlErrorReport } from '../model/report.ts';
import { printable } from '../report/printable.ts';
import { note } from './isolation/notebook.ts';
import { checkOutput, writeOutput } from './output.ts';
import { startProgress } from './progress.ts';
import type { ReplayResult } from './replay-capture.ts';
import { addReplayOptions, type ReplayOptions } from './replay-options.ts';
import { type Output, planOutputs, writeAndJudge, writeReports } from './report-outputs.ts';
import { say, sayLine } from './say.ts';
import { checkFolder } from './thumbnail-folder.ts';
import type { ThumbnailRequest } from './thumbnails.ts';

interface Sizes {
  /** For HTML only. */
  readonly resources: readonly ResourceSize[] | undefined;
}

const mostErrorsListed = 20;
const longestCall = 300;

function sayErrors(errors: readonly GlErrorReport[]): void {
  for (const { frame, eventId, call, error, count } of errors.slice(0, mostErrorsListed)) {
    const place = frame === null ? `setup call ${eventId}` : `frame ${frame}, event ${eventId}`;
    const times = count > 1 ? ` (${count} times)` : '';
    const what = call.length > longestCall ? `${call.slice(0, longestCall)}…` : call;
    sayLine(`GL error: ${place}: ${what} raised ${error}${times}`);
  }
  if (errors.length > mostErrorsListed)
    sayLine(`GL error: ${errors.length - mostErrorsListed} more; --json has them all`);
}

const outputFormats = ['table', 'csv', 'json', 'markdown', 'perfetto', 'speedscope', 'html', 'qrhi'] as const;

/** Those that have nothing to show without times. */
const timeFormats = ['perfetto', 'speedscope'] as const;

const streamOptions = [
  ['qrhiInterval', '--qrhi-interval'],
  ['qrhiQt', '--qrhi-qt'],
  ['qrhiEvents', '--qrhi-events'],
] as const;

const asksForHtml = ({ format, html }: ReplayOptions): boolean => format === 'html' || html !== undefined;

/** Refuses options that have nothing to work on. */
function checkUsage(options: ReplayOptions, command: Command): void {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli';
  if (options.tolerance !== undefined && !options.verify)
    throw new GpuprofError('bad-usage', '--tolerance is for --verify', { hint: 'add --verify' });
  if (options.browser !== undefined && options.driver !== 'swiftshader')
    throw new GpuprofError('bad-usage', '--browser is for --driver swiftshader', { hint: 'add --driver swiftshader' });
  const streams = options.format === 'qrhi' || options.qrhi !== undefined || options.qrhiConnect !== undefined;
  const ofStream = streamOptions.find(([name]) => given(name));
  if (ofStream && !streams)
    throw new GpuprofError('bad-usage', `${ofStream[1]} is for QRhiProfiler streams`, {
      hint: 'add --format qrhi, --qrhi or --qrhi-connect',
    });
  if (options.qrhiLinger !== undefined && options.qrhiConnect === undefined)
    throw new GpuprofError('bad-usage', '--qrhi-linger is for --qrhi-connect', { hint: 'add --qrhi-connect' });
  if (options.thumbnails === undefined && given('thumbnailSize'))
    throw new GpuprofError('bad-usage', '--thumbnail-size is for --thumbnails', { hint: 'add --thumbnails' });
  if (options.thumbnails === true && !asksForHtml(options))
    throw new GpuprofError('bad-usage', '--thumbnails without a folder is for the HTML report', {
      hint: 'add --html FILE, or name a folder after --thumbnails',
    });
  if (options.timing) return;
  if (options.metric === 'cpu')
    throw new GpuprofError('bad-usage', '--metric cpu is about times, which --no-timing leaves out');
  if (options.timeline) throw new GpuprofError('bad-usage', '--timeline records times, which --no-timing leaves out');
  const timed = timeFormats.find((format) => options.format === format || options[format] !== undefined);
  if (timed) throw new GpuprofError('bad-usage', `${timed} shows times, which --no-timing leaves out`);
  if (options.counters) return;
  const idle = ['format', 'output', 'table', 'csv', 'json', 'markdown', 'html', 'qrhi'].find(given);
  if (options.qrhiConnect)
    throw new GpuprofError('bad-usage', '--qrhi-connect streams what is timed, which --no-timing leaves out');
  if (idle) throw new GpuprofError('bad-usage', `--${idle} asks for a report, which --no-timing leaves out`);
}

/** What is only played is quickest with the worker threads that the renderer takes by itself, beside which calls are made. */
function played(options: ReplayOptions, command: Command): ReplayOptions {
  const isMeasured = options.timing || options.counters;
  const isAsked = command.getOptionValueSource('softwareThreads') !== 'default';
  return isMeasured || isAsked ? options : { ...options, softwareThreads: 'default' };
}

/** Throws GpuprofError `output-failed`. */
function thumbnailRequest(options: ReplayOptions): ThumbnailRequest | null {
  const { thumbnails, thumbnailSize: size } = options;
  if (thumbnails === undefined) return null;
  const folder = thumbnails === true ? undefined : thumbnails;
  if (folder !== undefined) checkFolder(folder);
  return { ...options, folder, size, inReport: asksForHtml(options) };
}

async function sizesOf(capture: Capture): Promise<ResourceSize[]> {
  const { resourceSizes } = await import('../model/life/resource-sizes.ts');
  return resourceSizes(capture, capture.manifest.frames.length);
}

async function replay(file: string, options: ReplayOptions, command: Command): Promise<void> {
  checkUsage(options, command);
  const mainWasAsked = ['format', 'output'].some((name) => command.getOptionValueSource(name) === 'cli');
  const outputs =
    options.timing || options.counters
      ? planOutputs(outputFormats, options, mainWasAsked, [file], [options.screenshot])
      : [];
  if (options.screenshot !== undefined) checkOutput(options.screenshot, file);
  const thumbnails = thumbnailRequest(options);
  const [{ openAnyCapture }, { replayCapture }] = await Promise.all([
    import('./open-capture.ts'),
    import('./replay-capture.ts'),
  ]);
  const isStreamed = options.qrhiConnect !== undefined || outputs.some(({ format }) => format === 'qrhi');
  const qrhi = isStreamed ? (await import('./replay-qrhi.ts')).qrhiOptions(options, outputs) : null;
  note({ what: 'replay', file, options, outputs });
  waitAtMost(options.timeout * 1000);
  const progress = await startProgress(`opening ${printable(file)}`);
  const result = await (async () => {
    const capture = await openAnyCapture(file);
    try {
      const replayed = await replayCapture(capture, played(options, command), qrhi, thumbnails, progress);
      return {
        ...replayed,
        resources: outputs.some(({ format }) => format === 'html') ? await sizesOf(capture) : undefined,
      };
    } catch (error) {
      throw aboutFile(error, file);
    } finally {
      await capture.close();
    }
  })().finally(() => progress.stop());
  sayErrors(result.glErrors);
  try {
    await writeAndJudge(
      () => writeResult(result, options, outputs),
      () => judge(result),
    );
  } finally {
    await result.stream?.holdViewer();
  }
}

/** Writes what was asked for. */
async function writeResult(
  result: ReplayResult & Sizes,
  options: ReplayOptions,
  outputs: readonly Output[],
): Promise<void> {
  const streamFailure = await result.stream?.finish().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (options.screenshot !== undefined && result.canvas) {
    const { encodePng } = await import('../capture/png.ts');
    await writeOutput(options.screenshot, [encodePng(result.canvas)]);
  }
  const { report, resources } = result;
  const taken = result.taken && 'thumbnails' in result.taken ? result.taken : null;
  const warnings = taken?.warnings ?? [];
  if (report)
    await writeReports({ ...report, warnings: [...report.warnings, ...warnings] }, outputs, options, {
      resources,
      thumbnails: taken?.thumbnails,
    });
  else for (const { message } of warnings) say(`warning: ${message}`);
  if (streamFailure) throw streamFailure;
  if (result.taken && 'failure' in result.taken) throw result.taken.failure;
}

/** Tells of the verification. Throws GpuprofError `verification-failed`. */
function judge({ verification, failureHint }: ReplayResult): void {
  if (!verification) return;
  const { passed, message } = verification;
  if (!passed) throw new GpuprofError('verification-failed', `verification ${message}`, { hint: failureHint });
  say(`verification ${message}`);
}

/** `gpuprof replay`: replays a capture, times what it draws, and reports. */
export function replayCommand(): Command {
  const command = new Command('replay')
    .argument('<file>', 'a capture (.cap), or a file that can be imported')
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof replay scene.cap                                  the event tree with a time for every draw
  $ gpuprof replay scene.cap --top 10                         the ten heaviest draws
  $ gpuprof replay scene.cap --csv draws.csv --json all.json  other formats beside the table
  $ gpuprof replay scene.cap --per pass --runs 50             a time for every render pass, from 50 runs
  $ gpuprof replay scene.cap --perfetto scene.trace.json      a timeline for ui.perfetto.dev beside the table
  $ gpuprof replay scene.cap --html scene.html --thumbnails   what each action wrote, as small pictures in the page
  $ gpuprof replay scene.cap --format qrhi -o scene.csv       the replay as a stream of Qt's QRhiProfiler
  $ gpuprof replay scene.cap --verify --no-timing             only check that it draws what was recorded`,
    );
  return addReplayOptions(command).action(replay);
}
