import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { readFailure } from '../capture/read-failure.ts';
import { GpuprofError } from '../errors.ts';
import { interruption } from './interruption.ts';
import { countFrom } from './option-values.ts';
import { choice, driverChoices, type ReplayOptions } from './replay-options.ts';
import { say } from './say.ts';
import { type Launched, openBrowser } from './view/open-browser.ts';
import { type ViewKind, viewKind } from './view/view-kind.ts';
import { type ServedFile, ViewServer } from './view/view-server.ts';

interface ViewOptions extends Pick<ReplayOptions, 'driver' | 'browser' | 'api'> {
  readonly port?: number;
  /** False with `--no-open`. */
  readonly open: boolean;
}

/** The only port of this machine that pages of ui.perfetto.dev may read from, by their own security policy. */
const perfettoPort = 9001;

interface Application {
  readonly origin: string;
  /** The address that has it load a file. */
  readonly address: (file: string, title: string) => string;
}

/** Web applications that show what is in a file, with the deep links that they document. */
const applications: Readonly<Partial<Record<ViewKind, Application>>> = {
  perfetto: {
    origin: 'https://ui.perfetto.dev',
    address: (file) => `https://ui.perfetto.dev/#!/?url=${encodeURIComponent(file)}`,
  },
  speedscope: {
    origin: 'https://www.speedscope.app',
    address: (file, title) =>
      `https://www.speedscope.app/#profileURL=${encodeURIComponent(file)}&title=${encodeURIComponent(title)}`,
  },
};

/** A report's page, from JSON. */
async function page(file: string): Promise<Uint8Array[]> {
  const [{ readReport }, { html }, { defaultOptions }] = await Promise.all([
    import('./compare/read-report.ts'),
    import('../report/html/html.ts'),
    import('../report/options.ts'),
  ]);
  return Array.from(html(await readReport(file), defaultOptions), (text) => Buffer.from(text));
}

/** A capture's page, as `gpuprof replay --html` writes it. */
async function replayed(file: string, { driver, browser, api }: ViewOptions): Promise<Uint8Array[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gpuprof-view-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  try {
    const made = join(folder, 'report.html');
    const { replayCommand } = await import('./replay.ts');
    const asked = [...(browser ? ['--browser', browser] : []), ...(api ? ['--api', api] : [])];
    const args = ['--driver', driver, ...asked, '--format', 'html', '-o', made, '--thumbnails', '--', file];
    await replayCommand().parseAsync(args, { from: 'user' });
    return await read(made);
  } finally {
    process.off('exit', clear);
    clear();
  }
}

async function read(file: string): Promise<Uint8Array[]> {
  try {
    return [await readFile(file)];
  } catch (error) {
    throw readFailure(file, error);
  }
}

/** The file, or what is made of it. */
async function served(file: string, kind: ViewKind, options: ViewOptions): Promise<ServedFile> {
  const ofPage = { name: 'report.html', contentType: 'text/html; charset=utf-8' };
  const ofTrace = { name: `${kind}.json`, contentType: 'application/json', reader: applications[kind]?.origin };
  switch (kind) {
    case 'html':
      return { ...ofPage, chunks: await read(file) };
    case 'report':
      return { ...ofPage, chunks: await page(file) };
    case 'capture':
      return { ...ofPage, chunks: await replayed(file, options) };
    default:
      return { ...ofTrace, chunks: await read(file) };
  }
}

/** Says where it is, and opens it where that can be done. */
async function show(address: string, options: ViewOptions): Promise<Launched | null> {
  const launched = options.open ? await openBrowser(address) : null;
  process.stdout.write(`${address}\n`);
  say(`${launched ? 'opened in the default browser' : 'open this address in a browser'}; Ctrl-C ends it`);
  return launched;
}

async function view(file: string, options: ViewOptions): Promise<void> {
  const kind = await viewKind(file);
  if (kind === 'perfetto' && (options.port ?? perfettoPort) !== perfettoPort)
    throw new GpuprofError('bad-usage', `ui.perfetto.dev reads from port ${perfettoPort} of this machine only`, {
      hint: 'leave --port out, or open the file there by hand: Open trace file',
    });
  const content = await served(file, kind, options);
  const server = await ViewServer.start(content, options.port ?? (kind === 'perfetto' ? perfettoPort : 0));
  // Before anybody is told that it is there: who is told may end it.
  const { over } = interruption();
  let launched: Launched | null = null;
  try {
    const address = applications[kind]?.address(server.address, basename(file)) ?? server.address;
    launched = await show(address, options);
    await over;
  } finally {
    launched?.end();
    await server.stop();
  }
}

/** `gpuprof view`: shows a report, a timeline or a capture in the default browser. */
export function viewCommand(): Command {
  return new Command('view')
    .argument(
      '<file>',
      'a report (HTML or JSON), a timeline for Perfetto or speedscope, or a capture, which is replayed',
    )
    .option('--no-open', 'open no browser, only print the address')
    .option('--port <n>', 'port on the loopback interface (default: any that is free)', countFrom(1, 65_535))
    .addOption(choice('--driver <driver>', 'for captures: where the GL context comes from', driverChoices, 'auto'))
    .option('--browser <path>', 'for --driver swiftshader: the Chromium or Chrome that recorded (default: on PATH)')
    .addOption(choice('--api <api>', 'for captures: OpenGL ES or desktop OpenGL', ['es', 'gl']))
    .addHelpText(
      'after',
      `
The file is served on 127.0.0.1 alone, at an address that nobody can guess, until Ctrl-C. Timelines are opened in
ui.perfetto.dev (which reads from port ${perfettoPort} only) and www.speedscope.app: their pages come from the network, and what
is in the file stays on this machine.

Examples:
  $ gpuprof view scene.cap                  replays it, and shows the event tree with times and thumbnails
  $ gpuprof view scene.html                 a report that gpuprof replay --html has written
  $ gpuprof view all.json --no-open         one that --json has written; prints the address
  $ gpuprof view scene.trace.json           a timeline of --perfetto, in ui.perfetto.dev`,
    )
    .action(view);
}
