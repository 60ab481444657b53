import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableCounters } from '../../src/analysis/compare/comparable-counters.ts';
import { counterChange } from '../../src/analysis/compare/counter-change.ts';
import { matchFrames } from '../../src/analysis/compare/match-frames.ts';
import type { CounterInfo, CounterValue } from '../../src/model/counter.ts';
import type { CounterCell, CounterSetReport, FrameReport } from '../../src/model/report.ts';
import { info, setOf } from './counter-kit.ts';

const cell = (value: unknown, status: CounterCell['status'] = 'ok', reason: string | null = null): CounterCell => ({
  value: value as CounterValue,
  samples: [],
  status,
  reason,
});

const count = info('invocations');
const yes = info('any samples', { dataType: 'bool', kind: 'any' });

test('exact counters: any difference is more or fewer, and none is the same', () => {
  assert.deepEqual(counterChange(count, cell(100), cell(101)), {
    base: 100,
    new: 101,
    delta: 1,
    verdict: 'more',
    reason: null,
  });
  assert.deepEqual(counterChange(count, cell(100), cell(40)), {
    base: 100,
    new: 40,
    delta: -60,
    verdict: 'fewer',
    reason: null,
  });
  assert.deepEqual(counterChange(count, cell(0), cell(0)), {
    base: 0,
    new: 0,
    delta: 0,
    verdict: 'same',
    reason: null,
  });
});

test('64 bits stay exact, also as the digits that JSON has', () => {
  const huge = 2n ** 63n;
  assert.deepEqual(counterChange(count, cell(huge), cell(huge + 1n)), {
    base: huge,
    new: huge + 1n,
    delta: 1,
    verdict: 'more',
    reason: null,
  });
  assert.deepEqual(counterChange(count, cell(String(huge)), cell(huge)).verdict, 'same');
  assert.deepEqual(counterChange(count, cell('9007199254740993'), cell(5)), {
    base: 9007199254740993n,
    new: 5,
    delta: -9007199254740988,
    verdict: 'fewer',
    reason: null,
  });
  assert.deepEqual(counterChange(count, cell(5n), cell(5)).base, 5);
  assert.deepEqual(counterChange(count, cell(-1), cell(huge)).delta, huge + 1n);
});

test('fractions, yes or no, and what has no more or less', () => {
  assert.equal(counterChange(info('load', { dataType: 'f64' }), cell(0.5), cell(0.75)).delta, 0.25);
  assert.deepEqual(counterChange(yes, cell(false), cell(true)), {
    base: false,
    new: true,
    delta: null,
    verdict: 'differs',
    reason: null,
  });
  assert.equal(counterChange(yes, cell(true), cell(true)).verdict, 'same');
  assert.equal(counterChange(info('rate', { kind: 'ratio', dataType: 'f64' }), cell(2), cell(3)).verdict, 'differs');
});

test('an event on one side does work, or none', () => {
  assert.deepEqual(counterChange(count, undefined, cell(7)), {
    base: null,
    new: 7,
    delta: 7,
    verdict: 'more',
    reason: null,
  });
  assert.deepEqual(counterChange(count, cell(2n ** 60n), undefined), {
    base: 2n ** 60n,
    new: null,
    delta: -(2n ** 60n),
    verdict: 'fewer',
    reason: null,
  });
  assert.equal(counterChange(count, undefined, cell(0)).verdict, 'same');
  assert.equal(counterChange(yes, undefined, cell(false)).verdict, 'same');
  assert.equal(counterChange(yes, undefined, cell(true)).verdict, 'differs');
  assert.deepEqual(counterChange(count, undefined, cell(null, 'failed', 'no result')), {
    base: null,
    new: null,
    delta: null,
    verdict: 'unknown',
    reason: 'new is failed: no result',
  });
  assert.equal(counterChange(count, undefined, undefined).verdict, 'unknown');
});

test('doubtful and inexact values are shown and not judged', () => {
  assert.deepEqual(counterChange(count, cell(5, 'questionable', 'runs differ: 5 to 6'), cell(6)), {
    base: 5,
    new: 6,
    delta: 1,
    verdict: 'unknown',
    reason: 'base is questionable: runs differ: 5 to 6',
  });
  assert.deepEqual(counterChange(count, cell(5), cell(null, 'failed')), {
    base: 5,
    new: null,
    delta: null,
    verdict: 'unknown',
    reason: 'new is failed',
  });
  assert.deepEqual(counterChange(info('busy', { exact: false }), cell(5), cell(6)), {
    base: 5,
    new: 6,
    delta: 1,
    verdict: 'unknown',
    reason: 'it is not the same in every run, so a difference proves nothing',
  });
});

test('no value by right on both sides is the same, on one side it differs', () => {
  const none = cell(null, 'ok', 'the divisor is 0');
  assert.deepEqual(counterChange(count, none, none), {
    base: null,
    new: null,
    delta: null,
    verdict: 'same',
    reason: 'the divisor is 0',
  });
  assert.deepEqual(counterChange(count, cell(3), none), {
    base: 3,
    new: null,
    delta: null,
    verdict: 'differs',
    reason: 'new has no value: the divisor is 0',
  });
  assert.equal(counterChange(count, undefined, none).verdict, 'same');
});

test('a note is said of every change', () => {
  assert.equal(counterChange(count, cell(1), cell(2), 'two drivers').reason, 'two drivers');
  assert.equal(counterChange(count, cell(1, 'failed'), cell(2), 'two drivers').reason, 'base is failed; two drivers');
});

const origin = { driver: 'egl', api: 'gl', renderer: 'llvmpipe', version: '4.5 Mesa 22.3.6' };

const report = (counters: readonly CounterInfo[], parts: Partial<CounterSetReport> = {}) => ({
  counters: [
    {
      ...setOf(counters),
      origin,
      passes: 1,
      runs: 1,
      status: 'ok' as const,
      reason: null,
      ...parts,
    },
  ],
});

test('counters of both sides are compared, those of one are told of', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => info(name));
  assert.deepEqual(comparableCounters(report([a, b]), report([b, c])), {
    counters: [b],
    notes: new Map(),
    warnings: [
      { code: 'counters-lost', message: 'only base has s/a: not compared' },
      { code: 'counters-left', message: 'only new has s/c: not compared' },
    ],
  });
  assert.deepEqual(comparableCounters({}, {}), { counters: [], notes: new Map(), warnings: [] });
  assert.deepEqual(comparableCounters({}, report([a])).warnings, [
    { code: 'counters-left', message: 'base has no counters, so none is compared' },
  ]);
  assert.deepEqual(comparableCounters(report([a]), {}).warnings, [
    { code: 'counters-lost', message: 'new has no counters, so none is compared' },
  ]);
  assert.deepEqual(
    comparableCounters(
      report([a, b]),
      report([
        { ...a, unit: 'bytes' },
        { ...b, exact: false },
      ]),
    ),
    {
      counters: [{ ...b, exact: false }],
      notes: new Map(),
      warnings: [{ code: 'counters-unlike', message: 'the sides count s/a differently: not compared' }],
    },
  );
});

test('what two drivers counted has a note, sizes of objects have none', () => {
  const counters = [info('a')];
  const other = { origin: { ...origin, renderer: 'softpipe', version: '3.3' } };
  const note =
    'counted by two drivers, which may count differently: OpenGL 4.5 llvmpipe through egl and OpenGL 3.3 softpipe through egl';
  assert.deepEqual(comparableCounters(report(counters), report(counters, other)), {
    counters,
    notes: new Map([['s/a', note]]),
    warnings: [{ code: 'counters-origin', message: `counters of s are ${note}` }],
  });
  const newer = { origin: { ...origin, version: '4.5 Mesa 23.1.0' } };
  assert.equal(
    comparableCounters(report(counters), report(counters, newer)).notes.get('s/a'),
    'counted by two drivers, which may count differently: 4.5 Mesa 22.3.6 and 4.5 Mesa 23.1.0',
  );
  const memory = { source: 'memory' } as const;
  assert.deepEqual(
    comparableCounters(report(counters, memory), report(counters, { ...memory, ...other })).warnings,
    [],
  );
});

test('frames are paired by order, and those of one side alone are told of', () => {
  const frames = (...numbers: readonly number[]) => ({
    frames: numbers.map((frame) => ({ frame }) as FrameReport),
  });
  const pairsOf = (base: readonly number[], next: readonly number[]) => {
    const { pairs, alone, warnings } = matchFrames(frames(...base), frames(...next));
    return [
      pairs.map((pair) => [pair.base.frame, pair.next.frame]),
      [alone.base, alone.new],
      warnings.map(({ message }) => message),
    ];
  };
  assert.deepEqual(pairsOf([1, 2], [3, 4]), [
    [
      [1, 3],
      [2, 4],
    ],
    [[], []],
    [],
  ]);
  assert.deepEqual(pairsOf([1, 2, 3], [1]), [
    [[1, 1]],
    [[2, 3], []],
    ['2 frames from 2 on are only in base and not compared'],
  ]);
  assert.deepEqual(pairsOf([1], [1, 2]), [[[1, 1]], [[], [2]], ['frame 2 is only in new and not compared']]);
  assert.deepEqual(pairsOf([], []), [[], [[], []], []]);
});
