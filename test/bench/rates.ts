/**
 * How fast do whole `gpuprof replay` processes replay, plain and with each timer method? Each figure is the difference
 * between a process with many runs and one with few, so that start-up, set-up and trust check cancel; variants are run by
 * turns, and ratios are taken inside a round, so that a busy minute hurts them alike. A run restores what the frame
 * changed, replays it, and reads the results.
 *   npm run bench -- [CAPTURE] [--driver NAME] [--rounds N] [--runs N] [--trace FILE]
 * With --trace and apitrace's eglretrace on the PATH, that trace's own rate is printed as a reference.
 */
import { parseArgs } from 'node:util';
import { openCapture } from '../../src/capture/open.ts';
import type { Report } from '../../src/model/report.ts';
import { runProgram } from '../helpers/cli.ts';
import { samplePath } from '../helpers/files.ts';
import { markdownTable, median, timeGpuprof } from './processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    driver: { type: 'string', default: 'egl' },
    rounds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '100' },
    trace: { type: 'string' },
  },
});
const path = positionals[0] ?? samplePath('draws-2000');
const rounds = Number(values.rounds);
const [fewRuns, manyRuns] = [1, 1 + Number(values.runs)];

const timers = ['elapsed', 'timestamp', 'finish'] as const;
const variants: readonly { name: string; args: readonly string[] }[] = [
  { name: 'plain', args: ['--per', 'frame', '--timer', 'finish'] },
  ...timers.map((timer) => ({ name: timer, args: ['--timer', timer] })),
];

const capture = await openCapture(path);
const calls = capture.manifest.frames[0].calls;
await capture.close();

/** One process with this many measured runs; each is a pair, one plain and one with the variant's brackets. */
async function replay(args: readonly string[], runs: number) {
  const common = ['--driver', values.driver, '--warmup', '2', '--runs', String(runs), '--format', 'json'];
  const { wallNs, stdout } = await timeGpuprof(['replay', path, ...common, ...args]);
  const report = JSON.parse(stdout) as Report;
  return { wallNs, report, bracketedRuns: report.frames[0].runs + report.frames[0].repeatedRuns };
}

interface Timing {
  readonly shortestProcessNs: number;
  readonly frameNs: number;
}
const timings: Timing[][] = variants.map(() => []);
let report: Report | undefined;
for (let round = 0; round < rounds; round++) {
  let plainNs = 0;
  for (const [index, { args }] of variants.entries()) {
    const few = await replay(args, fewRuns);
    const many = await replay(args, manyRuns);
    report ??= many.report;
    const [spentNs, plainRuns] = [many.wallNs - few.wallNs, manyRuns - fewRuns];
    const bracketedRuns = many.bracketedRuns - few.bracketedRuns;
    const frameNs =
      index === 0 ? spentNs / (plainRuns + bracketedRuns) : (spentNs - plainRuns * plainNs) / bracketedRuns;
    if (index === 0) plainNs = frameNs;
    timings[index].push({ shortestProcessNs: few.wallNs, frameNs });
  }
}
if (!report) throw new Error('--rounds must be 1 or more');

const draws = report.frames[0].nodes[0].draws;
const perSecond = (count: number, ns: number) => Math.round((count / ns) * 1e9).toLocaleString('en');
const medianFrameNs = (index: number) => median(timings[index].map((timing) => timing.frameNs));
const rows = variants.map(({ name }, index) => {
  const frameNs = medianFrameNs(index);
  const ratio = median(timings[index].map((timing, round) => timing.frameNs / timings[0][round].frameNs));
  return [
    name,
    perSecond(calls, frameNs),
    perSecond(draws, frameNs),
    (frameNs / 1e6).toFixed(2),
    ratio.toFixed(2),
    index === 0 ? '' : ((frameNs - medianFrameNs(0)) / draws / 1000).toFixed(1),
    (median(timings[index].map((timing) => timing.shortestProcessNs)) / 1e9).toFixed(2),
  ];
});
const { renderer, cores, driver } = report.environment;
process.stdout.write(
  `${calls} calls and ${draws} draws a frame; ${driver}, ${renderer}, ${cores} cores; medians of ${rounds} rounds\n\n`,
);
const head = [
  'replay',
  'calls/s',
  'draws/s',
  'frame (ms)',
  'of plain',
  'more for each draw (µs)',
  'process with 1 run (s)',
];
process.stdout.write(markdownTable(head, rows));

if (values.trace) {
  const dump = await runProgram('apitrace', ['dump', '--color=never', values.trace]);
  const traceCalls = dump.stdout.match(/^\d+ /gm)?.length ?? 0;
  // eglretrace takes its context from an X server.
  const eglretrace = ['eglretrace', '--benchmark', values.trace];
  const [command, ...args] = process.env.DISPLAY ? eglretrace : ['xvfb-run', '-a', ...eglretrace];
  const secondsOf = async () => {
    const start = process.hrtime.bigint();
    const { code, stderr } = await runProgram(command, args);
    if (code !== 0) throw new Error(`eglretrace ended with ${code}: ${stderr}`);
    return Number(process.hrtime.bigint() - start) / 1e9;
  };
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) seconds.push(await secondsOf());
  const rate = Math.round(traceCalls / median(seconds)).toLocaleString('en');
  process.stdout.write(
    `\nFor reference, another frame: eglretrace --benchmark replays ${values.trace} (${traceCalls} calls) at ${rate} calls/s, start-up included.\n`,
  );
}
