import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countersToMeasure, countFrame } from '../../src/analysis/analyse-counters.ts';
import { mergeSets } from '../../src/analysis/counter-sets.ts';
import type { CounterInfo } from '../../src/model/counter.ts';
import type { CounterRun, SetMeasurement } from '../../src/model/counter-sample.ts';
import type { FrameReport } from '../../src/model/report.ts';
import { info, measured, run, setOf, timedFrame } from './counter-kit.ts';
import { smallTree } from './samples.ts';

const nan = Number.NaN;

function count(measurement: SetMeasurement, frame: FrameReport = timedFrame) {
  return countFrame(smallTree, frame, [measurement], new Set(measurement.counters.map(({ id }) => id)));
}

/** Cells of one counter: the frame, A, a1, a2, b. */
function cellsOf(counters: readonly CounterInfo[], runs: readonly CounterRun[], parts: Partial<SetMeasurement> = {}) {
  const [{ id }] = counters;
  const { frame } = count(measured(counters, runs, parts));
  return frame.nodes.map((node) => node.counters![id]);
}
const valuesOf = (counters: readonly CounterInfo[], ...runs: CounterRun[]) =>
  cellsOf(counters, runs).map(({ value }) => value);

test('a sum is exact beyond 2^53, and a number below', () => {
  const counter = info('n');
  assert.deepEqual(valuesOf([counter], run([counter], [[9_007_199_254_740_991n, 2, 3]])), [
    9_007_199_254_740_996n,
    9_007_199_254_740_993n,
    9_007_199_254_740_991,
    2,
    3,
  ]);
  assert.deepEqual(valuesOf([counter], run([counter], [[2n ** 64n - 1n, 2n ** 64n - 1n, 1]])), [
    2n ** 65n - 1n,
    2n ** 65n - 2n,
    2n ** 64n - 1n,
    2n ** 64n - 1n,
    1,
  ]);
});

test('floats are summed as doubles, and only finite ones are values', () => {
  const counter = info('f', { dataType: 'f64', exact: false });
  assert.deepEqual(valuesOf([counter], run([counter], [[0.5, -0, 2]])), [2.5, 0.5, 0.5, 0, 2]);
  const [frame, , infinite] = cellsOf([counter], [run([counter], [[Number.POSITIVE_INFINITY, 1, 2]])]);
  assert.deepEqual([infinite.value, infinite.status, infinite.reason], [null, 'failed', 'the driver gave no value']);
  assert.deepEqual(
    [frame.value, frame.status, frame.reason],
    [3, 'questionable', 'some of its leaves have no value: the driver gave no value'],
  );
  const [total] = cellsOf([counter], [run([counter], [[1.7e308, 1.7e308, 2]])]);
  assert.deepEqual([total.value, total.status, total.reason], [null, 'ok', 'it is too large for a double']);
});

test('a ratio of a parent is the quotient of the sums, not a mean', () => {
  const of = info('of');
  const by = info('by');
  const ratio = info('r', {
    dataType: 'f64',
    kind: 'ratio',
    parts: { of: of.id, by: by.id, scale: 100 },
    exact: false,
  });
  const counters = [ratio, of, by];
  const values = valuesOf(
    counters,
    run(counters, [
      [50, 20, nan],
      [1, 2, 7],
      [2, 10, 0],
    ]),
  );
  assert.deepEqual(values, [(100 * 10) / 12, 25, 50, 20, null]);
  const cells = cellsOf(counters, [
    run(counters, [
      [50, 20, nan],
      [1, 2, 7],
      [2, 10, 0],
    ]),
  ]);
  assert.deepEqual(cells[4], { value: null, samples: [null], status: 'ok', reason: 'its divisor is 0' });
  assert.equal(cells[0].status, 'ok');
  const alone = cellsOf([ratio], [run([ratio], [[50, 20, 1]])]);
  assert.deepEqual([alone[0].value, alone[0].reason, alone[2].value], [null, 'its parts were not measured', 50]);
});

test('an average is weighed by the time of the same run, else by the durations of the leaves', () => {
  const percent = info('p', { dataType: 'f32', kind: 'average', unit: 'percent', exact: false });
  const time = info('t', { unit: 'ns', exact: false });
  const both = [percent, time];
  assert.deepEqual(
    valuesOf(
      both,
      run(both, [
        [10, 30, 100],
        [30, 10, 0],
      ]),
    ),
    [15, 15, 10, 30, 100],
  );
  // 100, 200 and 300 ns.
  const [frame, group] = valuesOf([percent], run([percent], [[10, 40, 100]]));
  assert.deepEqual([frame, group], [65, 30]);
  const [even] = valuesOf(
    both,
    run(both, [
      [10, 30, 80],
      [0, 0, 0],
    ]),
  );
  assert.equal(even, 40);
});

test('the mean of equal percentages is that percentage', () => {
  const percent = info('p', { dataType: 'f64', kind: 'average', exact: false });
  assert.deepEqual(valuesOf([percent], run([percent], [[33.3, 33.3, 33.3]])), [33.3, 33.3, 33.3, 33.3, 33.3]);
});

test('an average of leaves of which one has no time says so; without any time it is the plain mean', () => {
  const percent = info('p', { dataType: 'f64', kind: 'average', exact: false });
  const untimed = (...leaves: number[]) => ({
    ...timedFrame,
    nodes: timedFrame.nodes.map((node, index) => (leaves.includes(index) ? { ...node, durationNs: null } : node)),
  });
  const measurement = measured([percent], [run([percent], [[10, 20, 60]])]);
  const cells = (frame: FrameReport) => count(measurement, frame).frame.nodes.map((node) => node.counters![percent.id]);
  const [some] = cells(untimed(2));
  assert.deepEqual([some.value, some.status], [44, 'questionable']);
  assert.equal(some.reason, 'the time of some of its leaves, to weigh them by, is unknown');
  const [none] = cells(untimed(2, 3, 4));
  assert.deepEqual([none.value, none.status], [30, 'ok']);
});

test('the largest, any, and a point in time', () => {
  const largest = info('m', { kind: 'maximum' });
  const huge = 2n ** 60n;
  assert.deepEqual(valuesOf([largest], run([largest], [[5, huge, 7]])), [huge, huge, 5, huge, 7]);
  const any = info('a', { kind: 'any', dataType: 'bool' });
  assert.deepEqual(valuesOf([any], run([any], [[0, 1, 0]])), [true, true, false, true, false]);
  const point = info('t', { kind: 'point', exact: false });
  const cells = cellsOf([point], [run([point], [[5, 6, 7]])]);
  assert.deepEqual(
    cells.map(({ value }) => value),
    [null, null, 5, 6, 7],
  );
  assert.deepEqual([cells[0].status, cells[0].reason], ['ok', 'says nothing of a group']);
});

test('objects are counted once however many leaves use them, with their largest amount', () => {
  const bytes = info('b', { kind: 'distinct', unit: 'bytes' });
  const objects = {
    [bytes.id]: [
      [
        { key: 'texture 1', amount: 100 },
        { key: 'texture 2', amount: 10 },
      ],
      [{ key: 'texture 1', amount: 150 }],
      [
        { key: 'texture 1', amount: 100 },
        { key: 'texture 3', amount: 7 },
      ],
    ],
  };
  assert.deepEqual(valuesOf([bytes], run([bytes], [[110, 150, 107]], { objects })), [167, 160, 110, 150, 107]);
  const [untold] = cellsOf([bytes], [run([bytes], [[110, 150, 107]])]);
  assert.deepEqual([untold.value, untold.reason], [null, 'the objects behind it were not told']);
});

test('several runs: the lower median, in run order; exact counters that differ are questionable', () => {
  const exact = info('n');
  const noisy = info('x', { exact: false });
  const runs = [124, 120, 122, 121].map((value) =>
    run(
      [exact, noisy],
      [
        [value, 1, 1],
        [value, 1, 1],
      ],
    ),
  );
  const cells = cellsOf([exact, noisy], runs);
  assert.deepEqual(cells[2], {
    value: 121,
    samples: [124, 120, 122, 121],
    status: 'questionable',
    reason: 'runs differ: 120 to 124',
  });
  assert.deepEqual([cells[0].value, cells[0].reason], [123, 'runs differ: 122 to 126']);
  assert.deepEqual(cells[3], { value: 1, samples: [1, 1, 1, 1], status: 'ok', reason: null });
  const other = cellsOf(
    [noisy],
    runs.map(({ columns, ...rest }) => ({ ...rest, columns: [columns[1]] })),
  );
  assert.deepEqual([other[2].value, other[2].status], [121, 'ok']);
});

test('twenty equal runs are one value', () => {
  const counter = info('n');
  const runs = Array.from({ length: 20 }, () => run([counter], [[2n ** 63n, 2, 3]]));
  const cells = cellsOf([counter], runs);
  assert.ok(cells.every(({ status }) => status === 'ok'));
  assert.equal(cells[2].value, 2n ** 63n);
  assert.equal(cells[0].samples.length, 20);
});

test('a leaf that failed in some runs is questionable, and whole sums are preferred to partial ones', () => {
  const counter = info('n');
  const runs = [
    run([counter], [[0, 2, 3]], { failed: [[0, 'the device was busy']] }),
    run([counter], [[1, 2, 3]]),
    run([counter], [[1, 2, 3]]),
  ];
  const [frame, group, a1, a2] = cellsOf([counter], runs);
  assert.deepEqual(a1, {
    value: 1,
    samples: [null, 1, 1],
    status: 'questionable',
    reason: 'it has no value in 1 of 3 runs: the device was busy',
  });
  assert.deepEqual(group, {
    value: 3,
    samples: [2, 3, 3],
    status: 'questionable',
    reason: 'some of its leaves have no value in 1 of 3 runs: the device was busy',
  });
  assert.deepEqual([frame.value, a2.status], [6, 'ok']);
});

test('a leaf that failed in all runs has failed; its parent has the sum of the others', () => {
  const counter = info('n');
  const failing = (leaves: number[]) =>
    run([counter], [[9, 2, 3]], { failed: leaves.map((leaf) => [leaf, `reason ${leaf}`] as const) });
  const [frame, group, a1] = cellsOf([counter], [failing([0]), failing([0])]);
  assert.deepEqual(a1, { value: null, samples: [null, null], status: 'failed', reason: 'reason 0' });
  assert.deepEqual(group, {
    value: 2,
    samples: [2, 2],
    status: 'questionable',
    reason: 'some of its leaves have no value: reason 0',
  });
  assert.equal(frame.value, 5);
  const all = cellsOf([counter], [failing([0, 1])]);
  assert.deepEqual(
    [all[1].value, all[1].status, all[1].reason],
    [null, 'failed', 'none of its leaves has a value: reason 0'],
  );
});

test('what the source doubts is questionable with its parents, and counts only where nothing sounder is', () => {
  const counter = info('n', { exact: false });
  const runs = [
    run([counter], [[900, 2, 3]], { questionable: [[0, 'the frequency changed']] }),
    run([counter], [[1, 2, 3]]),
  ];
  const [frame, group, a1, a2, b] = cellsOf([counter], runs);
  for (const cell of [frame, group, a1])
    assert.deepEqual([cell.status, cell.reason], ['questionable', 'the frequency changed']);
  assert.deepEqual([frame.value, group.value, a1.value], [6, 3, 1]);
  assert.deepEqual([a2.status, b.status], ['ok', 'ok']);
  assert.equal(cellsOf([counter], [runs[0]])[2].value, 900);
});

test('a set that could not be measured, and counters that are lost, say why', () => {
  const [kept, lost] = [info('kept'), info('lost')];
  const problem = count(measured([kept, lost], [], { problem: 'it is busy' }));
  assert.deepEqual(problem.frame.nodes[0].counters!['s/kept'], {
    value: null,
    samples: [],
    status: 'failed',
    reason: 'it is busy',
  });
  assert.deepEqual([problem.sets[0].status, problem.sets[0].reason], ['failed', 'it is busy']);
  const values = [
    [1, 2, 3],
    [0, 0, 0],
  ];
  const partly = count(
    measured([kept, lost], [run([kept, lost], values)], { lost: new Map([['s/lost', 'its type is unknown']]) }),
  );
  assert.equal(partly.frame.nodes[0].counters!['s/kept'].value, 6);
  assert.deepEqual(partly.frame.nodes[4].counters!['s/lost'].reason, 'its type is unknown');
  assert.deepEqual(
    [partly.sets[0].status, partly.sets[0].reason],
    ['questionable', '1 of 2 counters cannot be read: its type is unknown'],
  );
});

test('a set says how many leaves are doubtful', () => {
  const counter = info('n');
  const parts = { failed: [[0, 'busy'] as const], questionable: [[1, 'the frequency changed'] as const] };
  const { sets } = count(measured([counter], [run([counter], [[1, 2, 3]], parts)]));
  assert.deepEqual(
    [sets[0].status, sets[0].reason],
    ['questionable', '1 of 3 leaves could not be counted: busy; 1 of 3 leaves is questionable: the frequency changed'],
  );
  const failed = [0, 1, 2].map((leaf) => [leaf, 'busy'] as const);
  const none = count(measured([counter], [run([counter], [[1, 2, 3]], { failed })])).sets[0];
  assert.deepEqual([none.status, none.reason], ['failed', 'busy']);
});

test('sets of several frames become one, as doubtful as the first frame that is', () => {
  const counter = info('n');
  const sound = count(measured([counter], [run([counter], [[1, 2, 3]])]));
  const bad = count(measured([counter], [], { problem: 'it is busy', passes: 2, origin: null }), {
    ...timedFrame,
    frame: 2,
  });
  const [both] = mergeSets([sound, bad]);
  assert.deepEqual(
    [both.status, both.reason, both.passes, both.runs, both.origin?.renderer],
    ['questionable', 'frame 2: it is busy', 2, 1, 'some GPU'],
  );
  assert.deepEqual([mergeSets([bad, bad])[0].status, mergeSets([bad, bad])[0].reason], ['failed', 'it is busy']);
  assert.equal(mergeSets([sound])[0].reason, null);
});

test('only what was asked for is shown; ratios and averages bring what they need', () => {
  const [of, by, time, other] = [info('of'), info('by'), info('t', { unit: 'ns' }), info('other')];
  const ratio = info('r', { kind: 'ratio', parts: { of: of.id, by: by.id, scale: 1 } });
  const average = info('p', { kind: 'average' });
  const set = setOf([average, by, of, other, ratio, time]);
  const names = (asked: CounterInfo[]) => countersToMeasure(set, asked).map(({ name }) => name);
  assert.deepEqual(names([ratio]), ['by', 'of', 'r']);
  assert.deepEqual(names([average]), ['p', 't']);
  assert.deepEqual(names([other]), ['other']);
  const counters = [of, by];
  const values = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const { frame, sets } = countFrame(
    smallTree,
    timedFrame,
    [measured(counters, [run(counters, values)])],
    new Set([by.id]),
  );
  assert.deepEqual(Object.keys(frame.nodes[0].counters!), ['s/by']);
  assert.deepEqual(sets[0].counters, [by]);
  assert.deepEqual(countFrame(smallTree, timedFrame, [measured(counters, [])], new Set()).sets, []);
});

test('the times of a frame stay as they are', () => {
  const counter = info('n');
  const { frame } = count(measured([counter], [run([counter], [[1, 2, 3]])]));
  assert.deepEqual({ ...frame, nodes: frame.nodes.map(({ counters: _, ...node }) => node) }, timedFrame);
});
