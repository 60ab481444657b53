/**
 * Does gpuprof keep up with captures of a million calls and of gigabytes? Writes them, and prints Markdown tables: start-up,
 * `info`, loading, replay beside eglretrace on the same calls (where apitrace and a C compiler are installed), and every
 * format of a report of that many events. Takes as much disk as it is asked for megabytes at most, in the temporary folder.
 *   npm run bench:scale -- [--draws 100000] [--megabytes 2048] [--rounds 3]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { markdownTable, median } from './processes.ts';
import { writeCalls, writeResources } from './scale-captures.ts';
import type { Load } from './scale-load.ts';
import { timeReports } from './scale-reports.ts';
import { type Cost, cost, costCells, costHead, isInstalled } from './whole-process.ts';

const { values } = parseArgs({
  options: {
    draws: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '2048' },
    rounds: { type: 'string', default: '3' },
  },
});
// Node.js would read certificates first, of which a machine may have many.
delete process.env.NODE_EXTRA_CA_CERTS;
const [draws, megabytes, rounds] = [Number(values.draws), Number(values.megabytes), Number(values.rounds)];
const gpuprof = [process.execPath, join(projectRoot, 'bin/gpuprof.js')];
const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));
const place = (name: string): string => join(folder, name);
const calls = place('calls.cap');
const resources = place('resources.cap');
const startUps = 10;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function program(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Whole processes by turns. */
async function costs(commands: Readonly<Record<string, readonly string[]>>): Promise<Map<string, Cost[]>> {
  const found = new Map<string, Cost[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, command] of Object.entries(commands)) {
      const one = await cost(command);
      if (!one) throw new Error(`${command.join(' ')} failed`);
      found.set(name, [...(found.get(name) ?? []), one]);
    }
  return found;
}

async function startUp(): Promise<void> {
  const commands = {
    'node -e 0': [process.execPath, '-e', '0'],
    'gpuprof --version': [...gpuprof, '--version'],
    'gpuprof --help': [...gpuprof, '--help'],
  };
  const times = new Map<string, number[]>();
  for (let round = 0; round < startUps; round++)
    for (const [name, [command, ...args]] of Object.entries(commands)) {
      const start = performance.now();
      await program(command, ...args);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  const bareMs = median(times.get('node -e 0') as number[]);
  const rows = [...times].map(([name, each]) => [
    name,
    median(each).toFixed(0),
    Math.min(...each).toFixed(0),
    (median(each) / bareMs).toFixed(2),
  ]);
  say(markdownTable([`start-up, ${startUps} each`, 'median ms', 'least ms', 'of node'], rows));
}

async function wholeProcesses(): Promise<void> {
  const found = await costs({
    [`info, ${draws} draws`]: [...gpuprof, 'info', calls],
    [`info, ${megabytes} MiB`]: [...gpuprof, 'info', resources],
    [`replay --no-timing, ${megabytes} MiB`]: [...gpuprof, 'replay', resources, '--driver', 'egl', '--no-timing'],
  });
  say(
    markdownTable(
      costHead,
      [...found].map(([name, each]) => [name, ...costCells(each)]),
    ),
  );
}

/** Returns the calls of the capture of many. */
async function loading(): Promise<number> {
  const script = join(projectRoot, 'test/bench/scale-load.ts');
  const rows: string[][] = [];
  let count = 0;
  for (const [name, path] of [
    [`${draws} draws`, calls],
    [`${megabytes} MiB`, resources],
  ]) {
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round++)
      loads.push(JSON.parse(await program(process.execPath, '--import', 'tsx', script, path)));
    const of = (pick: (load: Load) => number, digits: number) => median(loads.map(pick)).toFixed(digits);
    const lap = (part: 'read' | 'setup' | 'frame' | 'play') =>
      [0, 1].map((at) => of((load) => load[part][at], 2)).join(' / ');
    rows.push([
      name,
      loads[0].calls.toLocaleString('en'),
      lap('read'),
      `${of(({ wordsMb }) => wordsMb, 0)} / ${of(({ readMb }) => readMb, 0)}`,
      lap('setup'),
      lap('frame'),
      lap('play'),
      of(({ peakMb }) => peakMb, 0),
    ]);
    if (path === calls) count = loads[0].calls;
  }
  const head = [
    'load',
    'calls',
    'read s / CPU s',
    'words MB / took MB',
    'setup s / CPU s',
    'frame s / CPU s',
    'peak MB',
  ];
  say(markdownTable(head, rows));
  return count;
}

/** Beside eglretrace, on a trace of a program that makes the same calls. */
async function rates(count: number): Promise<void> {
  const missing = ['cc', 'apitrace', 'eglretrace'].filter((name) => !isInstalled(name));
  if (missing.length > 0) return say(`eglretrace is left out: ${missing.join(', ')} not installed\n`);
  delete process.env.DISPLAY;
  await ensureDisplay();
  const trace = place('calls.trace');
  await program('cc', '-O2', '-o', place('frame'), join(projectRoot, 'test/bench/scale-frame.c'), '-lEGL', '-lGLESv2');
  await program('apitrace', 'trace', '--api', 'egl', '-o', trace, place('frame'), String(draws));
  const replay = (path: string) => [...gpuprof, 'replay', path, '--driver', 'egl', '--no-timing'];
  const found = await costs({
    'eglretrace -b': ['eglretrace', '-b', trace],
    'gpuprof replay --no-timing, of the trace': replay(trace),
    'gpuprof replay --no-timing, of the capture': replay(calls),
  });
  const rows = [...found].map(([name, each]) => [
    name,
    ...costCells(each),
    Math.round(count / median(each.map(({ wallS }) => wallS))).toLocaleString('en'),
  ]);
  say(markdownTable([...costHead, 'calls/s'], rows));
}

async function reports(): Promise<void> {
  const rows = (await timeReports(calls, place('report'))).map(({ name, seconds, cpuSeconds, bytes }) => [
    name,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    (bytes / 1e6).toFixed(1),
  ]);
  say(markdownTable([`report of ${draws} events, 3 runs`, 's', 'CPU s', 'MB'], rows));
}

try {
  await startUp();
  await writeCalls(calls, draws);
  await writeResources(resources, megabytes);
  for (const path of [calls, resources]) say(`${path}: ${((await stat(path)).size / 1e6).toFixed(1)} MB`);
  await wholeProcesses();
  const count = await loading();
  await rates(count);
  await reports();
} finally {
  await rm(folder, { recursive: true });
}
