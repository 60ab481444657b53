import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FrameTimeline } from '../../src/model/timeline.ts';
import { run } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';

const common = ['replay', samplePath('scene'), '--driver', 'egl', '--runs', '2'];

interface Slice {
  readonly ph: string;
  readonly pid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly run?: number; readonly deviceStart?: string };
}

test('one replay writes a timeline, flame graphs and JSON that say the same', async (context) => {
  const folder = await tempFolder(context);
  const [trace, flames, json] = ['trace.json', 'flames.json', 'report.json'].map((name) => join(folder, name));
  const { code, stderr } = await run([...common, '--perfetto', trace, '--speedscope', flames, '--json', json]);
  assert.equal(code, 0, stderr);
  const [events, graphs, report] = await Promise.all(
    [trace, flames, json].map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
  );
  const [frame] = report.frames;
  const leaves = frame.nodes.filter((node: { isLeaf: boolean }) => node.isLeaf).length;
  const timeline: FrameTimeline = frame.timeline;
  assert.equal(timeline.runs.length, 2);
  for (const [index, recorded] of timeline.runs.entries()) {
    assert.deepEqual([recorded.clock, recorded.uncertaintyNs, recorded.startsNs.length], ['host', 0, leaves]);
    recorded.startsNs.forEach((startNs, leaf) => {
      const endNs = recorded.endsNs[leaf] ?? Number.NaN;
      assert.ok(recorded.submitStartNs[leaf] <= (startNs ?? Number.NaN) && endNs <= recorded.finishNs[leaf]);
    });
    const slices = events.traceEvents.filter(
      ({ ph, pid, args }: Slice) => ph === 'X' && pid === 2 && args.run === index + 1 && args.deviceStart,
    ) as Slice[];
    assert.equal(slices.length, leaves);
    const sumNs = slices.reduce((sum, { dur }) => sum + dur * 1000, 0);
    // Each is rounded to a nanosecond.
    assert.ok(Math.abs(sumNs - frame.nodes[0].samples.durationNs[index]) <= leaves / 2 + 1, `${sumNs}`);
    slices.slice(1).forEach(({ ts }, at) => {
      assert.ok(ts >= slices[at].ts + slices[at].dur - 0.001, `slice ${at + 1} begins in the one before`);
    });
    assert.ok(Math.abs(graphs.profiles[index + 1].endValue - frame.nodes[0].samples.durationNs[index]) < 1);
  }
});

test('a timeline can be the main output, and JSON has none that nobody asked for', async () => {
  const perfetto = await run([...common, '--format', 'perfetto', '--per', 'pass']);
  assert.equal(perfetto.code, 0, perfetto.stderr);
  assert.ok(JSON.parse(perfetto.stdout).traceEvents.length > 6);
  const plain = await run([...common, '--format', 'json', '--per', 'pass']);
  assert.equal('timeline' in JSON.parse(plain.stdout).frames[0], false);
  const asked = await run([...common, '--format', 'json', '--per', 'pass', '--timeline']);
  assert.equal(JSON.parse(asked.stdout).frames[0].timeline.runs.length, 2);
});

test('without timing there is no timeline to be had', async () => {
  for (const args of [['--format', 'perfetto'], ['--speedscope', 'none.json'], ['--timeline']]) {
    const { code, stderr } = await run([...common, '--no-timing', '--counters', 'memory', ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /times, which --no-timing leaves out/);
  }
});
