import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureCounters } from '../../src/query/measure-counters.ts';
import { openMetricSources } from '../../src/query/open-sources.ts';
import { QueryManager } from '../../src/query/query-manager.ts';
import type { Switches } from './double/double.ts';
import { counterLine, double, measure, open, openSource, tableOf, typeLine } from './intel-kit.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

/** What goes wrong in query 1 of three of the set Work, and the reason that must be given. */
const failures: readonly (readonly [string, Switches, string])[] = [
  ['a begin that is refused', { INTEL_BEGIN: 'refused' }, 'BeginPerfQueryINTEL raised GL_INVALID_OPERATION'],
  [
    'a begin that fails in silence',
    { INTEL_BEGIN: 'silent' },
    'GetPerfQueryDataINTEL raised GL_INVALID_OPERATION: the driver did not measure',
  ],
  [
    'a begin that does nothing',
    { INTEL_BEGIN: 'none' },
    'EndPerfQueryINTEL raised GL_INVALID_OPERATION: the driver had not begun it',
  ],
  ['a result that never comes', { INTEL_READY: 'never' }, 'its result did not become available in time'],
  ['a result of nothing but zeros', { INTEL_EMPTY: 'all' }, 'its result is empty: not even time passed'],
  ['a result that is too short', { INTEL_BYTES: 40 }, 'the driver wrote 40 bytes of 48'],
  ['a result that is too long', { INTEL_BYTES: 4096 }, 'the driver wrote 4096 bytes of 48'],
];

for (const [what, switches, reason] of failures)
  test(`${what} loses that query only`, () => {
    const { context, source } = openSource({ ...switches, INTEL_ONLY_BEGIN: 1 });
    const manager = new QueryManager(context, [source]);
    const first = measure(context, source, 'intel/Work', [1, 2, 3], manager);
    assert.deepEqual(first.failed, { 1: reason });
    assert.deepEqual(first.values['N vertices submitted'], [3, null, 9]);
    assert.deepEqual(first.reports, [{ id: 1, place: 1, status: 'failed', reason, values: [] }]);
    // The next run is well: the fault was the first run's.
    const second = measure(context, source, 'intel/Work', [1, 2, 3], manager);
    assert.deepEqual(second.failed, {});
    assert.deepEqual(second.values['N vertices submitted'], [3, 6, 9]);
    manager.dispose();
  });

test('a result in which no time passed is questionable', () => {
  const { context, source } = openSource({ INTEL_EMPTY: 'time', INTEL_ONLY_BEGIN: 1 });
  const { values, failed, questionable } = measure(context, source, 'intel/Work', [1, 2, 3]);
  assert.deepEqual(values['N vertices submitted'], [3, 6, 9]);
  assert.deepEqual([failed, questionable], [{}, { 1: 'GPU Time Elapsed is 0' }]);
});

test('results that come late are waited for', () => {
  const { context, source } = openSource({ INTEL_READY: 300 });
  assert.deepEqual(measure(context, source, 'intel/Work', [1, 2]).values['N vertices submitted'], [3, 6]);
});

test('results that never come cost one wait for all of them, and their instances are left alone', () => {
  const { context, source } = openSource({ INTEL_READY: 'never', INTEL_ONLY_QUERY: 1 });
  const { failed } = measure(context, source, 'intel/Work', [1, 2, 3, 4]);
  assert.equal(Object.keys(failed).length, 4);
  assert.equal(double.count('FLUSH'), 4);
  // The first query had the whole time; the others one question each after their flush.
  assert.ok(double.count('DONOT_FLUSH') > 100 + 3);
  assert.equal(double.count('DeletePerfQuery'), 0, 'deleting one could wait for ever');
  assert.deepEqual(measure(context, source, 'intel/Large', [1]).failed, {}, 'other types are well');
});

test('a source that never answers is waited for once, whichever of its sets is measured', () => {
  const { context, source } = openSource({ INTEL_READY: 'never' });
  const questions = (set: string) => {
    const before = double.count('DONOT_FLUSH');
    measure(context, source, set, [1, 2]);
    return double.count('DONOT_FLUSH') - before;
  };
  const first = questions('intel/Work');
  const later = [questions('intel/Large'), questions('intel/Work'), questions('intel/Large')];
  // A pause of a millisecond between questions: 2 s in all against 20 ms.
  assert.ok(first > 300, `${first} questions`);
  for (const count of later) assert.ok(count < 200, `${count} questions`);
  // When results come again they are waited for again.
  double.set({ INTEL_READY: 1 });
  assert.deepEqual(measure(context, source, 'intel/Work', [1]).failed, {});
  double.set({ INTEL_READY: 300 });
  assert.deepEqual(measure(context, source, 'intel/Work', [1]).failed, {});
});

test('without polling a result that does not come fails at once', () => {
  const { context, source } = openSource({ INTEL_READY: 'never' }, { reading: 'wait' });
  assert.deepEqual(measure(context, source, 'intel/Work', [1]).failed, {
    0: 'its result did not become available in time',
  });
  assert.deepEqual([double.count('WAIT'), double.count('FLUSH')], [1, 0]);
});

test('a busy device fails every query of its type and none of another', async () => {
  const { context, source } = openSource({ INTEL_BEGIN: 'silent', INTEL_ONLY_QUERY: 2 });
  const requests = source.sets.map((set) => ({ source, set, counters: set.counters }));
  const frame = loopFrame(context, [1, 1], 16);
  const [work, large, statistics] = await measureCounters(context, frame, loopTree(2), requests, { runs: 2 });
  for (const { runs } of [work, statistics]) for (const run of runs) assert.equal(run.failed.size, 0);
  for (const { failed } of large.runs)
    for (const reason of failed.values())
      assert.equal(reason, 'GetPerfQueryDataINTEL raised GL_INVALID_OPERATION: the driver did not measure');
  assert.deepEqual(
    large.runs.map(({ failed }) => failed.size),
    [2, 2],
  );
  assert.equal(context.gl.glGetError(), 0);
});

test('types that the hardware cannot count at once fail while another is open, statistics do not', () => {
  const { context, source } = openSource();
  const [work, large, statistics] = source.sets.map((set) => source.open(set, set.counters));
  for (const set of [work, large, statistics]) set.subscribe(1);
  for (const set of [work, large, statistics]) set.beginQuery(0);
  for (const set of [statistics, large, work]) set.endQuery(0);
  const order = new Uint32Array([0]);
  assert.equal(work.unsubscribe(order).failed.size, 0);
  assert.equal(
    large.unsubscribe(order).failed.get(0),
    'GetPerfQueryDataINTEL raised GL_INVALID_OPERATION: the driver did not measure',
  );
  assert.equal(statistics.unsubscribe(order).failed.size, 0);
  assert.equal(context.gl.glGetError(), 0);
});

test('a driver that writes behind its result loses the set for good', () => {
  const { context, source } = openSource({ INTEL_OVERFLOW: 8, INTEL_ONLY_BEGIN: 1 });
  const manager = new QueryManager(context, [source]);
  const reason = 'the driver wrote past the size that it gave';
  const { failed } = measure(context, source, 'intel/Work', [1, 2, 3], manager);
  assert.deepEqual(failed, { 0: reason, 1: reason, 2: reason });
  assert.throws(() => manager.subscribe('intel/Work', 1), {
    code: 'cannot-measure',
    message: `intel/Work cannot be measured: ${reason}`,
  });
  manager.dispose();
  assert.deepEqual(measure(context, source, 'intel/Large', [1]).failed, {});
});

for (const flag of ['FrequencyChanged', 'SplitOccured'])
  test(`${flag} makes a result questionable`, () => {
    const { context, source } = openSource({ INTEL_FLAG: flag });
    const { questionable, values, reports } = measure(context, source, 'intel/Work', [1]);
    assert.deepEqual(questionable, { 0: `the driver says ${flag}` });
    assert.deepEqual([values[flag], values.Draws], [[true], [1]]);
    assert.equal(reports[0].status, 'questionable');
  });

test('what is not a number is no value', () => {
  const { context, source } = openSource({ INTEL_NAN: 'Busy' });
  const { questionable, values } = measure(context, source, 'intel/Work', [1]);
  assert.deepEqual([questionable, values.Busy, values.Draws], [{ 0: 'Busy is NaN' }, [null], [1]]);
});

for (const [value, shown] of [
  [250, '250'],
  [-3.5, '-3.5'],
  [101.25, '101.25'],
  ['inf', null],
] as const)
  test(`a percentage of ${value} is questionable, beside what else is`, () => {
    const { context, source } = openSource({ INTEL_FLOAT: value, INTEL_FLAG: 'SplitOccured' });
    const { questionable, values } = measure(context, source, 'intel/Work', [1]);
    const doubt = shown === null ? 'Busy is Infinity' : `Busy is ${shown} percent`;
    assert.deepEqual(questionable, { 0: `the driver says SplitOccured, ${doubt}` });
    assert.deepEqual(values.Busy, [shown === null ? null : value]);
  });

test('percentages just beyond their bounds are rounding, and rawMax is one of the bounds', () => {
  for (const INTEL_FLOAT of [-0.5, 100.75]) {
    const { context, source } = openSource({ INTEL_FLOAT });
    assert.deepEqual(measure(context, source, 'intel/Work', [1]).questionable, {});
  }
  const share = counterLine('Share', 0, 4, 0x94fa, 0x94f4).replace('"text"', '"Unit: percent."');
  const table = (most: number) => tableOf([typeLine(1, 'Eight', 4, 1), share.replace('rawMax=0', `rawMax=${most}`)]);
  const eight = openSource({ INTEL_FLOAT: 790, INTEL_TABLE: table(800) });
  assert.deepEqual(measure(eight.context, eight.source, 'intel/Eight', [1]).questionable, {});
  const none = openSource({ INTEL_FLOAT: 790, INTEL_TABLE: table(0) });
  assert.deepEqual(measure(none.context, none.source, 'intel/Eight', [1]).questionable, { 0: 'Share is 790 percent' });
});

test('an instance of which nothing was begun is used again, and deleted in the end', () => {
  const { context, source } = openSource({ INTEL_BEGIN: 'none', INTEL_INSTANCES: 2 });
  const manager = new QueryManager(context, [source]);
  for (let run = 0; run < 3; run++)
    assert.equal(Object.keys(measure(context, source, 'intel/Work', [1, 2], manager).failed).length, 2);
  assert.equal(double.count('CreatePerfQuery'), 2);
  manager.dispose();
  assert.equal(double.count('live'), 0);
});

for (const handle0 of [null, 1])
  test(`a driver with few instances is found out ${handle0 ? 'by handle 0' : 'by its error'}`, () => {
    const { context, source } = openSource({ INTEL_INSTANCES: 3, INTEL_HANDLE0: handle0 });
    const manager = new QueryManager(context, [source]);
    assert.equal(manager.getMaximumQueriesSupported('intel/Work'), 2 ** 14);
    assert.throws(() => manager.subscribe('intel/Work', 4), {
      code: 'cannot-measure',
      message: `intel/Work cannot be measured: the driver has no more than 3 queries: CreatePerfQueryINTEL ${handle0 ? 'gives none' : 'raised GL_OUT_OF_MEMORY'}`,
    });
    assert.equal(manager.getMaximumQueriesSupported('intel/Work'), 3);
    assert.deepEqual(measure(context, source, 'intel/Work', [1, 2, 3], manager).failed, {});
    manager.dispose();
    double.set({ INTEL_INSTANCES: 0 });
    assert.throws(() => measure(context, source, 'intel/Large', [1]), {
      code: 'cannot-measure',
      message: `intel/Large cannot be measured: CreatePerfQueryINTEL ${handle0 ? 'gives none' : 'raised GL_OUT_OF_MEMORY'}`,
    });
    assert.equal(context.gl.glGetError(), 0);
  });

test('a stated number of instances is a limit, an absurd one is not', () => {
  const small = openSource({ INTEL_STATED: 5 });
  assert.equal(small.source.maximumQueries(small.source.sets[0]), 5);
  assert.match(small.source.sets[0].description, / At most 5 queries at once\./);
  const absurd = openSource({ INTEL_STATED: 0xffffffff });
  assert.equal(absurd.source.maximumQueries(absurd.source.sets[0]), 2 ** 14);
});

const commands = [
  'GetFirstPerfQueryId',
  'GetNextPerfQueryId',
  'GetPerfQueryIdByName',
  'GetPerfQueryInfo',
  'GetPerfCounterInfo',
  'CreatePerfQuery',
  'DeletePerfQuery',
  'BeginPerfQuery',
  'EndPerfQuery',
  'GetPerfQueryData',
] as const;
/** What is left of the small table: sets with counters, lost counters and sets, and the outcome of three queries of Work. */
type Outcome = readonly [sets: number, lost: number, outcome: string];
const nothing = 'nothing to measure';
const withErrors: Readonly<Record<(typeof commands)[number], Outcome | RegExp>> = {
  GetFirstPerfQueryId: /GetFirstPerfQueryIdINTEL raised GL_OUT_OF_MEMORY$/,
  // The sets that are not named, the three that are not described, and with their counters, are lost.
  GetNextPerfQueryId: [1, 1, 'measured'],
  GetPerfQueryIdByName: [3, 0, 'measured'],
  GetPerfQueryInfo: [0, 3, nothing],
  GetPerfCounterInfo: [0, 19, nothing],
  CreatePerfQuery: [3, 0, 'intel/Work cannot be measured: CreatePerfQueryINTEL raised GL_OUT_OF_MEMORY'],
  DeletePerfQuery: [3, 0, 'measured'],
  BeginPerfQuery: [3, 0, 'BeginPerfQueryINTEL raised GL_OUT_OF_MEMORY'],
  EndPerfQuery: [3, 0, 'EndPerfQueryINTEL raised GL_OUT_OF_MEMORY'],
  GetPerfQueryData: [3, 0, 'GetPerfQueryDataINTEL raised GL_OUT_OF_MEMORY: the driver did not measure'],
};
/** Where the command does nothing, raises nothing and leaves its outputs untouched. */
const inSilence: Readonly<Record<(typeof commands)[number], Outcome | RegExp>> = {
  GetFirstPerfQueryId: /GetFirstPerfQueryIdINTEL gives nothing$/,
  GetNextPerfQueryId: [1, 1, 'measured'],
  GetPerfQueryIdByName: [3, 0, 'measured'],
  GetPerfQueryInfo: [0, 3, nothing],
  GetPerfCounterInfo: [0, 19, nothing],
  CreatePerfQuery: [3, 0, 'intel/Work cannot be measured: CreatePerfQueryINTEL gives nothing'],
  DeletePerfQuery: [3, 0, 'measured'],
  // The end says so.
  BeginPerfQuery: [3, 0, 'EndPerfQueryINTEL raised GL_INVALID_OPERATION: the driver had not begun it'],
  EndPerfQuery: [3, 0, 'GetPerfQueryDataINTEL raised GL_INVALID_OPERATION: the driver did not measure'],
  GetPerfQueryData: [3, 0, 'its result did not become available in time'],
};

for (const [error, outcomes] of [
  ['0x505', withErrors],
  ['0', inSilence],
] as const)
  for (const command of commands)
    test(`${command} that ${error === '0' ? 'does nothing' : 'raises an error'}`, () => {
      const { context, source } = open({ INTEL_ERROR_AT: `${command}=${error}` });
      const expected = outcomes[command];
      assert.equal(context.gl.glGetError(), 0);
      if (expected instanceof RegExp) {
        assert.match(String(source), expected);
        return;
      }
      assert.ok(typeof source !== 'string');
      const sets = source.sets.filter(({ counters }) => counters.length > 0);
      let outcome = nothing;
      if (sets.length > 0)
        try {
          const { failed } = measure(context, source, 'intel/Work', [1, 2, 3]);
          outcome = failed[2] ?? 'measured';
        } catch (failure) {
          outcome = (failure as Error).message;
        }
      assert.deepEqual([sets.length, source.lost.size, outcome], expected);
      assert.equal(context.gl.glGetError(), 0);
    });

for (const command of commands)
  test(`a driver without ${command} has no such source, and every other`, () => {
    const name = `gl${command}INTEL`;
    double.reset({ MISSING: name });
    const context = double.open({ api: 'gl' });
    const { sources, missing } = openMetricSources(context);
    assert.deepEqual(missing, [
      {
        source: 'intel',
        reason: `GL_INTEL_performance_query of ${context.renderer} (${context.versionText}) lacks ${name}`,
      },
    ]);
    assert.deepEqual(
      sources.map(({ type }) => type),
      ['timer', 'statistics', 'amd'],
    );
    assert.equal(context.gl.glGetError(), 0);
    context.destroy();
  });

test('an error at one counter or type loses that one, and the reason is given', () => {
  const counter = openSource({ INTEL_ERROR_AT: 'GetPerfCounterInfo=0x502@1' });
  assert.deepEqual(
    [...counter.source.lost],
    [['intel/Work/counter 2', 'GetPerfCounterInfoINTEL raised GL_INVALID_OPERATION']],
  );
  assert.deepEqual(measure(counter.context, counter.source, 'intel/Work', [2]).values['N vertices submitted'], [6]);
  const type = openSource({ INTEL_ERROR_AT: 'GetPerfQueryInfo=0x502@1' });
  assert.deepEqual(
    type.source.sets.map(({ id, counters }) => [id, counters.length]),
    [
      ['intel/Work', 7],
      ['intel/query type 2', 0],
      ['intel/Pipeline Statistics Registers', 2],
    ],
  );
  assert.equal(
    type.source.sets[1].description,
    'It cannot be measured: GetPerfQueryInfoINTEL raised GL_INVALID_OPERATION.',
  );
  assert.deepEqual(
    [...type.source.lost],
    [['intel/query type 2', 'GetPerfQueryInfoINTEL raised GL_INVALID_OPERATION']],
  );
});

test('lists of query types that do not end are cut', () => {
  const cycle = openSource({ INTEL_NEXT: 'cycle' });
  assert.equal(cycle.source.sets.length, 3);
  assert.match(cycle.source.information, /; its list of query types goes in circles at 2$/);
  const further = 'intel/(further query types)';
  assert.deepEqual([...cycle.source.lost], [[further, 'its list of query types goes in circles at 2']]);
  const cut = openSource({ INTEL_ERROR_AT: 'GetNextPerfQueryId=0x502@1' });
  assert.equal(cut.source.sets.length, 2);
  assert.deepEqual([...cut.source.lost], [[further, 'GetNextPerfQueryIdINTEL raised GL_INVALID_OPERATION']]);
  const endless = openSource({ INTEL_NEXT: 'endless' });
  assert.equal(endless.source.lost.get(further), 'its list of query types does not end after 1000');
  assert.equal(endless.source.sets.length, 1000);
  assert.match(endless.source.information, /; its list of query types does not end after 1000$/);
  assert.equal(endless.source.sets[999].id, 'intel/Work (998)');
  assert.deepEqual(measure(endless.context, endless.source, 'intel/Work', [1]).failed, {});
});

test('names without an end are cut, names that overflow lose what they name', () => {
  const { source } = openSource({ INTEL_NAMES: 'no-nul' });
  assert.deepEqual(
    source.sets.map(({ name }) => [name.slice(0, 6), name.length]),
    [
      ['Work++', 256],
      ['Large+', 256],
      ['Pipeli', 256],
    ],
  );
  assert.match(source.sets[0].description, / The driver does not find it by its name\.$/);
  const over = openSource({ INTEL_NAMES: 'overflow' });
  assert.equal(
    over.source.sets[0].description,
    'It cannot be measured: GetPerfQueryInfoINTEL wrote more than there was room for.',
  );
});

for (const limit of [0, -1, 4, 0x7fffffff])
  test(`a limit of ${limit} for the lengths of names is not believed`, () => {
    const { source } = openSource({ INTEL_LIMIT: limit });
    assert.equal(source.sets[2].counters[0].name, 'N primitives submitted');
  });

test('names that repeat, and a driver that finds another type by a name', () => {
  const { source } = openSource({
    INTEL_TABLE: tableOf([
      typeLine(1, 'A', 12, 3),
      counterLine('x', 0),
      counterLine('x', 4),
      counterLine('x (2)', 8),
      typeLine(2, 'A', 4, 1),
      counterLine('', 0),
    ]),
  });
  assert.deepEqual(
    source.sets.flatMap(({ counters }) => counters.map(({ id }) => id)),
    ['intel/A/x', 'intel/A/x (2)', 'intel/A/x (2) (2)', 'intel/A (2)/counter 1'],
  );
  // The first of a name is found by it, which is right.
  for (const { description } of source.sets) assert.doesNotMatch(description, /find/);
  const other = openSource({ INTEL_BY_NAME: 2 });
  assert.match(other.source.sets[0].description, / The driver does not find it by its name\.$/);
  assert.doesNotMatch(other.source.sets[1].description, /find/);
});

test('layouts that cannot be are told, and the rest is read', () => {
  const { context, source } = openSource({
    INTEL_TABLE: tableOf([
      typeLine(1, 'Bad', 24, 7),
      counterLine('Draws', 0),
      counterLine('outside', 22),
      counterLine('wrong size', 4, 8),
      counterLine('wrong type', 4, 4, 0x1234),
      counterLine('over', 8),
      counterLine('lap', 10),
      counterLine('strange kind', 16, 4, 0x94f8, 0x7777),
      typeLine(2, 'Sizeless', 0, 1),
      counterLine('Draws', 0),
      typeLine(3, 'Huge', 0xfffffff0, 1),
      counterLine('Draws', 0),
      typeLine(4, 'Countless', 4, 0xffffffff),
      counterLine('Draws', 0),
      typeLine(5, 'Empty', 4, 0),
    ]),
  });
  assert.deepEqual(Object.fromEntries(source.lost), {
    'intel/Bad/outside': 'it lies at byte 22 of a result of 24 bytes',
    'intel/Bad/wrong size': 'it has 8 bytes where its type has 4',
    'intel/Bad/wrong type': "0x1234 is none of the extension's data types",
    'intel/Bad/over': 'it overlaps another counter at byte 10',
    'intel/Bad/lap': 'it overlaps another counter at byte 10',
    'intel/Sizeless/Draws': 'the driver gives its results no size',
    'intel/Sizeless': 'the driver gives its results no size',
    'intel/Huge/Draws': 'the driver says that its results have 4294967280 bytes',
    'intel/Huge': 'the driver says that its results have 4294967280 bytes',
    'intel/Countless': 'the driver says that it has 4294967295 counters',
    'intel/Empty': 'it has no counters',
  });
  assert.deepEqual(
    source.sets.slice(3).map(({ description }) => description),
    [
      'It cannot be measured: the driver says that it has 4294967295 counters.',
      'It cannot be measured: it has no counters.',
    ],
  );
  const { values } = measure(context, source, 'intel/Bad', [1]);
  assert.deepEqual([values.Draws, values['strange kind']], [[1], [0x80000010]]);
  assert.throws(() => source.open(source.sets[1], []), {
    code: 'cannot-measure',
    message: 'intel/Sizeless has no counter that can be read',
  });
});

test('a driver that has no query types gives no source', () => {
  const { context, source } = open({ INTEL_TABLE: tableOf([]) });
  assert.match(String(source), / offers nothing: GetFirstPerfQueryIdINTEL raised GL_INVALID_OPERATION$/);
  assert.equal(context.gl.glGetError(), 0);
});
