import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { selectRows } from '../../src/report/select-rows.ts';
import { around, frame, node, nodes } from './sample.ts';

const labels = (options: Partial<ReportOptions>, of = frame) =>
  selectRows(of, { ...defaultOptions, ...options }).map(({ label, indent }) => ' '.repeat(indent) + label);

test('the tree in event order', () => {
  assert.deepEqual(labels({}), ['frame', ' shadow', '  cube', ' scene', '  clear', '  floor', '  lamp', '  sky']);
});

test('siblings sorted by duration within their parents, unknown durations last', () => {
  const sorted = labels({ sort: 'duration' });
  assert.deepEqual(sorted, ['frame', ' scene', '  floor', '  clear', '  lamp', '  sky', ' shadow', '  cube']);
});

test('a level limit', () => {
  assert.deepEqual(labels({ depth: 1 }), ['frame', ' shadow', ' scene']);
  assert.deepEqual(labels({ depth: 0 }), ['frame']);
});

test('a filter keeps what matches by name or path, whatever its case, and what it stands in', () => {
  assert.deepEqual(labels({ filter: 'FLOOR' }), ['frame', ' scene', '  floor']);
  assert.deepEqual(labels({ filter: 'shadow/' }), ['frame', ' shadow', '  cube']);
  assert.deepEqual(labels({ filter: 'nothing' }), []);
});

test('the heaviest leaves, flat, by path', () => {
  assert.deepEqual(labels({ top: 2, sort: 'duration' }), ['scene/floor', 'shadow/cube']);
  assert.deepEqual(labels({ top: 2, sort: 'order' }), ['shadow/cube', 'scene/floor']);
  assert.deepEqual(labels({ top: 99, sort: 'duration', filter: 'l' }), ['scene/floor', 'scene/clear', 'scene/lamp']);
});

test('the metric decides what is heavy', () => {
  const mixed = nodes.map((one) => (one.name === 'cube' ? { ...one, cpuNs: around(9e9), rawNs: around(9e9) } : one));
  const top = { top: 1, sort: 'duration' } as const;
  assert.deepEqual(labels({ ...top }, { ...frame, nodes: mixed }), ['scene/floor']);
  assert.deepEqual(labels({ ...top, metric: 'cpu' }, { ...frame, nodes: mixed }), ['shadow/cube']);
  assert.deepEqual(labels({ ...top, raw: true }, { ...frame, nodes: mixed }), ['shadow/cube']);
});

test('a tree as deep as it is long', () => {
  const deep = Array.from({ length: 50_000 }, (_, depth) => node({ name: `n${depth}`, depth, isLeaf: false }, 1));
  const rows = selectRows({ ...frame, nodes: deep }, { ...defaultOptions, filter: 'n49999', sort: 'duration' });
  assert.equal(rows.length, 50_000);
});

test('no nodes, no rows', () => {
  assert.deepEqual(labels({}, { ...frame, nodes: [] }), []);
});
