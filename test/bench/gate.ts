/**
 * Can a script trust `gpuprof compare`? Compares a capture with itself, which must raise no alarm, and with one in which
 * one render pass does 5% more shader work, which must be found and named; with --busy beside three busy processes.
 * Prints a Markdown table, and exits 1 when more than 1% of the first or fewer than 95% of the second come out right.
 *   npm run bench:gate -- [--aa 200] [--injected 100] [--busy] [--budget SECONDS]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Comparison } from '../../src/model/comparison.ts';
import { findings } from '../../src/model/findings.ts';
import type { Report } from '../../src/model/report.ts';
import { run } from '../helpers/cli.ts';
import { type ScenePass, writeScene } from './gate-scene.ts';
import { besideBusyProcesses, markdownTable, median, timeGpuprof } from './processes.ts';

const { values } = parseArgs({
  options: {
    aa: { type: 'string', default: '10' },
    injected: { type: 'string', default: '10' },
    busy: { type: 'boolean', default: false },
    budget: { type: 'string', default: '60' },
  },
});
const driver = ['--driver', 'egl'];
const injection = 0.05;

/** 1 to 2.2 ms each on llvmpipe. */
const scene: readonly ScenePass[] = [
  { name: 'shadow', rounds: 120 },
  { name: 'geometry', rounds: 160 },
  { name: 'light', rounds: 220 },
  { name: 'post', rounds: 140 },
];

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));

/** CPU time of each pass, in nanoseconds: the median of many runs in one process. */
async function measure(name: string, passes: readonly ScenePass[]): Promise<number[]> {
  const file = await writeScene(join(folder, name), passes);
  const { stdout } = await timeGpuprof(['replay', file, ...driver, '--runs', '60', '--format', 'json']);
  const leaves = (JSON.parse(stdout) as Report).frames[0].nodes.filter(({ isLeaf }) => isLeaf);
  return leaves.map(({ cpuNs }) => cpuNs?.median ?? Number.NaN);
}

/** Rounds that make a pass cost 5% more, from the slope between its rounds and three times as many. */
async function calibrate(): Promise<{ passes: ScenePass[]; timesNs: number[] }> {
  const longer = scene.map(({ name, rounds }) => ({ name: `${name} longer`, rounds: 3 * rounds }));
  const all = await measure('calibration.cap', [...scene, ...longer]);
  const timesNs = all.slice(0, scene.length);
  const passes = scene.map(({ name, rounds }, index) => {
    const roundNs = (all[scene.length + index] - timesNs[index]) / (2 * rounds);
    return { name, rounds: rounds + Math.ceil((injection * timesNs[index]) / roundNs) };
  });
  return { passes, timesNs };
}

interface Outcome {
  /** Paths told of as slower. */
  readonly slower: readonly string[];
  readonly alarm: boolean;
  readonly undecided: number;
  readonly pairs: number;
  readonly seconds: number;
}

async function compare(base: string, next: string): Promise<Outcome> {
  const start = performance.now();
  const args = ['compare', base, next, ...driver, '--budget', values.budget, '--format', 'json'];
  const { code, stdout, stderr } = await run(args);
  const seconds = (performance.now() - start) / 1000;
  // 3: nothing could be decided.
  if (code === 2 || code > 3) throw new Error(`gpuprof ${args.join(' ')} ended with ${code}: ${stderr}`);
  const comparison = JSON.parse(stdout) as Comparison;
  const found = findings(comparison);
  const slower = found.filter(({ kind, isExplained }) => kind === 'slower' && !isExplained).map(({ path }) => path);
  const alarm = found.some(({ kind }) => kind === 'slower' || kind === 'faster');
  if (alarm) process.stderr.write(`${found.map(({ message }) => message).join('\n')}\n`);
  const undecided = found.filter(({ kind }) => kind === 'undecided').length;
  const { pairs } = comparison.settings;
  process.stderr.write(
    `${basename(next)}: exit ${code}, ${pairs} pairs, ${seconds.toFixed(1)} s, ${undecided} undecided\n`,
  );
  return { slower, alarm, undecided, pairs, seconds };
}

const { passes: heavier, timesNs } = await calibrate();
const base = await writeScene(join(folder, 'base.cap'), scene);
const injected = await Promise.all(
  scene.map((_, index) =>
    writeScene(
      join(folder, `${scene[index].name}.cap`),
      scene.map((pass, at) => (at === index ? heavier[at] : pass)),
    ),
  ),
);
process.stderr.write(
  `${scene.map(({ name, rounds }, index) => `${name}: ${(timesNs[index] / 1e6).toFixed(2)} ms, ${rounds} rounds, ${heavier[index].rounds} for 5% more`).join('\n')}\n`,
);

const rows: string[][] = [];
let isGood = true;

function report(what: string, outcomes: readonly Outcome[], right: number, least: number): void {
  isGood &&= right >= least * outcomes.length;
  const seconds = outcomes.map((outcome) => outcome.seconds);
  const row = [
    what,
    String(outcomes.length),
    String(right),
    String(outcomes.filter(({ undecided }) => undecided > 0).length),
    String(median(outcomes.map(({ pairs }) => pairs))),
    median(seconds).toFixed(1),
    Math.max(...seconds).toFixed(1),
  ];
  rows.push(row);
  process.stderr.write(`${row.join(', ')}\n`);
}

/** Both kinds by turns, so that a run that is ended early has some of each. */
async function series(where: string): Promise<void> {
  const [wantedSame, wantedNamed] = [Number(values.aa), Number(values.injected)];
  const same: Outcome[] = [];
  const named: Outcome[] = [];
  let right = 0;
  const tell = () => {
    const silent = same.filter(({ alarm }) => !alarm).length;
    process.stderr.write(
      `so far${where}: ${silent} of ${same.length} without alarm, ${right} of ${named.length} found\n`,
    );
    return silent;
  };
  while (same.length < wantedSame || named.length < wantedNamed) {
    const isSameDue = same.length * wantedNamed <= named.length * wantedSame;
    if (same.length < wantedSame && (isSameDue || named.length === wantedNamed)) same.push(await compare(base, base));
    else {
      const pass = named.length % scene.length;
      const outcome = await compare(base, injected[pass]);
      named.push(outcome);
      const [first, ...others] = outcome.slower;
      if (others.length === 0 && first?.startsWith(scene[pass].name)) right++;
      else process.stderr.write(`${scene[pass].name}: told ${outcome.slower.join() || 'nothing'}\n`);
    }
    tell();
  }
  if (same.length > 0) report(`A/A${where}: no alarm`, same, tell(), 0.99);
  if (named.length > 0) report(`5% in one pass${where}: found and named, nothing else`, named, right, 0.95);
}

try {
  if (values.busy) await besideBusyProcesses(3, () => series(' beside 3 busy processes'));
  else await series('');
} finally {
  await rm(folder, { recursive: true });
}
const head = ['what', 'comparisons', 'right', 'with anything undecided', 'median pairs', 'median s', 'longest s'];
process.stdout.write(markdownTable(head, rows));
process.exitCode = isGood ? 0 : 1;
