/**
 * Has each pass of a frame the share of it that it had in the program? Runs a program that times its passes with a finish at
 * their edges (passes.c), and replays apitrace's trace of it `--per marker`, by turns: a Markdown table of the shares.
 *   npm run bench:passes -- [--rounds 3]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import type { Report } from '../../src/model/report.ts';
import { projectRoot, run, runProgram } from '../helpers/cli.ts';
import { markdownTable, median } from './processes.ts';

const passes = ['Opaque', 'Transparent', 'PostFX', 'UI'];
const timedFrames = 10;
/** The first frame compiles, in the program too. */
const frame = 2;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
// The program's own display may belong to a GPU.
delete process.env.DISPLAY;
await ensureDisplay();
/** As gpuprof replays by default. */
const env = { LIBGL_ALWAYS_SOFTWARE: '1', LP_NUM_THREADS: '0' };

async function program(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, { env });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

async function replayed(trace: string, ...options: string[]): Promise<number[]> {
  const args = ['replay', trace, '--driver', 'egl', '--timer', 'finish', '--frame', String(frame), ...options];
  const { code, stdout, stderr } = await run([...args, '--format', 'json'], { env });
  if (code !== 0) throw new Error(stderr);
  const { nodes } = (JSON.parse(stdout) as Report).frames[0];
  return passes.map((pass) => (nodes.find(({ name }) => name === pass)?.durationNs?.median ?? Number.NaN) / 1e6);
}

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));
try {
  const [built, trace] = [join(folder, 'passes'), join(folder, 'passes.trace')];
  await program('cc', '-O2', '-o', built, join(projectRoot, 'test/bench/passes.c'), '-lEGL', '-lGL');
  await program('apitrace', 'trace', '--api', 'egl', '-o', trace, built);
  const ways: readonly [string, () => Promise<number[]>][] = [
    [
      'the program, a finish at each edge',
      async () => (await program(built, String(timedFrames))).trim().split('\n').map(Number),
    ],
    ['gpuprof replay --per marker', () => replayed(trace, '--per', 'marker')],
    ['gpuprof replay (--per draw)', () => replayed(trace)],
  ];
  const found = ways.map(([name, measure]) => ({ name, measure, rounds: [] as number[][] }));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { measure, rounds } of found) rounds.push(await measure());
  const rows = found.map(({ name, rounds }) => {
    const times = passes.map((_, pass) => median(rounds.map((round) => round[pass])));
    const sum = times.reduce((all, time) => all + time, 0);
    return [name, sum.toFixed(0), ...times.map((time) => `${((100 * time) / sum).toFixed(0)}%`)];
  });
  process.stdout.write(markdownTable(['measured by', 'ms', ...passes], rows));
} finally {
  await rm(folder, { recursive: true });
}
