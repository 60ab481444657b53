import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostCounters } from '../../src/analysis/compare/lost-counters.ts';
import type { Comparison, CounterChange } from '../../src/model/comparison.ts';
import { comparison } from '../report/compare-sample.ts';

const [info] = comparison.counters;
const whole: Comparison = { ...comparison, counters: [info], warnings: [] };

/** The sample with this verdict of its first counter for each event. */
function judged(verdict: CounterChange['verdict'], counter = info): Comparison {
  const change: CounterChange = { base: 1, new: 1, delta: 0, verdict, reason: 'new is failed: lost' };
  const frames = whole.frames.map((frame) => ({
    ...frame,
    nodes: frame.nodes.map((node) => ({ ...node, counters: { [info.id]: change } })),
  }));
  return { ...whole, counters: [counter], frames };
}

test('counters that were all compared are not lost, whatever changed', () => {
  for (const verdict of ['same', 'more', 'fewer', 'differs'] as const)
    assert.equal(lostCounters(judged(verdict), true), null);
});

test('a value that one side does not have is told, with the first event', () => {
  const leaves = whole.frames.flatMap(({ nodes }) => nodes).filter((node) => node.isLeaf && node.base && node.new);
  assert.equal(
    lostCounters(judged('unknown'), true),
    `${leaves.length} values are unknown, such as ${info.name} of ${leaves[0].new?.path}: new is failed: lost`,
  );
});

test('a counter that one side lacks is told in the words of the warning', () => {
  const lost = { code: 'counters-lost', message: 'only base has statistics/A: not compared' };
  const left = { code: 'counters-left', message: 'only new has statistics/A: not compared' };
  const told = (warnings: Comparison['warnings'], areAsked: boolean) =>
    lostCounters({ ...judged('same'), warnings }, areAsked);
  assert.deepEqual([told([left, lost], false), told([lost], true)], [lost.message, lost.message]);
  // Nobody promised to compare what base does not count.
  assert.deepEqual([told([left], false), told([left], true)], [null, left.message]);
});

test('counters that differ from run to run prove nothing', () => {
  const loose = { ...info, exact: false };
  assert.equal(lostCounters(judged('unknown', loose), false), null);
  assert.equal(lostCounters(judged('unknown', loose), true), 'none of the counters is the same in every run');
});
