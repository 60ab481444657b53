import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureCounters } from '../../src/query/measure-counters.ts';
import { openMetricSources } from '../../src/query/open-sources.ts';
import { double, measure, measureOpen, open, openSource, setOf } from './amd-kit.ts';
import type { Switches } from './double/double.ts';
import { loopFrame, loopTree } from './loop-frame.ts';

const unavailable = 'its result did not become available in time';

/** What goes wrong in query 1 of three, and the reason that must be given. Begin 0 is the trial of the counters. */
const failures: readonly (readonly [string, Switches, string])[] = [
  ['a begin that is refused', { AMD_BEGIN: 'refused' }, 'BeginPerfMonitorAMD raised GL_INVALID_OPERATION'],
  [
    'a begin that fails in silence',
    { AMD_BEGIN: 'silent' },
    'EndPerfMonitorAMD raised GL_INVALID_OPERATION: the driver had not begun it',
  ],
  ['a session that is silently none', { AMD_BEGIN: 'dead' }, unavailable],
  ['a result that never comes', { AMD_READY: 'never' }, unavailable],
  [
    'availability that is not told',
    { AMD_READY: 'untouched' },
    'the driver does not answer when asked for its availability',
  ],
  ['an absurd size', { AMD_SIZE: 1 << 30 }, 'the driver says that its result has 1073741824 bytes'],
  ['a negative size', { AMD_SIZE: -8 }, 'the driver says that its result has 4294967288 bytes'],
  [
    'more bytes than there is room for',
    { AMD_BYTES: 1_000_000 },
    'the driver says that it wrote 1000000 bytes where there was room for 4128',
  ],
  ['no bytes', { AMD_BYTES: 0 }, 'its result has 0 of 2 counters'],
  ['fewer bytes', { AMD_BYTES: 16 }, 'its result has 1 of 2 counters'],
  ['a counter that is missing', { AMD_STREAM: 'short' }, 'its result has 1 of 2 counters'],
  ['an entry that is cut', { AMD_STREAM: 'cut' }, 'its result ends within an entry (30 bytes)'],
  ['a counter that comes twice', { AMD_STREAM: 'twice' }, 'its result has counter 7 twice'],
  [
    'an entry for nothing',
    { AMD_STREAM: 'unknown' },
    'its result has an entry for a counter that does not exist (group 12345, counter 1)',
  ],
  [
    'a result that is not written',
    { AMD_STREAM: 'untouched' },
    'the driver says that it wrote -1 bytes where there was room for 4128',
  ],
];

for (const [what, switches, reason] of failures)
  test(`${what} loses that query only`, () => {
    const { context, source } = openSource({ ...switches, AMD_ONLY_BEGIN: 2 });
    const set = setOf(source, 'amd/Pipeline Statistics');
    const [list] = source.split(set, set.counters);
    const ready = source.open(set, list);
    const first = measureOpen(context, ready, [1, 2, 3]);
    assert.deepEqual(first.failed, { 1: reason });
    assert.deepEqual(first.values['Vertices submitted'], [3, null, 9]);
    // The next run is well, and what the first run left in the monitors is not taken for its own.
    const second = measureOpen(context, ready, [4, 5, 6]);
    assert.deepEqual(second.failed, {});
    assert.deepEqual(second.values['Vertices submitted'], [12, 15, 18]);
    ready.dispose();
  });

test('a session that fails in silence does not pass off the result before as its own', () => {
  const { context, source } = openSource({ AMD_BEGIN: 'dead', AMD_ONLY_BEGIN: 2 });
  const set = setOf(source, 'amd/Pipeline Statistics');
  const ready = source.open(set, source.split(set, set.counters)[0]);
  assert.deepEqual(measureOpen(context, ready, [5]).values['Vertices submitted'], [15]);
  assert.deepEqual(measureOpen(context, ready, [1]).failed, { 0: unavailable });
  ready.dispose();
});

test('entries in another order, and of counters that were not asked for, are well', () => {
  for (const AMD_STREAM of ['reversed', 'foreign']) {
    const { context, source } = openSource({ AMD_STREAM, AMD_ONLY_GROUP: 70 });
    const { values, failed } = measure(context, source, 'amd/Work', [2]);
    assert.deepEqual([values.Draws, values.Vertices, failed], [[2], [6], {}]);
  }
});

test('results that come late are waited for; those that never come cost one wait for all', () => {
  const late = openSource({ AMD_READY: 300 });
  assert.deepEqual(measure(late.context, late.source, 'amd/Work (2)', [1, 2]).failed, {});
  const never = openSource({ AMD_READY: 'never' });
  const { failed } = measure(never.context, never.source, 'amd/Work (2)', [1, 2, 3, 4]);
  assert.deepEqual(failed, { 0: unavailable, 1: unavailable, 2: unavailable, 3: unavailable });
  assert.equal(double.count('result?'), 0);
});

test('values that cannot be are questionable, and what is no number is none', () => {
  const nan = openSource({ AMD_STREAM: 'nan' });
  const first = measure(nan.context, nan.source, 'amd/Work', [1]);
  assert.deepEqual(first.questionable, { 0: 'Vertices per draw is NaN, Share of draws is NaN' });
  assert.deepEqual([first.values['Share of draws'], first.values.Draws], [[null], [1]]);
  const reasons = (AMD_FLOAT: number | string) => {
    const { context, source } = openSource({ AMD_FLOAT });
    return measure(context, source, 'amd/Work', [1]).questionable[0];
  };
  assert.equal(reasons(250), 'Share of draws is 250 percent');
  assert.equal(reasons(-3.5), 'Share of draws is -3.5 percent');
  assert.equal(reasons('inf'), 'Vertices per draw is Infinity, Share of draws is Infinity');
  for (const rounded of [100.75, -0.5]) assert.equal(reasons(rounded), undefined);
});

test('a source that never answers is waited for once, whichever of its sets is measured', () => {
  const { context, source } = openSource({ AMD_READY: 'never' });
  const questions = (set: string) => {
    const before = double.count('available?');
    assert.deepEqual(Object.values(measure(context, source, set, [1]).failed), [unavailable]);
    return double.count('available?') - before;
  };
  const first = questions('amd/Work (2)');
  // Work takes three replay passes.
  const later = [questions('amd/Work'), questions('amd/Pipeline Statistics'), questions('amd/Work (2)')];
  assert.ok(first > 300, `${first} questions`);
  for (const count of later) assert.ok(count < 3 * 200, `${count} questions`);
});

test('a driver that writes behind the buffer is asked for nothing more', () => {
  const { context, source } = openSource({ AMD_OVERFLOW: 64, AMD_ONLY_BEGIN: 2 });
  const set = setOf(source, 'amd/Pipeline Statistics');
  const ready = source.open(set, source.split(set, set.counters)[0]);
  const reason = 'the driver wrote more than there was room for';
  assert.deepEqual(measureOpen(context, ready, [1, 1, 1]).failed, { 0: reason, 1: reason, 2: reason });
  assert.equal(double.count('result?'), 2);
  assert.throws(() => ready.subscribe(1), { code: 'cannot-measure' });
  ready.dispose();
});

test('a set that fails leaves the others well, and no error', async () => {
  const { context, source } = openSource({ AMD_READY: 'never', AMD_ONLY_GROUP: 3 });
  const requests = source.sets.map((set) => ({ source, set, counters: set.counters }));
  const frame = loopFrame(context, [1, 1], 16);
  const measured = await measureCounters(context, frame, loopTree(2), requests, { runs: 2 });
  assert.deepEqual(
    measured.map(({ runs }) => runs.map(({ failed }) => failed.size)),
    [
      [0, 0],
      [2, 2],
      [0, 0],
    ],
  );
  assert.equal(context.gl.glGetError(), 0);
});

test('a list that the driver refuses is halved; a counter that it refuses alone is lost', () => {
  const most = openSource({ AMD_MAXIMUM: 100, AMD_TAKES: 2 });
  const set = setOf(most.source, 'amd/Work');
  const names = () => most.source.split(set, set.counters).map((list) => list.map(({ name }) => name));
  const halves = [['Draws', 'Vertices'], ['Vertices per draw'], ['Share of draws', 'Draws (2)']];
  assert.deepEqual(names(), halves);
  const trials = double.count('BeginPerfMonitor');
  assert.deepEqual(names(), halves);
  assert.equal(double.count('BeginPerfMonitor'), trials, 'and this is found out once');

  const one = openSource({ AMD_REFUSES: 4 });
  const { values } = measure(one.context, one.source, 'amd/Work', [2]);
  assert.deepEqual(Object.keys(values), ['Draws', 'Vertices', 'Vertices per draw', 'Draws (2)']);
  assert.deepEqual(
    [...one.source.lost],
    [['amd/Work/Share of draws', 'SelectPerfMonitorCountersAMD raised GL_INVALID_VALUE']],
  );
  assert.equal(double.count('live monitors'), 0);
});

test('a group of which nothing can be active is lost with the reason', () => {
  for (const AMD_MAXIMUM of [0, -5]) {
    const { source } = openSource({ AMD_MAXIMUM, AMD_ONLY_GROUP: 3 });
    const set = setOf(source, 'amd/Pipeline Statistics');
    assert.deepEqual(source.split(set, set.counters), []);
    const reason = 'the driver lets no counter of its group be active';
    const ids = [set, ...set.counters].map(({ id }) => id);
    assert.deepEqual(
      [...source.lost],
      ids.map((id) => [id, reason]),
    );
    assert.throws(() => source.open(set, set.counters), { code: 'cannot-measure' });
  }
});

test('a counter of an unknown type is lost, and the others of its group are not', () => {
  const { context, source } = openSource({ AMD_TYPE: 0x1234 });
  assert.deepEqual([...source.lost], [['amd/Work/Vertices', "0x1234 is none of the extension's types"]]);
  assert.deepEqual(measure(context, source, 'amd/Work', [2]).values.Draws, [2]);
});

test('lists and numbers that make no sense cost what they are about', () => {
  const reasons = (switches: Switches) => {
    const { source } = open(switches);
    return typeof source === 'string'
      ? source
      : source.sets.map(({ description }) => description.replace(/ The extension .*/, ''));
  };
  const fine = ['5 counters, at most 2 at once.', '2 counters, all at once.', '1 counter.'];
  assert.equal(reasons({ AMD_GROUPS: -1 }), 'GetPerfMonitorGroupsAMD says that there are -1');
  assert.equal(reasons({ AMD_GROUPS: 0x7fffffff }), 'GetPerfMonitorGroupsAMD says that there are 2147483647');
  assert.equal(reasons({ AMD_GROUPS: 0 }), 'GetPerfMonitorGroupsAMD lists no counters');
  assert.deepEqual(reasons({ AMD_GROUPS: 40 }), fine, 'places that are left untouched are no groups');
  assert.deepEqual(reasons({ AMD_COUNTERS: 30_000 }), fine);
  assert.deepEqual(reasons({ AMD_COUNTERS: 1 << 30, AMD_ONLY_GROUP: 3 }), [
    fine[0],
    'Its counters cannot be listed: GetPerfMonitorCountersAMD says that there are 1073741824.',
    fine[2],
  ]);
  const { source } = openSource({ AMD_COUNTERS: -1, AMD_ONLY_GROUP: 3 });
  assert.deepEqual([...source.lost], [['amd/Pipeline Statistics', 'GetPerfMonitorCountersAMD says that there are -1']]);
  assert.deepEqual(reasons({ AMD_IDS: 'same' }), ['1 counter.']);
  assert.equal(reasons({ AMD_IDS: 'overflow' }), 'GetPerfMonitorGroupsAMD wrote more than there was room for');
});

test('names without an end, with a wrong length, or none at all', () => {
  for (const AMD_NAMES of ['no-nul', 'long']) {
    const { source } = openSource({ AMD_NAMES });
    assert.deepEqual(
      source.sets.map(({ name }) => name),
      ['Work', 'Pipeline Statistics', 'Work (2)'],
    );
  }
  const { source } = openSource({ AMD_NAMES: 'none' });
  assert.deepEqual(
    source.sets.map(({ id }) => id),
    ['amd/group 70', 'amd/group 3', 'amd/group 4000000000'],
  );
  assert.equal(source.sets[0].counters[0].id, 'amd/group 70/counter 11');
});

const commands = [
  'GetPerfMonitorGroups',
  'GetPerfMonitorCounters',
  'GetPerfMonitorGroupString',
  'GetPerfMonitorCounterString',
  'GetPerfMonitorCounterInfo',
  'GenPerfMonitors',
  'DeletePerfMonitors',
  'SelectPerfMonitorCounters',
  'BeginPerfMonitor',
  'EndPerfMonitor',
  'GetPerfMonitorCounterData',
];

for (const command of commands)
  test(`a driver without ${command} has no such source, and every other`, () => {
    const name = `gl${command}AMD`;
    double.reset({ MISSING: name });
    const context = double.open({ api: 'gl' });
    const { sources, missing } = openMetricSources(context);
    assert.deepEqual(missing, [
      {
        source: 'amd',
        reason: `GL_AMD_performance_monitor of ${context.renderer} (${context.versionText}) lacks ${name}`,
      },
    ]);
    assert.deepEqual(
      sources.map(({ type }) => type),
      ['timer', 'statistics', 'intel'],
    );
    assert.equal(context.gl.glGetError(), 0);
    context.destroy();
  });

test('whichever command fails, with an error or in silence, leaves no error, and no value that is not true', () => {
  for (const command of commands)
    for (const error of [0x502, 0]) {
      const { context, source } = open({ AMD_ERROR_AT: `${command}=${error}` });
      assert.equal(context.gl.glGetError(), 0, command);
      if (typeof source === 'string') continue;
      for (const set of source.sets)
        for (const list of source.split(set, set.counters)) {
          const ready = source.open(set, list);
          try {
            const { values } = measureOpen(context, ready, [2]);
            for (const name of ['Draws', 'Vertices', 'Vertices submitted'])
              assert.ok([undefined, null, 2, 6].includes(values[name]?.[0] as number), `${command} ${name}`);
          } catch (refusal) {
            assert.equal((refusal as { code?: string }).code, 'cannot-measure', `${command}: ${refusal}`);
          } finally {
            ready.dispose();
          }
        }
      assert.equal(context.gl.glGetError(), 0, command);
    }
});
