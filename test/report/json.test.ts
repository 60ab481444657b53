import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '../../src/report/json.ts';
import { frame, node, report, withNodes } from './sample.ts';

const render = (of = report) => [...json(of)].join('');

test('the text holds the whole report', () => {
  assert.deepEqual(JSON.parse(render()), report);
  const two = { ...report, frames: [frame, { ...frame, frame: 2, nodes: [] }] };
  assert.deepEqual(JSON.parse(render(two)), two);
  assert.deepEqual(JSON.parse(render({ ...report, frames: [] })).frames, []);
});

test('the format and its version come first, and each node has a line', () => {
  const lines = render().split('\n');
  assert.deepEqual(lines.slice(0, 3), ['{', '"format": "gpuprof-report",', '"version": 1,']);
  assert.equal(lines.filter((line) => line.startsWith('{"eventId"')).length, frame.nodes.length);
  assert.equal(lines.at(-1), '');
});

test('a name comes back exactly, and none of it reaches a terminal', () => {
  const name = 'a\u001b]0;x\u0007\u009b31m\u202e\n"\\🙂\u2028';
  const text = render(withNodes([node({ name, depth: 0 }, 5)]));
  assert.equal(JSON.parse(text).frames[0].nodes[0].name, name);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u2028\u202e]/u);
});

test('the verification is there when there was one', () => {
  assert.equal('verification' in JSON.parse(render()), false);
  const verification = {
    passed: true,
    message: 'passed',
    pixels: 4,
    differing: 0,
    beyondTolerance: 0,
    maxDifference: 0,
    meanDifference: 0,
    sameRenderer: true,
    tolerance: 0,
    allowedBeyond: 0,
  };
  assert.deepEqual(JSON.parse(render({ ...report, verification })).verification, verification);
});
