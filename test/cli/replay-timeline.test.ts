import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import type { FrameTimeline } from '../../src/model/timeline.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { checkTrace } from '../report/check-trace.ts';
import { writeSmallCapture } from './small-capture.ts';

const common = ['replay', samplePath('triangle'), '--driver', 'egl', '--runs', '2', '--timer', 'finish'];

/** Every event of every run between its submission and the finish that followed, one after the other. */
function checkTimes({ runs }: FrameTimeline): void {
  for (const { startsNs, endsNs, submitStartNs, finishNs, finishedNs, latencyNs } of runs) {
    let last = 0;
    startsNs.forEach((startNs, leaf) => {
      const inOrder = [last, submitStartNs[leaf], startNs, endsNs[leaf], finishNs[leaf], finishedNs];
      assert.ok(inOrder.every((timeNs, index) => index === 0 || Number(timeNs) >= Number(inOrder[index - 1])));
      assert.ok(startNs !== null && endsNs[leaf] !== null);
      last = endsNs[leaf] ?? Number.NaN;
    });
    assert.ok(latencyNs !== null && latencyNs > 0, `${latencyNs}`);
  }
}

/** What speedscope adds up for a node of a profile: from its opening to its close. */
function totalOf(
  { events }: { events: readonly { type: string; frame: number; at: number }[] },
  frame: number,
): number {
  const [open, close] = events.filter((event) => event.frame === frame);
  assert.deepEqual([open.type, close.type], ['O', 'C']);
  return close.at - open.at;
}

test('one replay of several frames writes a timeline, flame graphs and JSON that say the same', async (context) => {
  const folder = await tempFolder(context);
  const file = await writeSmallCapture(join(folder, 'small.cap'), { frames: 2 });
  const [trace, flames, json] = ['trace.json', 'flames.json', 'report.json'].map((name) => join(folder, name));
  const options = ['--driver', 'egl', '--api', 'gl', '--runs', '4', '--timer', 'finish', '--counters', 'statistics'];
  const outputs = ['--perfetto', trace, '--speedscope', flames, '--json', json];
  const { code, stdout, stderr } = await runInSession(['replay', file, ...options, ...outputs, '--format', 'table']);
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/^timeline +of execution by the host's clock, between finishes$/gm)?.length, 2, stdout);
  assert.equal(stdout.match(/^latency +[\d.]+ .s, [\d.]+ .s to [\d.]+ .s, by which the GPU was behind/gm)?.length, 2);
  const [events, graphs, report] = await Promise.all([trace, flames, json].map((each) => readFile(each, 'utf8')));
  const { frames, counters } = JSON.parse(report) as Report;
  const loaded = checkTrace(events, JSON.parse(report));
  const timed = counters?.flatMap((set) => set.counters).filter(({ kind }) => kind !== 'ratio') ?? [];
  assert.ok(loaded.counters.size > 3 && loaded.counters.size <= timed.length, `${loaded.counters.size}`);
  const { profiles, activeProfileIndex } = JSON.parse(graphs);
  assert.equal(activeProfileIndex, 0);
  assert.equal(profiles.length, frames.length * 6);
  let first = 0;
  for (const { timeline, nodes, frame } of frames) {
    assert.equal(timeline?.runs.length, 4);
    checkTimes(timeline);
    const [middle, medians, ...runs] = profiles.slice((frame - 1) * 6);
    assert.ok(Math.abs(middle.endValue - (nodes[0].durationNs?.median ?? Number.NaN)) < 0.01, `${middle.endValue}`);
    nodes.forEach(({ isLeaf, eventId, durationNs, samples }, node) => {
      const slices = loaded.slices.filter(
        ({ pid, args }) => pid === 2 && args.frame === frame && args.eventId === eventId,
      );
      const inTrace = slices.map(({ args }) => Number(args.durationNs)).toSorted((a, b) => a - b);
      const medianNs = (inTrace[1] + inTrace[2]) / 2;
      assert.equal(medianNs, durationNs?.median);
      if (isLeaf) assert.ok(Math.abs(totalOf(medians, first + node) - medianNs) < 0.01);
      for (const [run, total] of samples.durationNs.entries())
        assert.ok(Math.abs(totalOf(runs[run], first + node) - (total ?? Number.NaN)) < 0.01);
    });
    first += nodes.length;
  }
});

test('where no clock tells when the GPU worked, every format says so', async () => {
  for (const timer of ['elapsed', 'timestamp']) {
    const args = [...common.slice(0, -1), timer, '--timeline', '--format'];
    const [{ stdout: table }, { stdout: json }] = [
      await runInSession([...args, 'table']),
      await runInSession([...args, 'json']),
    ];
    assert.match(table, /^timeline +of submission only: its timestamps cannot be trusted; `--timer finish` times by/m);
    const [{ timeline }] = (JSON.parse(json) as Report).frames;
    for (const { clock, reason, startsNs, latencyNs } of timeline?.runs ?? []) {
      assert.equal(clock, 'none');
      assert.match(reason ?? '', /^its timestamps cannot be trusted/);
      assert.deepEqual(new Set(startsNs), new Set([null]));
      assert.ok(latencyNs !== null && latencyNs > 0);
    }
  }
});

test('a timeline can be the main output, and JSON has none that nobody asked for', async () => {
  const perfetto = await runInSession([...common, '--format', 'perfetto', '--per', 'pass']);
  assert.equal(perfetto.code, 0, perfetto.stderr);
  assert.ok(JSON.parse(perfetto.stdout).traceEvents.length > 6);
  const plain = await runInSession([...common, '--format', 'json', '--per', 'pass']);
  assert.equal('timeline' in JSON.parse(plain.stdout).frames[0], false);
  const asked = await runInSession([...common, '--format', 'json', '--per', 'pass', '--timeline']);
  assert.equal(JSON.parse(asked.stdout).frames[0].timeline.runs.length, 2);
});

test('without timing there is no timeline to be had', async () => {
  for (const args of [['--format', 'perfetto'], ['--speedscope', 'none.json'], ['--timeline']]) {
    const { code, stderr } = await runInSession([...common, '--no-timing', '--counters', 'memory', ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /times, which --no-timing leaves out/);
  }
});
