/**
 * What does it cost to time every leaf? Plays a frame without brackets and with one around every leaf by each timer method, in
 * one process and by turns; for a trace, apitrace's own replay with and without `--pgpu` beside it, whole processes by turns.
 * Prints a Markdown table of medians. With --flame, an SVG of where the processor's time goes in a whole replay.
 *   npm run bench:cost -- [FILE] [--frame 1] [--rounds 9] [--flame FILE.svg] [--timer elapsed]
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FrameTrees } from '../../src/cli/frame-trees.ts';
import { openAnyCapture } from '../../src/cli/open-capture.ts';
import { openDriver } from '../../src/cli/open-driver.ts';
import { hostNs, processCpuNs } from '../../src/gl/clock.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { leafPlan } from '../../src/query/brackets.ts';
import { chooseTimer } from '../../src/query/choose-timer.ts';
import { RunMeter } from '../../src/query/run-meter.ts';
import { timerMethod, timerMethodNames } from '../../src/query/timer-method.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { samplePath } from '../helpers/files.ts';
import { type CpuProfile, flameGraph } from './flame-graph.ts';
import { markdownTable, median } from './processes.ts';
import { type Cost, cost, isInstalled } from './whole-process.ts';

interface Spent {
  readonly wallNs: number;
  readonly cpuNs: number;
}

/** What one way of playing took in each round; an interruption is in one round only. */
class Way {
  readonly rounds: Spent[] = [];
  readonly name: string;
  readonly play: () => void;

  constructor(name: string, play: () => void) {
    this.name = name;
    this.play = play;
  }

  round(): void {
    const [wallNs, cpuNs] = [hostNs(), processCpuNs()];
    this.play();
    this.rounds.push({ cpuNs: processCpuNs() - cpuNs, wallNs: hostNs() - wallNs });
  }

  /** Median over the rounds of what it took more than another way, for each leaf, in microseconds. */
  perLeaf(other: Way, leaves: number, of: keyof Spent): string {
    return (median(this.rounds.map((spent, at) => spent[of] - other.rounds[at][of])) / leaves / 1000).toFixed(2);
  }
}

/** A profile of a whole replay in one process, as a picture. */
async function writeFlames(file: string, timer: string, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));
  try {
    const profiled = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`];
    const args = ['replay', file, '--driver', 'egl', '--timer', timer, '--runs', '1', '--no-isolation'];
    const { code, stderr } = await runProgram(process.execPath, [
      ...profiled,
      join(projectRoot, 'bin/gpuprof.js'),
      ...args,
    ]);
    if (code !== 0) throw new Error(`the replay ended with ${code}: ${stderr}`);
    const [name] = await readdir(folder);
    await writeFile(path, flameGraph(JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What `--pgpu` takes more than a plain replay by apitrace's tool, for each leaf; null without the tool. */
async function retraceRow(tool: string, file: string, leaves: number, rounds: number): Promise<string[] | null> {
  if (!isInstalled(tool)) return null;
  delete process.env.DISPLAY;
  await ensureDisplay();
  const pairs: [Cost, Cost][] = [];
  for (let round = 0; round < rounds; round++) {
    const [plain, timed] = [await cost([tool, '-b', file]), await cost([tool, '--pgpu', file])];
    if (plain && timed) pairs.push([plain, timed]);
  }
  if (pairs.length === 0) return null;
  const perLeaf = (of: 'wallS' | 'cpuS') =>
    ((median(pairs.map(([plain, timed]) => timed[of] - plain[of])) / leaves) * 1e6).toFixed(2);
  return [`${tool} --pgpu`, '', '', perLeaf('wallS'), perLeaf('cpuS')];
}

const { values, positionals } = parseArgs({
  options: {
    frame: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '9' },
    flame: { type: 'string' },
    timer: { type: 'string', default: 'elapsed' },
  },
  allowPositionals: true,
});
const path = positionals[0] ?? samplePath('draws-2000');
const [frame, rounds] = [Number(values.frame), Number(values.rounds)];

setSoftwareThreads(0);
const capture = await openAnyCapture(path);
const { manifest } = capture;
const context = await openDriver({ driver: 'egl' }, manifest);
const auto = chooseTimer(context, 'auto');
const replayer = await Replayer.create(context, capture);
const trees = await FrameTrees.create(capture);
const tree = await trees.build(frame, 'draw');
const leaves = tree.leaves.length;
const replay = await replayer.loadFrame(frame);

const none = new Way('none', () => {
  replay.restore();
  replay.play();
  context.gl.glFinish();
});
const methods = timerMethodNames.flatMap((name) => {
  const method = timerMethod(context, name);
  return typeof method === 'string' ? [] : [{ name: name as string, method }];
});
methods.push({ name: `auto, which is ${auto.method.name} here`, method: auto.method });
const ways = methods.map(({ name, method }) => {
  const meter = new RunMeter(context, replay, method, leafPlan(tree, replay.calls.length), leaves);
  return new Way(name, () => void meter.run());
});
// Shaders are compiled, errors looked for, and functions warm.
for (let warmup = 0; warmup < 2; warmup++) for (const way of [none, ...ways]) way.play();
for (let round = 0; round < rounds; round++) for (const way of [none, ...ways]) way.round();

const ms = (way: Way) => (median(way.rounds.map(({ wallNs }) => wallNs)) / 1e6).toFixed(2);
const rows = [none, ...ways].map((way) => [
  way.name,
  ms(way),
  median(way.rounds.map(({ wallNs }, at) => wallNs / none.rounds[at].wallNs)).toFixed(2),
  ...(way === none ? ['', ''] : [way.perLeaf(none, leaves, 'wallNs'), way.perLeaf(none, leaves, 'cpuNs')]),
]);
if (path.endsWith('.trace')) {
  let all = 0;
  const every = await FrameTrees.create(capture);
  for (let each = 1; each <= manifest.frames.length; each++) all += (await every.build(each, 'draw')).leaves.length;
  const row = await retraceRow(manifest.api === 'gl' ? 'glretrace' : 'eglretrace', path, all, Math.min(rounds, 5));
  if (row) rows.push(row);
}
process.stdout.write(
  `${leaves} leaves and ${replay.calls.length} calls; ${context.renderer}; medians of ${rounds}\n\n`,
);
process.stdout.write(
  markdownTable(['timer', 'frame with results (ms)', 'of none', 'more for each leaf (µs)', 'CPU (µs)'], rows),
);
if (values.flame) {
  await writeFlames(path, values.timer, values.flame);
  process.stdout.write(`\n${values.flame} shows where the processor's time goes with --timer ${values.timer}.\n`);
}
