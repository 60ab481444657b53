import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFrame } from '../../src/analysis/analyse-counters.ts';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { derivedNeeds, derivedSet } from '../../src/analysis/derived.ts';
import type { CounterInfo } from '../../src/model/counter.ts';
import type { SetMeasurement } from '../../src/model/counter-sample.ts';
import type { FrameReport } from '../../src/model/report.ts';
import { info, measured, run, timedFrame } from './counter-kit.ts';
import { measurementOf, runOf, smallTree } from './samples.ts';

const known = (id: string, parts: Partial<CounterInfo> = {}) => info(id, { id, ...parts });
const fragments = known('statistics/PS Invocations');
const passed = known('statistics/Samples Passed');
const vertices = known('statistics/Input Vertices Read');
const primitives = known('statistics/Input Primitives');
const targetSamples = known('memory/Target Samples', { kind: 'distinct' });

const work = measured(
  [fragments, passed, vertices, primitives],
  [
    run(
      [fragments, passed, vertices, primitives],
      [
        [50, 100, 0],
        [40, 90, 0],
        [3, 6, 0],
        [1, 4, 0],
      ],
    ),
  ],
);
const targets = measured(
  [targetSamples],
  [
    run([targetSamples], [[100, 100, 25]], {
      objects: {
        [targetSamples.id]: [
          [{ key: 'canvas', amount: 100 }],
          [{ key: 'canvas', amount: 100 }],
          [{ key: 'texture 1', amount: 25 }],
        ],
      },
    }),
  ],
  { origin: null, passes: 0 },
);

function derived(name: string, measurements: SetMeasurement[] = [work, targets], frame: FrameReport = timedFrame) {
  const id = `derived/${name}`;
  const counted = countFrame(smallTree, frame, measurements, new Set([id]));
  return { cells: counted.frame.nodes.map((node) => node.counters![id]), sets: counted.sets };
}
const valuesOf = (name: string) => derived(name).cells.map(({ value }) => value);

test('each says which counters it needs', () => {
  assert.deepEqual(Object.fromEntries(derivedSet.counters.map((counter) => [counter.id, derivedNeeds(counter)])), {
    'derived/ns per fragment': ['statistics/PS Invocations'],
    'derived/overdraw': ['statistics/Samples Passed', 'memory/Target Samples'],
    'derived/vertices per primitive': ['statistics/Input Vertices Read', 'statistics/Input Primitives'],
    'derived/time per draw': [],
    'derived/share of peak': [],
  });
});

test('parents come from their own sums', () => {
  assert.deepEqual(valuesOf('ns per fragment'), [4, 2, 2, 2, null]);
  assert.deepEqual(valuesOf('overdraw'), [130 / 125, 1.3, 0.4, 0.9, 0]);
  assert.deepEqual(valuesOf('vertices per primitive'), [9 / 5, 9 / 5, 3, 1.5, null]);
  assert.deepEqual(valuesOf('share of peak'), [100, 200 / 3, 100 / 3, 200 / 3, 100]);
});

test('time per draw is over the draws inside', () => {
  const nodes = timedFrame.nodes.map((node, index) => ({ ...node, draws: [4, 3, 2, 1, 0][index] }));
  const { cells } = derived('time per draw', [], { ...timedFrame, nodes });
  assert.deepEqual(
    cells.map(({ value }) => value),
    [150, 100, 50, 200, null],
  );
  assert.deepEqual(cells[4], { value: null, samples: [], status: 'ok', reason: 'it has no draws' });
});

test('only the derived set is shown, and it tells where its counters are from', () => {
  const { sets } = derived('overdraw');
  assert.deepEqual(
    sets.map(({ id, passes, runs, status, origin }) => [id, passes, runs, status, origin?.renderer]),
    [['derived', 0, 0, 'ok', 'some GPU']],
  );
  assert.equal(derived('share of peak').sets[0].origin, null);
});

test('what has no divisor, was not measured or was lost has no value and says why', () => {
  assert.deepEqual(derived('ns per fragment').cells[4], {
    value: null,
    samples: [],
    status: 'ok',
    reason: 'statistics/PS Invocations is 0',
  });
  const [without] = derived('overdraw', [work]).cells;
  assert.deepEqual([without.status, without.reason], ['failed', 'memory/Target Samples was not measured']);
  const lost = { ...work, problem: 'llvmpipe is busy' };
  const { cells, sets } = derived('ns per fragment', [lost]);
  assert.deepEqual([cells[2].status, cells[2].reason], ['failed', 'statistics/PS Invocations: llvmpipe is busy']);
  assert.equal(sets[0].status, 'failed');
});

test('a doubtful part makes a doubtful quotient', () => {
  const failed = run(
    work.counters,
    [
      [50, 100, 0],
      [40, 90, 0],
      [3, 6, 0],
      [1, 4, 0],
    ],
    { failed: [[0, 'busy']] },
  );
  const { cells } = derived('ns per fragment', [{ ...work, runs: [failed] }]);
  assert.deepEqual(
    [cells[1].value, cells[1].status, cells[1].reason],
    [3, 'questionable', 'statistics/PS Invocations: some of its leaves have no value: busy'],
  );
  assert.equal(cells[2].status, 'failed');
  assert.equal(cells[3].status, 'ok');
});

test('a time below resolution, questionable or missing shows in what rests on it', () => {
  const small = analyseFrame(smallTree, measurementOf([runOf([15, 210, Number.NaN], null)]));
  const { cells } = derived('ns per fragment', undefined, small);
  assert.deepEqual([cells[2].status, cells[2].reason], ['questionable', 'its time is below resolution']);
  assert.deepEqual(
    [cells[4].status, cells[4].reason],
    ['failed', 'its time is unknown: its queries gave no result in any run'],
  );
  assert.equal(cells[0].reason, 'its time is questionable: some of its leaves have no result in 1 of 1 runs');
  const shares = derived('share of peak', undefined, small).cells;
  assert.deepEqual([shares[0].value, shares[0].reason], [100, 'some of its leaves have no time']);
  assert.deepEqual([shares[1].value, shares[1].status], [100, 'ok']);
  assert.deepEqual([shares[2].value, shares[2].reason], [2.5, 'its time is below resolution']);
  assert.deepEqual([shares[4].value, shares[4].status], [null, 'failed']);
});

test('when the longest leaf is questionable, so is every share of it', () => {
  const runs = [runOf([110, 210, 310], null), runOf([110, 210, Number.NaN], null)];
  const { cells } = derived('share of peak', undefined, analyseFrame(smallTree, measurementOf(runs)));
  assert.equal(cells[2].reason, 'the time of the longest leaf is questionable');
  assert.equal(cells[4].reason, 'its time is questionable: its query gave no result in 1 of 2 runs');
});

test('leaves without any time have no peak', () => {
  const none = analyseFrame(smallTree, measurementOf([runOf([5, 5, 5], null)]));
  const { cells } = derived('share of peak', undefined, none);
  assert.deepEqual([cells[0].value, cells[0].reason], [null, 'no leaf has a time above 0']);
});
