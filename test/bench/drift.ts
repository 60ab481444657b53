/**
 * Do times on the host's clock hold over a long run? Draws a frame that takes a minute, asks both clocks after every draw,
 * and compares what was said of each with where the timeline puts it. Prints a Markdown table, and exits 1 when an error
 * exceeds the uncertainty that the timeline states, when an event lies outside its submission and the finish that followed,
 * or when clocks of 32 or 36 bits tell another story.
 *   npm run bench:drift -- [--seconds 60] [--timer timestamp|elapsed|finish] [--api es|gl]
 */
import { parseArgs } from 'node:util';
import { type ClockFit, fitClocks, tightestPair } from '../../src/analysis/clock-sync.ts';
import { frameTimeline } from '../../src/analysis/run-timeline.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import type { RunSample } from '../../src/model/sample.ts';
import type { ClockPair, DeviceTimes, RunRecord, RunTimeline } from '../../src/model/timeline.ts';
import { DeviceClock } from '../../src/query/clock-pairs.ts';
import { measureOnce } from '../../src/query/measure-once.ts';
import type { PlayableFrame } from '../../src/query/run-meter.ts';
import { type TimerMethod, timerMethod } from '../../src/query/timer-method.ts';
import { loopFrame, loopTree } from '../query/loop-frame.ts';
import { markdownTable } from './processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    timer: { type: 'string', default: 'timestamp' },
    api: { type: 'string', default: 'es' },
  },
});
const seconds = Number(values.seconds);
/** Not a divisor of the second in which the recorder asks the clocks again. */
const drawsEachSecond = 7;
const draws = seconds * drawsEachSecond;

setSoftwareThreads(0);
const context = await openContext('egl', { api: values.api as 'es' | 'gl' });
const method = timerMethod(context, values.timer as TimerMethod['name']) as TimerMethod;
const clock = new DeviceClock(context);

/** The frame with a pause after each draw, in which both clocks are asked. */
const checks: ClockPair[] = [];
const frame = loopFrame(context, new Array<number>(draws).fill(50), 64);
const pause = new Int32Array(new SharedArrayBuffer(4));
const slowFrame: PlayableFrame = {
  ...frame,
  play: (plan, hooks) =>
    frame.play(plan, {
      begin: (bracket) => hooks?.begin(bracket),
      end(bracket) {
        hooks?.end(bracket);
        context.gl.glFlush();
        Atomics.wait(pause, 0, 0, 1000 / drawsEachSecond);
        checks.push(tightestPair(clock.pairs()));
      },
    }),
};

const { runs } = measureOnce(context, slowFrame, loopTree(draws), method, { clock: 'device' });
const [{ record }] = runs as readonly [RunSample & { record: RunRecord }];
const times = record.times as DeviceTimes;
const run = frameTimeline([record])?.runs[0] as RunTimeline;

function fitOf(readings: DeviceTimes['readings']): ClockFit {
  const fit = fitClocks(readings, times.bits);
  if (typeof fit === 'string') throw new Error(fit);
  return fit;
}

/** By how much the host's readings on both sides of a check exclude what a fit says of it; and its distance from their middle. */
function errorsOf(fit: ClockFit): { outsideNs: number; middleNs: number } {
  const errors = checks.map(({ hostBeforeNs, hostAfterNs, ticks }) => {
    const told = fit.toHostNs(ticks);
    return [Math.max(0, hostBeforeNs - told, told - hostAfterNs), Math.abs(told - (hostBeforeNs + hostAfterNs) / 2)];
  });
  const [outsideNs, middleNs] = [0, 1].map((index) => Math.max(...errors.map((each) => each[index])));
  return { outsideNs, middleNs };
}

/** The same run by a clock of fewer bits. */
function narrowed(bits: number): RunTimeline {
  const shown = (ticks: bigint | null) => (ticks === null ? null : BigInt.asUintN(bits, ticks));
  const readings = times.readings.map((pairs) =>
    pairs.map((pair) => ({ ...pair, ticks: BigInt.asUintN(bits, pair.ticks) })),
  );
  const narrow = { ...times, bits, readings, begins: times.begins.map(shown), ends: times.ends.map(shown) };
  return frameTimeline([{ ...record, times: narrow }])?.runs[0] as RunTimeline;
}

const failures: string[] = [];
const rows: string[][] = [];
for (const [name, readings] of [
  ['each second and both ends', times.readings],
  ['both ends', [times.readings[0], times.readings[times.readings.length - 1]]],
] as const) {
  const fit = fitOf(readings);
  const { outsideNs, middleNs } = errorsOf(fit);
  const { driftPpm, driftUncertaintyPpm, uncertaintyNs } = fit;
  rows.push([
    name,
    `${readings.length}`,
    `${driftPpm.toFixed(4)} ± ${driftUncertaintyPpm.toFixed(4)} ppm`,
    ...[outsideNs, middleNs, uncertaintyNs].map((timeNs) => `${timeNs.toFixed(0)} ns`),
  ]);
  if (outsideNs > uncertaintyNs) failures.push(`an error of ${outsideNs} ns, clocks read at ${name}`);
}
let outside = 0;
run.startsNs.forEach((startNs, leaf) => {
  const endNs = run.endsNs[leaf];
  const isInside =
    startNs !== null && endNs !== null && startNs >= run.submitStartNs[leaf] && endNs <= run.finishNs[leaf];
  if (!isInside || startNs > endNs) outside++;
});
if (outside > 0) failures.push(`${outside} of ${draws} events lie outside their submission and finish`);
for (const bits of [32, 36]) {
  const { startsNs, endsNs, reason } = narrowed(bits);
  const same = (some: readonly (number | null)[], others: readonly (number | null)[]) =>
    some.every((timeNs, leaf) => Math.abs((timeNs ?? Number.NaN) - (others[leaf] ?? Number.NaN)) < 1);
  if (reason !== null || !same(startsNs, run.startsNs) || !same(endsNs, run.endsNs))
    failures.push(`a clock of ${bits} bits tells another story: ${reason}`);
}

const tookS = (record.finishedNs - record.startNs) / 1e9;
process.stdout.write(`${context.renderer}, timer ${method.name}, a clock of ${times.bits} bits: a run of ${tookS.toFixed(1)} s, ${draws} events, latency ${run.latencyNs} ns

${markdownTable(['clocks read at', 'times', 'drift', 'largest error', 'from the middle', 'stated uncertainty'], rows)}
${draws - outside} of ${draws} events lie between their submission and the finish that followed.
${failures.map((failure) => `FAILED: ${failure}\n`).join('')}`);
process.exit(failures.length > 0 ? 1 : 0);
