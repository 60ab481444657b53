import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnValue } from '../../src/model/counter.ts';
import { measureCounters } from '../../src/query/measure-counters.ts';
import { openMetricSources } from '../../src/query/open-sources.ts';
import { double, measure, open, openSource, setOf } from './amd-kit.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

const whose = " The extension does not say whether other programs' work counts, too.";

for (const api of ['gl', 'es'] as const)
  test(`all groups and counters are listed (${api})`, () => {
    const { source } = openSource({}, api);
    assert.match(source.information, /^GL_AMD_performance_monitor of /);
    assert.deepEqual(
      source.sets.map(({ id, name, source: from, scope, description }) => [id, name, from, scope, description]),
      [
        ['amd/Work', 'Work', 'amd', 'global', `5 counters, at most 2 at once.${whose}`],
        ['amd/Pipeline Statistics', 'Pipeline Statistics', 'amd', 'context', '2 counters, all at once.'],
        ['amd/Work (2)', 'Work (2)', 'amd', 'global', `1 counter.${whose}`],
      ],
    );
    const lines = source.sets.flatMap(({ counters }) =>
      counters.map(({ id, dataType, unit, kind, exact, description }) =>
        [id, dataType, unit, kind, exact, description].join('|'),
      ),
    );
    assert.deepEqual(lines, [
      'amd/Work/Draws|u32||sum|false|Counter 11 of group 70. Between 0 and 1000000.',
      'amd/Work/Vertices|u64||sum|false|Counter 7 of group 70.',
      'amd/Work/Vertices per draw|f32||average|false|Counter 900 of group 70. Between 0 and 1000000.',
      'amd/Work/Share of draws|f32|percent|average|false|Counter 4 of group 70. Between 0 and 100.',
      'amd/Work/Draws (2)|u64||sum|false|Counter 5 of group 70.',
      'amd/Pipeline Statistics/Primitives submitted|u64||sum|true|Counter 7 of group 3.',
      'amd/Pipeline Statistics/Vertices submitted|u64||sum|true|Counter 0 of group 3.',
      'amd/Work (2)/Clears in bytes|u32|bytes|sum|false|Counter 1 of group 4000000000. Between 0 and 1000000.',
    ]);
    assert.deepEqual([...source.lost], []);
  });

test('every query reads what happened in it, to the last bit, on ES too', () => {
  for (const api of ['gl', 'es'] as const) {
    const { context, source } = openSource({}, api);
    const { values, failed, questionable } = measure(context, source, 'amd/Work', [1, 3]);
    assert.deepEqual([failed, questionable], [{}, {}]);
    assert.deepEqual(values, {
      Draws: [1, 3],
      Vertices: [3, 9],
      'Vertices per draw': [3, 3],
      'Share of draws': [50, 75],
      'Draws (2)': [2n ** 63n + 2n, 2n ** 63n + 4n],
    });
    assert.equal(double.count('live monitors'), 0, 'all monitors are deleted');
  }
});

test("a group's maximum splits its counters, and all eleven entry points are called", () => {
  const { context, source } = openSource();
  const names = (id: string) => {
    const set = setOf(source, id);
    return source.split(set, set.counters).map((list) => list.map(({ name }) => name));
  };
  assert.deepEqual(names('amd/Work'), [['Draws', 'Vertices'], ['Vertices per draw', 'Share of draws'], ['Draws (2)']]);
  assert.deepEqual(names('amd/Pipeline Statistics'), [['Primitives submitted', 'Vertices submitted']]);
  measure(context, source, 'amd/Pipeline Statistics', [1]);
  const functions = ['Groups', 'Counters', 'GroupString', 'CounterString', 'CounterInfo', 'CounterData'];
  for (const name of functions.map((part) => `GetPerfMonitor${part}`)) assert.ok(double.count(name) > 0, name);
  for (const name of ['GenPerfMonitors', 'DeletePerfMonitors', 'SelectPerfMonitorCounters'])
    assert.ok(double.count(name) > 0, name);
  for (const name of ['BeginPerfMonitor', 'EndPerfMonitor']) assert.ok(double.count(name) > 0, name);
});

test("counters of a frame, per draw, in as many replay passes as the groups' maxima ask for", async () => {
  const { context, source } = openSource();
  const requests = source.sets.map((set) => ({ source, set, counters: set.counters }));
  const measured = await measureCounters(context, loopFrame(context, [1, 2, 3], 16), loopTree(3), requests, {
    runs: 2,
  });
  assert.deepEqual(
    measured.map(({ passes, problem }) => [passes, problem]),
    [
      [3, null],
      [1, null],
      [1, null],
    ],
  );
  for (const run of measured[0].runs)
    assert.deepEqual(
      run.columns.map((column) => columnValue(column, 2)),
      [1, 3, 3, 100, 2n ** 63n + 2n],
    );
  assert.equal(measured[1].runs.length, 2);
  assert.deepEqual([columnValue(measured[1].runs[1].columns[0], 0), measured[1].runs[1].failed.size], [1, 0]);
  assert.equal(context.gl.glGetError(), 0);
});

test('where there are fewer monitors than leaves, the leaves are measured in parts', async () => {
  for (const AMD_MONITOR0 of [null, 1]) {
    const { context, source } = openSource({ AMD_MONITORS: 2, AMD_MONITOR0 });
    const set = setOf(source, 'amd/Pipeline Statistics');
    const frame = loopFrame(context, [1, 1, 1, 1, 1], 16);
    const [measured] = await measureCounters(context, frame, loopTree(5), [{ source, set, counters: set.counters }], {
      runs: 1,
    });
    assert.deepEqual([measured.passes, measured.problem, source.maximumQueries(set)], [3, null, 2]);
    for (let leaf = 0; leaf < 5; leaf++) assert.equal(columnValue(measured.runs[0].columns[1], leaf), 3);
  }
});

test('without a monitor the set has a problem and no values', async () => {
  const { context, source } = openSource({ AMD_MONITORS: 0 });
  const set = setOf(source, 'amd/Work (2)');
  const request = { source, set, counters: set.counters };
  const [measured] = await measureCounters(context, loopFrame(context, [1], 16), loopTree(1), [request], { runs: 1 });
  assert.equal(measured.problem, 'amd/Work (2) cannot be measured: GenPerfMonitorsAMD raised GL_OUT_OF_MEMORY');
});

test('the sources of a context include it, and say why not', () => {
  const { context } = open();
  const types = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type);
  assert.ok(types(openMetricSources(context).sources).includes('amd'));
  double.reset({ EXTENSIONS: 'none' });
  const plain = double.open({ api: 'gl' });
  const missing = openMetricSources(plain).missing.find(({ source }) => source === 'amd');
  assert.match(missing?.reason ?? '', / lacks GL_AMD_performance_monitor$/);
  plain.destroy();
});
