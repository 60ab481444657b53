import { Command, Option } from 'commander';
import { GpuprofError } from '../errors.ts';
import { qrhiPort } from '../model/qrhi/ops.ts';
import type { QtNumbering } from '../model/qrhi/texture-formats.ts';
import type { QrhiFormatName } from '../report/qrhi-usage/formats.ts';
import { countFrom } from './option-values.ts';

const mostShown = 1000;

export interface QrhiOptions {
  readonly format: QrhiFormatName;
  /** The report's file; with `listen` that of the stream as it came. */
  readonly output?: string;
  readonly top: number;
  readonly qt: QtNumbering;
  readonly strict?: true;
  readonly follow?: true;
  /** The port; true for Qt's. */
  readonly listen?: number | true;
  readonly host: string;
  readonly once?: true;
}

function check(files: readonly string[], { listen, follow, once, output }: QrhiOptions, hostWasGiven: boolean): void {
  const wrong = (message: string, hint?: string): never => {
    throw new GpuprofError('bad-usage', message, { hint });
  };
  if (listen === undefined) {
    if (files.length === 0) wrong('no stream is named', 'name a file, - for standard input, or use --listen');
    if (once || hostWasGiven) wrong(`${once ? '--once' : '--host'} goes with --listen only`);
    if (follow && (files.length > 1 || files[0] === '-')) wrong('--follow takes one file');
    return;
  }
  if (files.length > 0) wrong('--listen takes its streams from the network', 'leave the file out');
  if (follow) wrong('--listen and --follow exclude each other');
  if (output === '-') wrong('-o keeps the stream as it came, beside the report on standard output', 'name a file');
}

/** `gpuprof qrhi`: what a QRhiProfiler stream of a Qt application says. */
export function qrhiCommand(): Command {
  return new Command('qrhi')
    .argument('[file...]', 'streams; - is standard input')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'csv', 'json']).default('table'))
    .option('-o, --output <file>', 'write the report here; with --listen, keep the stream here as it came')
    .option('--top <count>', 'rows of the lists of resources', countFrom(1, mostShown), 10)
    .addOption(
      new Option('--qt <version>', 'what the numbers of texture formats mean: those of Qt 5.15 or of Qt 6')
        .choices(['5', '6'])
        .default('5'),
    )
    .option('--strict', 'malformed lines are an error: exit code 2, after the reports of all streams')
    .option('--follow', 'keep reading as the file grows, and what replaces it, until interrupted')
    .option(
      '--listen [port]',
      `take streams from Qt applications on this port (default: ${qrhiPort})`,
      countFrom(0, 65535),
    )
    .option('--host <address>', 'with --listen: the address to listen on; 0.0.0.0 lets other machines in', '127.0.0.1')
    .option('--once', 'with --listen: end when the first stream has ended')
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof qrhi app.csv                       memory by kind, leaks, frame times
  $ gpuprof qrhi old.csv new.csv --format json
  $ gpuprof qrhi app.csv --follow              a live table while the application writes
  $ gpuprof qrhi --listen -o app.csv           what Qt's viewer qrhiprof does; the application is started with
      QSG_RHI=1 QSG_RHI_PROFILE=1 QSG_RHI_PROFILE_HOST=127.0.0.1

Sizes are the stream's own estimates. Malformed lines are counted, shown and skipped. A file that cannot be read or is
no stream makes the exit code 2; the others are reported. --listen takes many streams at once, reports each when it
ends, and goes on until interrupted, with --strict too; --follow reports all streams at the end.`,
    )
    .action(async (files: string[], given: Omit<QrhiOptions, 'qt'> & { readonly qt: string }, command: Command) => {
      const options: QrhiOptions = { ...given, qt: given.qt === '6' ? 6 : 5 };
      check(files, options, command.getOptionValueSource('host') !== 'default');
      if (options.listen !== undefined) {
        const { listen } = await import('./qrhi-listen.ts');
        await listen(options.listen === true ? qrhiPort : options.listen, options);
      } else if (options.follow) {
        const { followFile } = await import('./qrhi-follow.ts');
        await followFile(files[0], options);
      } else {
        const { reportFiles } = await import('./qrhi-files.ts');
        await reportFiles(files, options);
      }
    });
}
