import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventTree } from '../../src/model/event-tree.ts';
import { DrawnBefore } from '../../src/query/drawn-before.ts';
import { loopTree } from './loop-frame.ts';

const treeOf = (state: number, change: Partial<EventTree['nodes'][number]> = {}): EventTree => {
  const { nodes, leaves } = loopTree(2);
  return {
    nodes: nodes.map((node, index) => (index === 2 ? { ...node, ...change } : node)),
    leaves,
    states: Uint32Array.of(0, 1, state),
  };
};

test('a frame is warm when its programs have drawn under its states into its targets', () => {
  const drawn = new DrawnBefore();
  assert.equal(drawn.follow(treeOf(1)), false, 'the first frame');
  assert.equal(drawn.follow(treeOf(1)), true);
  assert.equal(drawn.follow(treeOf(2)), false, 'another state');
  assert.equal(drawn.follow(treeOf(2)), true);
  assert.equal(drawn.follow(treeOf(2, { program: 9 })), false, 'another program');
  assert.equal(drawn.follow(treeOf(2, { target: 'canvas' })), false, 'another target');
  assert.equal(drawn.follow(treeOf(1)), true);
});

test('what hides its states is never warm', () => {
  const drawn = new DrawnBefore();
  for (let time = 0; time < 2; time++) {
    assert.equal(drawn.follow(treeOf(0)), false, 'a draw under several states');
    assert.equal(drawn.follow(treeOf(1, { kind: 'pass' })), false);
    assert.equal(drawn.follow(treeOf(1, { kind: 'marker' })), false);
  }
});
