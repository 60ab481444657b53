import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComparedNode, Comparison } from '../../src/model/comparison.ts';
import { findingsSummary } from '../../src/model/finding-text.ts';
import { type Finding, findings } from '../../src/model/findings.ts';
import {
  change,
  comparedFrame,
  comparison,
  counts,
  infos,
  matched,
  noTime,
  withNodes,
} from '../report/compare-sample.ts';

const briefly = (list: readonly Finding[]) =>
  list.filter(({ isExplained }) => !isExplained).map(({ kind, path, isWorse }) => [kind, path, isWorse]);
const of = (nodes: readonly ComparedNode[], parts?: Partial<Comparison>) => findings(withNodes(nodes, parts));
const group = (path: string, depth: number, parent: number, time = noTime, parts: Partial<ComparedNode> = {}) =>
  matched(path, null, time, { kind: depth === 0 ? 'frame' : 'marker', depth, parent, isLeaf: false, ...parts });
const [invocations, passed] = infos.map(({ id }) => id);

test('what changed is told of the deepest events, worst first, a sentence each', () => {
  const list = findings(comparison);
  assert.deepEqual(briefly(list), [
    ['slower', 'scene/floor', true],
    ['heavier', 'scene/floor', true],
    ['new', 'scene/lamp', true],
    ['differs', 'scene/floor', false],
    ['gone', 'scene/decal', false],
    ['moved', 'sprite', false],
    ['undecided', 'scene/clear', false],
  ]);
  assert.deepEqual(
    list.filter(({ isExplained }) => !isExplained).map(({ message }) => message),
    [
      'scene/floor is 12.5% slower: 8.00 ms before, 9.00 ms now (+1.00 ms, between +980 µs and +1.02 ms)',
      'scene/floor is heavier: PS Invocations 307,200 → 614,400 (+307,200, +100.0%); Texture Bytes 4.0 MiB → 8.0 MiB (+4.0 MiB, +100.0%)',
      'scene/lamp is new (draw, 200 µs)',
      'scene/floor differs: Any Samples Passed no → yes',
      'scene/decal is gone (draw, 150 µs)',
      'sprite has moved, it was scene/sprite',
      'scene/clear is undecided, 250 µs before, 260 µs now (+10.0 µs, between -10.0 µs and +30.0 µs): the time budget ended',
    ],
  );
  assert.deepEqual(
    list.filter(({ isExplained }) => isExplained).map(({ kind, node, path }) => [kind, node && path]),
    [
      ['slower', ''],
      ['slower', 'scene'],
      ['slower', null],
      ['heavier', 'scene'],
      ['heavier', ''],
    ],
  );
  assert.equal(
    findingsSummary(list),
    '1 event is slower, 1 is heavier, 1 is new, 1 differs, 1 is gone, 1 has moved; 1 event is undecided',
  );
});

test('medians that differ otherwise than runs side by side do not stand there as the change', () => {
  const drifted = change(1e6, 1.3e6, { newNs: 0.99e6 });
  assert.deepEqual(
    of([group('', 0, -1), matched('a', 1, drifted)]).map(({ message }) => message),
    ['a is 30.0% slower: 1.00 ms before, 990 µs now (of runs side by side, +300 µs, between +280 µs and +320 µs)'],
  );
});

test('a group whose slow-down no event below accounts for is told itself', () => {
  const nodes = [
    group('', 0, -1, change(9e6, 10e6)),
    group('a', 1, 0, change(9e6, 10e6)),
    matched('a/small', 2, change(1e6, 1.1e6), { depth: 2, parent: 1 }),
    matched('a/rest', 3, change(8e6, 8.1e6), { depth: 2, parent: 1 }),
  ];
  assert.deepEqual(briefly(of(nodes)), [
    ['slower', 'a', true],
    ['slower', 'a/small', true],
  ]);
});

test('a new event accounts for what its parents take longer, a gone one for what they take less', () => {
  const added = matched('a/new', 4, { ...noTime, newNs: 1e6 }, { match: 'new', base: null, depth: 2, parent: 1 });
  const nodes = [group('', 0, -1, change(9e6, 10e6)), group('a', 1, 0, change(9e6, 10e6)), added];
  assert.deepEqual(briefly(of(nodes)), [['new', 'a/new', true]]);
  const removed = matched('a/old', 4, { ...noTime, baseNs: 1e6 }, { match: 'gone', new: null, depth: 2, parent: 1 });
  const less = [group('', 0, -1, change(10e6, 9e6)), group('a', 1, 0, change(10e6, 9e6)), removed];
  assert.deepEqual(briefly(of(less)), [['gone', 'a/old', false]]);
});

test('of what is new the outermost is told, and a new group without new work is not worse', () => {
  const isNew = { match: 'new', base: null } as const;
  const nodes = [
    group('', 0, -1),
    group('a', 1, 0, noTime, isNew),
    matched('a/b', 2, noTime, { ...isNew, depth: 2, parent: 1 }),
    group('c', 1, 0, noTime, isNew),
    matched('c/d', 3, noTime, { match: 'moved', depth: 2, parent: 3 }),
  ];
  assert.deepEqual(briefly(of(nodes)), [
    ['new', 'a', true],
    ['new', 'c', false],
    ['moved', 'c/d', false],
  ]);
});

test('counters: a difference in either direction, exact to the last digit', () => {
  const nodes = [
    group('', 0, -1),
    matched('up', 1, noTime, { counters: { [invocations]: counts(9_007_199_254_740_993n, 9_007_199_254_740_994n) } }),
    matched('down', 2, noTime, { counters: { [invocations]: counts(3, 2), [passed]: counts(true, false) } }),
    matched('same', 3, noTime, { counters: { [invocations]: counts(3, 3) } }),
  ];
  assert.deepEqual(
    of(nodes).map(({ message }) => message),
    [
      'up is heavier: PS Invocations 9,007,199,254,740,993 → 9,007,199,254,740,994 (+1, <+0.1%)',
      'down differs: Any Samples Passed yes → no',
      'down is lighter: PS Invocations 3 → 2 (-1, -33.3%)',
    ],
  );
});

test("the frame's own time is told only where no event is", () => {
  const slower = change(9e6, 10e6);
  const frame = { ...comparedFrame, plain: slower, nodes: [group('', 0, -1), matched('a', 1, change(1e6, 1e6))] };
  assert.deepEqual(
    findings({ ...comparison, frames: [frame] }).map(({ message }) => message),
    [
      'the frame without brackets is 11.1% slower: 9.00 ms before, 10.0 ms now (+1.00 ms, between +980 µs and +1.02 ms)',
    ],
  );
});

test('with several frames a sentence says of which it is', () => {
  const frame = { ...comparedFrame, plain: noTime, nodes: [group('', 0, -1), matched('a', 1, change(1e6, 2e6))] };
  const list = findings({ ...comparison, frames: [frame, { ...frame, baseFrame: 2, newFrame: 2 }] });
  assert.deepEqual(
    list.map(({ message }) => message.split(' is ')[0]),
    ['a in frame 1', 'a in frame 2'],
  );
});

test('a frame that one side lacks is new work, or gone', () => {
  const frame = { ...comparedFrame, plain: noTime, nodes: [group('', 0, -1, change(1e6, 1e6))] };
  const list = findings({ ...comparison, frames: [frame], framesAlone: { base: [5], new: [2, 3] } });
  assert.deepEqual(
    list.map(({ kind, isWorse, message }) => [kind, isWorse, message]),
    [
      ['new', true, 'frame 2 is new, base has no such frame'],
      ['new', true, 'frame 3 is new, base has no such frame'],
      ['gone', false, 'frame 5 is gone, new has no such frame'],
    ],
  );
  assert.equal(findingsSummary(list), '2 frames are new, 1 frame is gone');
});

test('nothing is nothing', () => {
  assert.deepEqual(of([group('', 0, -1, change(1e6, 1e6))]), []);
  assert.equal(findingsSummary([]), 'nothing changed');
  // What may have changed is no sameness.
  const doubtful = of([group('', 0, -1, { ...change(1e6, 1e6), verdict: 'undecided' })]);
  assert.equal(findingsSummary(doubtful), 'no change was decided; 1 event is undecided');
});

test('another program or state is told of the first event that has it, and is no failure', () => {
  const off = { what: 'depth write', base: 'on', new: 'off' };
  const program = { what: 'program', base: '0123456789abcdef', new: 'fedcba9876543210' };
  const list = of([
    group('', 0, -1),
    matched('a', 1, noTime, { changes: [off] }),
    matched('b', 2, noTime, { changes: [program, off] }),
    matched('c', 3, noTime, { changes: [off] }),
    matched('d', 4, noTime, { match: 'moved', changes: [off] }),
    matched('e', 5, noTime),
  ]);
  assert.deepEqual(
    list.map(({ kind, message, isWorse, isExplained }) => [kind, message, isWorse, isExplained]),
    [
      ['changed', 'a has changed: depth write on → off; the same of 2 more events', false, false],
      ['changed', 'b has changed: program 01234567 → fedcba98, depth write on → off', false, false],
      ['moved', 'd comes at another place in the order', false, false],
      ['changed', 'c has changed: depth write on → off; the same of 1 more event', false, true],
      ['changed', 'd has changed: depth write on → off', false, true],
    ],
  );
  assert.equal(findingsSummary(list), '4 events have another name, program or state, 1 has moved');
});
