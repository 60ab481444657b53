import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MetricSet } from '../../src/model/counter.ts';
import type { NodeReport, Report } from '../../src/model/report.ts';
import { projectRoot } from '../helpers/cli.ts';
import { drivers } from '../helpers/drivers.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { writeSmallCapture } from './small-capture.ts';

interface Listing {
  readonly format: string;
  readonly version: number;
  readonly environment: { readonly api: string };
  readonly sets: readonly MetricSet[];
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
}

const listed = async (...args: string[]): Promise<Listing> =>
  JSON.parse((await runInSession(['counters', '--format', 'json', ...args])).stdout) as Listing;

async function measured(file: string, ...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await runInSession(['replay', file, '--format', 'json', ...args]);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Report;
}

const named = (report: Report, name: string): NodeReport[] =>
  report.frames.flatMap(({ nodes }) => nodes.filter((node) => node.name === name));

const valuesOf = (node: NodeReport): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node.counters ?? {}).map(([id, { value }]) => [id, value]));

test('counters lists every set with its counters, desktop OpenGL first', async () => {
  const { format, version, environment, sets, missing } = await listed();
  assert.deepEqual([format, version, environment.api], ['gpuprof-counters', 1, 'gl']);
  assert.deepEqual(
    sets.map(({ id }) => id),
    ['timer', 'statistics', 'memory', 'derived'],
  );
  assert.deepEqual(
    sets[1].counters.map(({ name }) => name),
    [
      'Input Vertices Read',
      'Input Primitives',
      'GS Primitives',
      'Rasterizer Invocations',
      'Rasterized Primitives',
      'Samples Passed',
      'VS Invocations',
      'TCS Invocations',
      'TES Invocations',
      'GS Invocations',
      'PS Invocations',
      'CS Invocations',
    ],
  );
  for (const { id, counters } of sets)
    for (const counter of counters) {
      assert.equal(counter.set, id);
      assert.equal(counter.id, `${id}/${counter.name}`);
      assert.match(counter.description, /\w.*\.$/);
      assert.match(counter.dataType, /^(u32|u64|f32|f64|bool)$/);
    }
  assert.deepEqual(
    missing.map(({ source }) => source),
    ['intel', 'amd'],
  );
  for (const { reason } of missing) assert.match(reason, /^llvmpipe .* lacks GL_(INTEL|AMD)_performance_/);
});

test('counters of OpenGL ES are what ES counts; a pattern chooses; one that means nothing is bad usage', async () => {
  for (const driver of drivers) {
    const { sets } = await listed('statistics', 'CPU*', '--api', 'es', '--driver', driver);
    assert.deepEqual(
      sets.flatMap(({ counters }) => counters.map(({ id, dataType, kind }) => `${id} ${dataType} ${kind}`)),
      [
        'timer/CPU time f64 sum',
        'statistics/Any Samples Passed bool any',
        'statistics/Primitives Written u64 sum',
        'statistics/Primitives Generated u64 sum',
      ],
    );
  }
  const { code, stdout, stderr } = await runInSession(['counters', 'no such']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^gpuprof: no counter is called "no such"; .*\n$/);
});

test('the table of counters has a line for each, with unit, type and kind', async () => {
  const { code, stdout } = await runInSession(['counters', 'derived/time*', 'memory/Target Samples']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^on OpenGL \d\.\d llvmpipe .* through egl\n\nmemory \(1 counter\): .*\n {2}Target Samples {2}samples {2}u64 {3}distinct {2}\S/,
  );
  assert.match(stdout, /^ {2}time per draw {2}ns {2}f64 {3}ratio {5}\S/m);
});

for (const driver of drivers)
  test(`statistics of a WebGL capture on ${driver}: counted on desktop OpenGL, the same in each of 20 runs`, async (t) => {
    const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
    const report = await measured(file, '--driver', driver, '--runs', '20', '--counters', 'statistics');
    assert.equal(report.environment.api, 'es');
    const [set] = report.counters ?? [];
    assert.deepEqual([set.id, set.passes, set.runs, set.status], ['statistics', 1, 20, 'ok']);
    assert.deepEqual([set.origin?.driver, set.origin?.api], ['egl', 'gl']);
    const draw = named(report, 'glDrawArrays(3)')[0].counters ?? {};
    assert.equal(Object.keys(draw).length, 12);
    for (const [id, value] of [
      ['Input Vertices Read', 3],
      ['Input Primitives', 1],
      ['Samples Passed', 32],
      ['VS Invocations', 3],
      ['CS Invocations', 0],
    ] as const) {
      const cell = draw[`statistics/${id}`];
      assert.deepEqual([cell.value, cell.status, cell.samples], [value, 'ok', Array(20).fill(value)], id);
    }
    const [frame] = report.frames[0].nodes;
    assert.equal(frame.counters?.['statistics/Samples Passed'].value, 64);
    assert.equal(named(report, 'glClear(Color)')[0].counters?.['statistics/Samples Passed'].value, 0);
  });

test('with --api es the statistics are those of OpenGL ES, on the context of the times', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const report = await measured(file, '--driver', 'egl', '--api', 'es', '--runs', '2', '--counters', 'statistics');
  assert.equal(report.counters?.[0].origin?.api, 'es');
  assert.deepEqual(valuesOf(named(report, 'glDrawArrays(3)')[1]), {
    'statistics/Any Samples Passed': true,
    'statistics/Primitives Written': 0,
    'statistics/Primitives Generated': 1,
  });
  assert.equal(named(report, 'glClear(Color)')[0].counters?.['statistics/Any Samples Passed'].value, false);
});

test('memory and what is derived: parts are measured without being shown, groups come from their own sums', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const patterns = ['--counters', 'memory/Target*', '--counters', 'overdraw,vertices per primitive'];
  const report = await measured(file, '--driver', 'egl', '--runs', '1', ...patterns);
  assert.deepEqual(
    report.counters?.map(({ id, passes }) => [id, passes]),
    [
      ['memory', 0],
      ['derived', 0],
    ],
  );
  assert.deepEqual(valuesOf(named(report, 'glDrawArrays(3)')[0]), {
    'memory/Target Bytes Bound': 128,
    'memory/Target Bytes Touched': 128,
    'memory/Target Samples': 32,
    'derived/overdraw': 1,
    'derived/vertices per primitive': 3,
  });
  assert.deepEqual(valuesOf(report.frames[0].nodes[0]), {
    'memory/Target Bytes Bound': 128,
    'memory/Target Bytes Touched': 384,
    'memory/Target Samples': 32,
    'derived/overdraw': 2,
    'derived/vertices per primitive': 3,
  });
});

test('a source that is not there loses its columns only, with the reason', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const report = await measured(file, '--driver', 'egl', '--runs', '1', '--counters', 'intel,amd/*,Samples Passed');
  assert.deepEqual(
    report.counters?.map(({ id, status, counters }) => [id, status, counters.length]),
    [
      ['statistics', 'ok', 1],
      ['intel', 'failed', 0],
      ['amd/*', 'failed', 0],
    ],
  );
  assert.match(report.counters?.[1].reason ?? '', /lacks GL_INTEL_performance_query$/);
  assert.equal(report.warnings.filter(({ code }) => code === 'counters-lost').length, 2);
  assert.equal(named(report, 'glDrawArrays(3)')[0].counters?.['statistics/Samples Passed'].value, 32);
});

test('a column for each counter in CSV, in the order of the sets', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const patterns = ['--counters', '?S Invocations,memory/Bytes Touched'];
  const { stdout } = await runInSession([
    'replay',
    file,
    '--driver',
    'egl',
    '--runs',
    '1',
    '--format',
    'csv',
    ...patterns,
  ]);
  const [head, ...rows] = stdout.trimEnd().split('\r\n');
  assert.ok(
    head.endsWith(
      ',reason,statistics/VS Invocations,statistics/GS Invocations,statistics/PS Invocations,statistics/CS Invocations,memory/Bytes Touched',
    ),
  );
  assert.match(rows[0], /,6,0,\d+,0,416$/);
});

test('frames of a capture are counted each for itself, coarser brackets as a whole', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { frames: 2 });
  const report = await measured(
    file,
    '--driver',
    'egl',
    '--runs',
    '2',
    '--per',
    'frame',
    '--counters',
    'Samples Passed',
  );
  assert.deepEqual(
    report.frames.map(({ nodes }) => nodes.map(({ counters }) => counters?.['statistics/Samples Passed'].samples)),
    [[[64, 64]], [[64, 64]]],
  );
});

test('what counts work of a big frame repeats exactly: every leaf of the courtyard, three runs', async () => {
  const report = await measured(join(projectRoot, 'captures', 'scene.cap'), '--runs', '3', '--counters', 'statistics');
  assert.equal(report.counters?.[0].status, 'ok');
  for (const node of report.frames[0].nodes)
    for (const [id, { samples, status }] of Object.entries(node.counters ?? {}))
      assert.deepEqual([samples.length, new Set(samples).size, status], [3, 1, 'ok'], `${node.path}: ${id}`);
});

test('bad patterns are bad usage, before anything is replayed', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const unknown = await runInSession(['replay', file, '--driver', 'egl', '--counters', 'PS Invocations,no such']);
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^gpuprof: no counter is called "no such"; `gpuprof counters` lists .*\n$/);
  assert.equal((await runInSession(['replay', file, '--counters', 'a,,b'])).code, 2);
});

test('with --no-timing counters are all there is, and the timers are not even checked', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const report = await measured(file, '--driver', 'egl', '--runs', '2', '--no-timing', '--counters', 'Samples Passed');
  const { timer, method, why } = report.settings;
  assert.deepEqual([timer, method, why, report.trust.methods], ['auto', null, 'not timed, as asked', []]);
  const [draw] = named(report, 'glDrawArrays(3)');
  assert.deepEqual([draw.durationNs, draw.status, draw.reason], [null, 'failed', 'not timed, as asked']);
  assert.deepEqual(draw.counters?.['statistics/Samples Passed'].samples, [32, 32]);
  const table = await runInSession(['replay', file, '--driver', 'egl', '--no-timing', '--counters', 'all']);
  assert.deepEqual([table.code, table.stderr], [0, '']);
  assert.match(table.stdout, /^timer {5}none: not timed, as asked$/m);
  assert.doesNotMatch(table.stdout, /^(runs|floor|frame|leaves) |^event .* failed/m);
});

test('what a context of OpenGL ES alone cannot count says so, and how to have it counted', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const report = await measured(file, '--driver', 'egl', '--api', 'es', '--runs', '1', '--counters', 'Samples Passed');
  assert.deepEqual(
    report.counters?.map(({ id, status, reason }) => [id, status, reason]),
    [['Samples Passed', 'failed', 'OpenGL ES does not count it; without --api es a desktop context does']],
  );
});
