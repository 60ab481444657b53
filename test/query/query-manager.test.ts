import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import type { CounterColumn } from '../../src/model/counter.ts';
import type { MetricSource } from '../../src/query/metric-source.ts';
import { QueryManager, type QueryReport, type QueryResults } from '../../src/query/query-manager.ts';
import { statisticsSource } from '../../src/query/statistics.ts';
import { finishMethod } from '../../src/query/timer-method.ts';
import { timerSource } from '../../src/query/timer-source.ts';
import { drawing, positions, useTarget } from './draw-kit.ts';

const context = await openContext('egl', { api: 'gl' });
after(() => context.destroy());
const { gl } = context;
useTarget(context, 16);
gl.glUseProgram(drawing(context, positions.points));
const statistics = statisticsSource(context) as MetricSource;
const timer = timerSource(context, finishMethod(context));
const samplesId = 'statistics/Samples Passed';
const verticesId = 'statistics/Input Vertices Read';

const points = (count: number) => gl.glDrawArrays(0, 0, count);

/** A manager, and what its callback got last. */
function manage(sources: readonly MetricSource[] = [timer, statistics]) {
  const manager = new QueryManager(context, sources);
  const got: QueryResults[] = [];
  manager.registerCallback((results) => got.push(results));
  const query = (id: number, work: () => void) => {
    manager.beginQuery(id);
    work();
    manager.endQuery(id);
  };
  return { manager, got, query };
}

const values = (column: CounterColumn): unknown[] => [...column];

test('it says what it is and what can be measured', () => {
  const { manager } = manage();
  assert.equal(manager.type, 'gl');
  assert.match(manager.information, /^timer: timer method finish, by the host clock; statistics: queries of llvmpipe/);
  assert.deepEqual(
    manager.metricsSource.groups.map(({ id, counters }) => [id, counters.length]),
    [
      ['timer', 2],
      ['statistics', 12],
    ],
  );
  const [timerSet] = manager.metricsSource.groups;
  assert.deepEqual(
    timerSet.counters.map(({ id, unit, dataType, kind, exact }) => [id, unit, dataType, kind, exact]),
    [
      ['timer/duration', 'ns', 'f64', 'sum', false],
      ['timer/CPU time', 'ns', 'f64', 'sum', false],
    ],
  );
  assert.ok(manager.getMaximumQueriesSupported('statistics') >= 10_000);
  assert.deepEqual(manager.split('statistics', [verticesId, samplesId]), [[verticesId, samplesId]]);
  assert.deepEqual(
    [
      manager.areRangeQueriesSupported(),
      manager.areRangeQueriesAcrossCommandBuffersSupported(),
      manager.areMultipleSubscribesSupported(),
      manager.areQueriesWithDifferentQueuesSupported(),
    ],
    [true, false, false, false],
  );
  for (const name of ['CreateCommandQueue', 'CreateCommandList', 'ExecuteCommandLists'] as const)
    assert.equal(manager[`on${name}`](), undefined);
  assert.deepEqual([manager.onBeginRenderPass(), manager.onEndRenderPass()], [undefined, undefined]);
  manager.dispose();
});

test('ids in any order: columns are by id, the order is that of the queries, and nothing is told before unsubscribe', () => {
  const { manager, got, query } = manage();
  manager.subscribe('statistics', 5, [samplesId, verticesId]);
  for (const id of [3, 0, 4]) query(id, () => points(id + 1));
  assert.equal(got.length, 0);
  assert.deepEqual(manager.unsubscribe(), []);
  assert.equal(got.length, 1);
  const [{ set, counters, columns, order, failed, questionable, suspect }] = got;
  assert.equal(set, statistics.sets[0]);
  assert.deepEqual(
    counters.map(({ id }) => id),
    [verticesId, samplesId],
  );
  assert.deepEqual([...order], [3, 0, 4]);
  for (const column of columns) {
    assert.ok(column instanceof BigUint64Array);
    assert.deepEqual(values(column), [1n, 0n, 0n, 4n, 5n]);
  }
  assert.deepEqual([failed.size, questionable.size, suspect], [0, 0, null]);
  manager.dispose();
});

test('a range of draws is one query; so is nothing', () => {
  const { manager, got, query } = manage();
  manager.subscribe('statistics', 3, [samplesId]);
  query(0, () => {
    for (let count = 1; count <= 4; count++) points(count);
  });
  query(2, () => {});
  query(1, () => points(4));
  manager.unsubscribe();
  assert.deepEqual(values(got[0].columns[0]), [10n, 4n, 0n]);
  manager.dispose();
});

test('subscriptions follow each other, of one set and of another; each knows only its own queries', () => {
  const { manager, got, query } = manage();
  manager.subscribe('statistics', 2, [samplesId]);
  query(1, () => points(3));
  query(0, () => points(2));
  manager.unsubscribe();
  manager.subscribe('statistics', 3, [samplesId]);
  query(1, () => points(5));
  manager.unsubscribe();
  manager.subscribe('timer', 1);
  query(0, () => points(1));
  manager.unsubscribe();
  manager.subscribe('statistics', 0);
  manager.unsubscribe();
  assert.deepEqual(values(got[0].columns[0]), [2n, 3n]);
  assert.deepEqual([values(got[1].columns[0]), [...got[1].order]], [[0n, 5n, 0n], [1]]);
  const [duration, cpu] = got[2].columns;
  assert.ok(Number(duration[0]) > 0 && Number(cpu[0]) > 0);
  assert.deepEqual([got[3].columns.length, got[3].order.length, got.length], [12, 0, 4]);
  assert.equal(gl.glGetError(), 0);
  manager.dispose();
});

test('a caller says which queries are of interest and gets their reports, in the order queried', () => {
  const { manager, query } = manage();
  manager.subscribe('statistics', 3, [verticesId, samplesId]);
  for (const id of [2, 0, 1]) query(id, () => points(id + 1));
  const seen: number[] = [];
  const reports = manager.unsubscribe((report) => {
    seen.push(report.place);
    return Number(report.values[1]) > 1;
  });
  assert.deepEqual(seen, [0, 1, 2]);
  assert.deepEqual(reports, [
    { id: 2, place: 0, status: 'ok', reason: null, values: [3, 3] },
    { id: 1, place: 2, status: 'ok', reason: null, values: [2, 2] },
  ]);
  manager.dispose();
});

test('failed and questionable queries are reported whatever the caller thinks of them', () => {
  // The statistics themselves, and a verdict on them.
  const judged = (suspect: string | null): MetricSource => ({
    ...statistics,
    open(set, counters) {
      const open = statistics.open(set, counters);
      return {
        counters: open.counters,
        subscribe: (queries) => open.subscribe(queries),
        beginQuery: (id) => open.beginQuery(id),
        endQuery: (id) => open.endQuery(id),
        unsubscribe: (order) => ({
          ...open.unsubscribe(order),
          failed: new Map([[1, 'lost']]),
          questionable: new Map([
            [0, 'split'],
            [1, 'split'],
          ]),
          suspect,
        }),
        dispose: () => open.dispose(),
      };
    },
  });
  const brief = ({ id, status, reason, values: [value] }: QueryReport) => [id, status, reason, value];
  for (const suspect of [null, 'the clock changed']) {
    const { manager, query } = manage([judged(suspect)]);
    manager.subscribe('statistics', 3, [samplesId]);
    for (const id of [2, 1, 0]) query(id, () => points(id + 1));
    const third = [2, 'questionable', 'the clock changed', 3];
    const others = [
      [1, 'failed', 'lost', undefined],
      [0, 'questionable', 'split', 1],
    ];
    assert.deepEqual(manager.unsubscribe(() => false).map(brief), suspect === null ? others : [third, ...others]);
    manager.dispose();
  }
});

const refused = (work: () => void, message: RegExp) => assert.throws(work, { code: 'query-misuse', message });

test('misuse is refused with what was wrong, and what was measured before it stands', () => {
  const { manager, got, query } = manage();
  const most = manager.getMaximumQueriesSupported('statistics');
  refused(() => manager.beginQuery(0), /^begin of query 0 without a subscription$/);
  refused(() => manager.endQuery(0), /^end of query 0 without its begin$/);
  refused(() => manager.endQuery(-1), /^end of query -1 without its begin$/);
  refused(() => manager.unsubscribe(), /^unsubscribe while not subscribed$/);
  refused(() => manager.getMaximumQueriesSupported('colour'), /^there is no metric set colour$/);
  refused(() => manager.subscribe('colour', 1), /^there is no metric set colour$/);
  refused(() => manager.split('colour'), /^there is no metric set colour$/);
  refused(() => manager.subscribe('statistics', 1, ['statistics/Luck']), /has no counter statistics\/Luck$/);
  refused(() => manager.subscribe('statistics', 1, ['timer/duration']), /has no counter timer\/duration$/);
  for (const count of [-1, most + 1, 1.5, Number.NaN])
    refused(() => manager.subscribe('statistics', count), new RegExp(`whole number from 0 to ${most}, not ${count}$`));

  manager.subscribe('statistics', 3, [samplesId]);
  refused(() => manager.subscribe('statistics', 3), /^subscribe while subscribed/);
  refused(() => manager.endQuery(0), /^end of query 0 without its begin$/);
  for (const id of [3, -1, 0.5, Number.NaN])
    refused(() => manager.beginQuery(id), new RegExp(`^query ${id} is none of those subscribed to: 0 to 2$`));
  manager.beginQuery(2);
  refused(() => manager.beginQuery(2), /^begin of query 2 while query 2 is open$/);
  refused(() => manager.beginQuery(1), /^begin of query 1 while query 2 is open$/);
  refused(() => manager.endQuery(1), /^end of query 1 while query 2 is the open one$/);
  refused(() => manager.unsubscribe(), /^unsubscribe while query 2 is open/);
  points(4);
  manager.endQuery(2);
  refused(() => manager.endQuery(2), /^end of query 2 without its begin$/);
  refused(() => manager.beginQuery(2), /^query 2 was used before in this subscription$/);
  query(0, () => points(1));
  manager.unsubscribe();
  assert.deepEqual(
    [values(got[0].columns[0]), [...got[0].order]],
    [
      [1n, 0n, 4n],
      [2, 0],
    ],
  );
  refused(() => manager.beginQuery(1), /^begin of query 1 without a subscription$/);
  assert.equal(got.length, 1);
  manager.dispose();
});

test('counters that do not fit together, and counters that are lost, cannot be subscribed to', () => {
  const apart: MetricSource = {
    ...statistics,
    lost: new Map([['statistics/Luck', 'its counter has 0 bits']]),
    split: (_, counters) => counters.map((counter) => [counter]),
  };
  const { manager } = manage([apart]);
  refused(() => manager.subscribe('statistics', 1), /^these counters of statistics cannot be measured together$/);
  refused(
    () => manager.subscribe('statistics', 1, ['statistics/Luck']),
    /counter statistics\/Luck: its counter has 0 bits$/,
  );
  assert.equal(manager.metricsSource.lost.get('statistics/Luck'), 'its counter has 0 bits');
  for (const ids of manager.split('statistics')) {
    manager.subscribe('statistics', 1, ids);
    manager.unsubscribe();
  }
  manager.dispose();
});

test("queries of others, another manager's or the caller's own, are left alone, and what they are in the way of fails", () => {
  const { manager, got } = manage();
  const { manager: other } = manage();
  for (const each of [manager, other]) each.subscribe('statistics', 1, [samplesId]);
  manager.beginQuery(0);
  points(1);
  other.beginQuery(0);
  points(1);
  other.endQuery(0);
  points(1);
  manager.endQuery(0);
  assert.deepEqual(
    other.unsubscribe().map(({ status, reason }) => [status, reason]),
    [['failed', 'another query for Samples Passed is open']],
  );
  assert.deepEqual([manager.unsubscribe(), values(got[0].columns[0])], [[], [3n]]);
  gl.glGenQueries(1, context.scratch.address);
  const own = context.scratch.u32[0];
  gl.glBeginQuery(0x8914, own);
  manager.subscribe('statistics', 1, [samplesId]);
  manager.beginQuery(0);
  points(1);
  manager.endQuery(0);
  points(1);
  gl.glEndQuery(0x8914);
  assert.equal(manager.unsubscribe()[0].status, 'failed');
  gl.glGetQueryObjectuiv(own, 0x8866, context.scratch.address);
  assert.equal(context.scratch.u32[0], 2);
  assert.equal(gl.glGetError(), 0);
  for (const each of [manager, other]) each.dispose();
});

test('a callback must be a function', () => {
  const { manager } = manage();
  assert.throws(() => manager.registerCallback(undefined as never), { code: 'query-misuse' });
  manager.dispose();
});

test('dispose ends what is open and leaves nothing running; afterwards nothing goes', () => {
  const { manager, got } = manage();
  manager.subscribe('statistics', 2);
  manager.beginQuery(0);
  manager.dispose();
  manager.dispose();
  assert.equal(got.length, 0);
  gl.glGetQueryiv(0x8914, 0x8865, context.scratch.address);
  assert.equal(context.scratch.i32[0], 0, 'no query is active');
  assert.equal(gl.glGetError(), 0);
  refused(() => manager.beginQuery(1), /^beginQuery after dispose$/);
  refused(() => manager.endQuery(0), /^endQuery after dispose$/);
  refused(() => manager.subscribe('timer', 1), /^subscribe after dispose$/);
  refused(() => manager.unsubscribe(), /^unsubscribe after dispose$/);
  refused(() => manager.registerCallback(() => {}), /^registerCallback after dispose$/);
  refused(() => manager.split('timer'), /^split after dispose$/);
  refused(() => manager.getMaximumQueriesSupported('timer'), /^getMaximumQueriesSupported after dispose$/);
});

test('a timer query without a result fails alone; an interrupted clock makes the others questionable', () => {
  for (const suspect of [null, 'the GPU clock was interrupted']) {
    const { manager, got, query } = manage([
      timerSource(context, {
        name: 'elapsed',
        isolate: false,
        bits: 64,
        createReader: () => ({
          subscribe() {},
          beginQuery() {},
          endQuery() {},
          unsubscribe: () => ({ values: Float64Array.of(5, Number.NaN, 7), suspect }),
          dispose() {},
        }),
      }),
    ]);
    assert.deepEqual(
      manager.metricsSource.groups[0].counters.map(({ id }) => id),
      ['timer/duration'],
    );
    manager.subscribe('timer', 3);
    for (const id of [1, 0]) query(id, () => {});
    const failed = { id: 1, place: 0, status: 'failed', reason: 'its timer query gave no result', values: [] };
    const doubtful = { id: 0, place: 1, status: 'questionable', reason: suspect, values: [5] };
    assert.deepEqual(manager.unsubscribe(), suspect === null ? [failed] : [failed, doubtful]);
    assert.equal(got[0].suspect, suspect);
    manager.dispose();
  }
});

test('a callback that throws ends the subscription all the same', () => {
  const { manager, got, query } = manage();
  manager.registerCallback(() => {
    throw new Error('full');
  });
  manager.subscribe('statistics', 1, [samplesId]);
  query(0, () => points(1));
  assert.throws(() => manager.unsubscribe(), /full/);
  manager.registerCallback((results) => got.push(results));
  manager.subscribe('statistics', 1, [samplesId]);
  query(0, () => points(2));
  manager.unsubscribe();
  assert.deepEqual(values(got[0].columns[0]), [2n]);
  manager.dispose();
});
