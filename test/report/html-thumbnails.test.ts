import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Thumbnail } from '../../src/model/thumbnails.ts';
import { thumbnailsOf } from '../../src/report/html/thumbnails.ts';
import { node } from './sample.ts';

const tree = (...rows: readonly (readonly [depth: number, eventId: number | null, isLeaf?: boolean])[]) =>
  rows.map(([depth, eventId, isLeaf = false]) => node({ name: 'a', depth, eventId, isLeaf }, 1));

test('a leaf has its own picture, a group that of its last action', () => {
  const thumbnails: Thumbnail[] = [
    { eventId: 3, target: 'a', picture: 0, reason: null },
    { eventId: 5, target: '', picture: null, reason: 'incomplete' },
    { eventId: 9, target: 'c', picture: 0, reason: null },
  ];
  const nodes = tree(
    [0, null],
    [1, 1],
    [2, 2],
    [3, 3, true],
    // It writes no target.
    [3, 4, true],
    [2, 5, true],
    // Nothing in it does.
    [1, 6],
    [2, 7, true],
    // A run of actions with one bracket, as --per pass has it.
    [1, 7.5, true],
  );
  assert.deepEqual(thumbnailsOf(nodes, thumbnails), [
    { picture: 0, text: 'after event 9: c' },
    { picture: null, text: 'after event 5: no picture: incomplete' },
    { picture: 0, text: 'after event 3: a' },
    { picture: 0, text: 'a' },
    undefined,
    { picture: null, text: 'no picture: incomplete' },
    undefined,
    undefined,
    { picture: 0, text: 'after event 9: c' },
  ]);
});
