import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GlContext } from '../../src/gl/context.ts';
import type { CounterDataType, MetricSet } from '../../src/model/counter.ts';
import { measureCounters } from '../../src/query/measure-counters.ts';
import type { MetricSource } from '../../src/query/metric-source.ts';
import { openMetricSources } from '../../src/query/open-sources.ts';
import { QueryManager } from '../../src/query/query-manager.ts';
import { smallIntelTable } from './double/double.ts';
import { readIntelTable, type TableCounter } from './double/intel-table.ts';
import { double, doubleContext, measure, open, openSource } from './intel-kit.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

const dataTypes: Readonly<Record<number, CounterDataType>> = {
  0x94f8: 'u32',
  0x94f9: 'u64',
  0x94fa: 'f32',
  0x94fb: 'f64',
  0x94fc: 'bool',
};

const info = (set: MetricSet) =>
  set.counters.map(({ name, unit, dataType, kind, exact, description }) =>
    [name, unit, dataType, kind, exact, description].join('|'),
  );

test('the small table is listed, on desktop GL and on ES', () => {
  for (const api of ['gl', 'es'] as const) {
    const { context, source } = open({}, {}, api);
    assert.ok(typeof source !== 'string');
    assert.equal(source.information, `GL_INTEL_performance_query of ${context.renderer} (${context.versionText})`);
    assert.deepEqual(
      source.sets.map(({ id, scope, description }) => [id, scope, description]),
      [
        ['intel/Work', 'context', '7 counters, measured together.'],
        [
          'intel/Large',
          'global',
          '7 counters, measured together. Global: what other contexts and programs do meanwhile is counted, too.',
        ],
        ['intel/Pipeline Statistics Registers', 'context', '2 counters, measured together.'],
      ],
    );
    assert.deepEqual(info(source.sets[0]), [
      'Busy|percent|f32|average|false|The percentage of time in which it was busy.',
      'Draws|events|u32|sum|false|Draw calls.',
      'FrequencyChanged||bool|any|false|Raw counter value',
      'GPU Time Elapsed|ns|u64|sum|false|Time elapsed on the GPU.',
      'N vertices submitted||u64|sum|true|N vertices submitted',
      'Reserved1||u32|point|false|Raw counter value',
      'SplitOccured||bool|any|false|Raw counter value',
    ]);
    assert.deepEqual(info(source.sets[1]), [
      'Average||f64|average|false|A double.',
      'Bytes|bytes|u64|sum|false|Bytes read.',
      'Frequency|Hz|u64|average|false|Average frequency.',
      'Same||u32|sum|false|The first.',
      'Same (2)||u32|sum|false|The second.',
      'Stamp|us|u64|point|false|A point in time.',
      'Vertices beyond doubles|vertices|u64|sum|false|A large number.',
    ]);
    assert.deepEqual([...source.lost], []);
    assert.equal(context.gl.glGetError(), 0);
  }
});

test('every query reads what happened in it, to the last bit', () => {
  const { context, source } = openSource();
  const work = measure(context, source, 'intel/Work', [1, 5, 0]);
  assert.deepEqual(work.reports, []);
  assert.deepEqual(work.values.Draws, [1, 1, 1]);
  assert.deepEqual(work.values['N vertices submitted'], [3, 15, 0]);
  assert.deepEqual(work.values.FrequencyChanged, [false, false, false]);
  assert.deepEqual(work.values.Reserved1, [0, 0, 0], 'what the driver leaves unwritten was zeroed');
  assert.deepEqual(work.values.Busy, [32.5, 32.5, 32.5]);
  assert.ok(work.values['GPU Time Elapsed'].every((ns) => typeof ns === 'number' && ns > 0 && ns < 1e12));

  const large = measure(context, source, 'intel/Large', [1, 5, 0]);
  const beyond = 2n ** 53n + 1n;
  assert.deepEqual(large.values['Vertices beyond doubles'], [beyond + 3n, beyond + 15n, beyond]);
  assert.deepEqual(large.values.Bytes[0], 0xf000000080000008n);
  assert.deepEqual(large.values.Average[0], 24.1);
  assert.deepEqual([large.values.Same[0], large.values['Same (2)'][0]], [0x80000000 + 36, 0x80000000 + 40]);

  const statistics = measure(context, source, 'intel/Pipeline Statistics Registers', [1, 5, 0]);
  assert.deepEqual(statistics.values['N primitives submitted'], [1, 5, 0]);
});

test('a part of the counters is read from the whole result', () => {
  const { context, source } = openSource();
  const manager = new QueryManager(context, [source]);
  const seen: unknown[] = [];
  manager.registerCallback(({ columns }) => seen.push(columns));
  manager.subscribe('intel/Work', 1, ['intel/Work/Draws', 'intel/Work/N vertices submitted']);
  manager.beginQuery(0);
  context.gl.glDrawArrays(4, 0, 6);
  manager.endQuery(0);
  assert.deepEqual(manager.unsubscribe(), []);
  assert.deepEqual(seen, [[new Float64Array([1]), new BigUint64Array([6n])]]);
  manager.dispose();
  assert.equal(double.count('live'), 0, 'every instance is deleted');
});

test('instances are made once and used again, and all ten entry points are called', () => {
  const { context, source } = openSource();
  const manager = new QueryManager(context, [source]);
  for (let run = 0; run < 3; run++)
    assert.deepEqual(measure(context, source, 'intel/Work', [1, 2], manager).values.Draws, [1, 1]);
  assert.equal(double.count('CreatePerfQuery'), 2);
  manager.dispose();
  const commands = 'GetFirstPerfQueryId GetNextPerfQueryId GetPerfQueryIdByName GetPerfQueryInfo GetPerfCounterInfo';
  for (const command of `${commands} CreatePerfQuery DeletePerfQuery BeginPerfQuery EndPerfQuery GetPerfQueryData`.split(
    ' ',
  ))
    assert.ok(double.count(command) > 0, command);
  assert.equal(double.count('GetPerfCounterInfo'), 16);
});

test('polling flushes once a query and then only asks; waiting asks once', () => {
  const polled = openSource({ INTEL_READY: 4 });
  measure(polled.context, polled.source, 'intel/Work', [1, 1]);
  assert.deepEqual(['FLUSH', 'DONOT_FLUSH', 'WAIT'].map(double.count), [2, 8, 0]);
  const waited = openSource({ INTEL_READY: 4 }, { reading: 'wait' });
  assert.deepEqual(
    measure(waited.context, waited.source, 'intel/Work', [1, 4]).values['N vertices submitted'],
    [3, 12],
  );
  assert.deepEqual(['FLUSH', 'DONOT_FLUSH', 'WAIT'].map(double.count), [0, 0, 2]);
});

test('counters of a frame, per draw, several query types, over windows of the instances that there are', async () => {
  const { context, source } = openSource({ INTEL_INSTANCES: 2 });
  const frame = loopFrame(context, [1, 1, 1, 1, 1], 16);
  const requests = source.sets.map((set) => ({ source, set, counters: set.counters }));
  const measured = await measureCounters(context, frame, loopTree(5), requests, { runs: 2 });
  for (const { problem, runs, passes } of measured) {
    assert.equal(problem, null);
    assert.equal(runs.length, 2);
    assert.equal(passes, 3, 'two queries at once take three replays of five draws');
    for (const run of runs) assert.equal(run.failed.size + run.questionable.size, 0);
  }
  const at = source.sets[0].counters.findIndex(({ name }) => name === 'N vertices submitted');
  for (const run of measured[0].runs) assert.deepEqual([...run.columns[at]], [3n, 3n, 3n, 3n, 3n]);
  assert.equal(context.gl.glGetError(), 0);
});

test('the sources of a context include it, and say why not', () => {
  double.reset();
  const { sources, missing } = openMetricSources(doubleContext());
  assert.ok(sources.some(({ type }) => type === 'intel'));
  double.reset({ EXTENSIONS: 'none' });
  const plain = double.open({ api: 'gl' });
  const without = openMetricSources(plain);
  assert.match(
    without.missing.find(({ source }) => source === 'intel')?.reason ?? '',
    /^llvmpipe .* lacks GL_INTEL_performance_query$/,
  );
  plain.destroy();
  assert.ok(!missing.some(({ source }) => source === 'intel'));
});

/** What the double writes for a counter that counts nothing in particular. */
function patternOf({ offset, dataType, name, description }: TableCounter): unknown {
  if (name.startsWith('Reserved')) return 0;
  if (dataType === 0x94fa) return (description.includes('percent') ? offset % 100 : offset) + 0.5;
  if (dataType === 0x94fc) return false;
  return dataType === 0x94f8 ? 0x80000000 + offset : 0xf000000080000000n + BigInt(offset);
}
const computed = new Set(['GPU Time Elapsed', 'N vertices submitted', 'N primitives submitted']);

for (const [name, count] of [
  ['sim_skl.gl45.txt', 25],
  ['noop_skl.gl45.txt', 2],
  ['', 3],
] as const) {
  const path = name ? fileURLToPath(new URL(`../../../shared/intel/${name}`, import.meta.url)) : smallIntelTable;
  const skip = existsSync(path) ? false : `no ${name} beside this checkout`;
  test(`the enumeration ${name || 'of the small table'} comes out as it stands there`, { skip }, () => {
    const table = readIntelTable(path);
    assert.equal(table.length, count);
    const { context, source } = openSource({ INTEL_TABLE: path });
    assert.deepEqual([...source.lost], []);
    assert.deepEqual(
      source.sets.map(({ id }) => id),
      table.map((type) => `intel/${type.name}`),
    );
    for (const [index, set] of source.sets.entries()) {
      const { counters } = table[index];
      assert.deepEqual(
        set.counters.map(({ name: own, dataType }) => [own.replace(/ \(2\)$/, ''), dataType]),
        counters.map((counter) => [counter.name, dataTypes[counter.dataType]]),
      );
      assert.equal(new Set(set.counters.map(({ id }) => id)).size, counters.length);
      for (const [at, { unit }] of set.counters.entries())
        assert.equal(unit === '', !counters[at].description.includes('Unit: '));
      if (name) checkValues(context, source, set, counters);
    }
  });
}

/** Measures one draw, and compares each value with what the double writes at the counter's offset. */
function checkValues(
  context: GlContext,
  source: MetricSource,
  set: MetricSet,
  counters: readonly TableCounter[],
): void {
  const { values, failed, questionable } = measure(context, source, set.id, [2]);
  assert.deepEqual([failed, questionable], [{}, {}]);
  for (const [at, counter] of counters.entries()) {
    const value = values[set.counters[at].name][0];
    if (!computed.has(counter.name)) assert.equal(value, patternOf(counter), `${set.id}/${counter.name}`);
  }
  if (values['N vertices submitted']) assert.deepEqual(values['N vertices submitted'], [6]);
}
