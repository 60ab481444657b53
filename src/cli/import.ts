import { Command, InvalidArgumentError, Option } from 'commander';
import { aboutFile, GpuprofError } from '../errors.ts';
import type { FrameRange, ImportSummary } from '../import/formats.ts';
import { printable } from '../report/printable.ts';
import { sayImportNotes } from './open-capture.ts';
import { countFrom } from './option-values.ts';
import { checkOutput } from './output.ts';
import { startProgress } from './progress.ts';
import { sayLine } from './say.ts';

const mostFrames = 1_000_000;

interface ImportArguments {
  readonly output: string;
  readonly frame?: number;
  readonly frames?: FrameRange;
  readonly trim?: boolean;
}

/** `A-B`. */
function frameRange(text: string): FrameRange {
  const [, first, last] = (/^(\d+)-(\d+)$/.exec(text) ?? []).map(Number);
  if (first >= 1 && last >= first && last <= mostFrames) return { first, last };
  throw new InvalidArgumentError('It must be two frames, such as 3-7; the first is 1.');
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** `3 frames, 18251 calls, 6000 draws, from 18273 calls of an apitrace file`. */
function summaryText(summary: ImportSummary, format: string): string {
  const made = [counted(summary.frames, 'frame'), counted(summary.calls, 'call'), counted(summary.draws, 'draw')].join(
    ', ',
  );
  return `${made}, from ${counted(summary.sourceCalls, 'call')} of ${format}'s`;
}

async function importFile(file: string, { output, frame, frames, trim }: ImportArguments): Promise<void> {
  checkOutput(output, file);
  const range = frames ?? (frame === undefined ? undefined : { first: frame, last: frame });
  const [{ importFormatOf, importFormats }, { importCapture, importNotes }, { copyCapture }] = await Promise.all([
    import('../import/formats.ts'),
    import('../import/import-capture.ts'),
    import('../capture/copy.ts'),
  ]);
  const format = await importFormatOf(file);
  if (!format) {
    // Says what is wrong with a file that is not there.
    const { openCapture } = await import('../capture/open.ts');
    await (await openCapture(file)).close();
    throw new GpuprofError('bad-usage', `${file} is a capture already`, {
      hint: `what can be imported are captures of ${importFormats.map(({ name }) => name).join(' and ')}`,
    });
  }
  const progress = await startProgress(`importing ${printable(file)}`);
  try {
    const { capture, summary } = await importCapture(file, format, range && { frames: range });
    const trimmed = trim ? await (await import('../import/trim/trim.ts')).trimCapture(capture) : null;
    progress.update(`writing ${printable(output)}`);
    await copyCapture(trimmed?.capture ?? capture, output);
    progress.stop();
    sayLine(`${output}: ${summaryText(summary, format.name)}`);
    if (trimmed) sayLine(`${output}: the setup is ${trimmed.after} of ${counted(trimmed.before, 'call')}`);
    sayImportNotes(importNotes(summary));
  } catch (error) {
    throw aboutFile(error, file);
  } finally {
    progress.stop();
  }
}

/** `gpuprof import FILE -o X.cap`: a capture from what another tool recorded. */
export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', "apitrace's .trace, RenderDoc's .zip.xml beside its .zip, or its .rdc")
    .requiredOption('-o, --output <file>', 'the capture to write')
    .option('--frame <n>', 'only this frame, from 1; those before it become the setup', countFrom(1, mostFrames))
    .addOption(
      new Option('--frames <a-b>', 'only these frames; those before them become the setup')
        .argParser(frameRange)
        .conflicts('frame'),
    )
    .option('--trim', 'leave out of the setup what the frames cannot see')
    .addHelpText(
      'after',
      `
Every command that takes a capture takes such a file too, and imports it on the way. What a capture cannot express is left
out, and named on standard error with its count. A frame ends where the program shows it.

Examples:
  $ gpuprof import game.trace -o game.cap                      all frames
  $ gpuprof import game.trace -o frame.cap --frame 120         one frame, with all that came before as its setup
  $ gpuprof import game.trace -o frame.cap --frame 120 --trim  the same, without what frame 120 does not need
  $ gpuprof replay game.trace --frame 1                        without a file in between`,
    )
    .action(importFile);
}
