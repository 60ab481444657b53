import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { measurementOf, runOf, smallTree } from './samples.ts';

const nan = Number.NaN;

test('a parent has the statistics of its per-run sums, not the sum of medians', () => {
  const runs = [runOf([110, 210, 310], null), runOf([210, 110, 310], null), runOf([310, 110, 310], null)];
  const { nodes, sumOfLeavesNs, inflation } = analyseFrame(smallTree, measurementOf(runs));
  const [frame, a, a1, a2, b] = nodes;
  assert.deepEqual(a1.samples.durationNs, [100, 200, 300]);
  assert.deepEqual(a.samples.durationNs, [300, 300, 400]);
  assert.equal(a1.durationNs?.median, 200);
  assert.equal(a2.durationNs?.median, 100);
  assert.deepEqual(a.durationNs, { median: 300, min: 300, max: 400, mad: 0, low95: 300, high95: 400, runs: 3 });
  assert.equal(a.rawNs?.median, 320);
  assert.deepEqual(frame.durationNs, { median: 600, min: 600, max: 700, mad: 0, low95: 600, high95: 700, runs: 3 });
  assert.deepEqual(sumOfLeavesNs, frame.durationNs);
  assert.equal(b.share, 0.5);
  assert.equal(b.parentId, null);
  assert.equal(a2.parentId, 2);
  assert.equal(b.cpuNs, null);
  assert.equal(b.samples.cpuNs, null);
  assert.equal(inflation, 2);
  assert.ok(nodes.every(({ status, reason }) => status === 'ok' && reason === null));
});

test('CPU time is taken less its own floor and never under 0', () => {
  const { nodes } = analyseFrame(smallTree, measurementOf([runOf([110, 210, 5], [105, 4, 55])]));
  assert.deepEqual(nodes[0].samples.cpuNs, [150]);
  assert.deepEqual(nodes[3].samples.cpuNs, [0]);
  assert.deepEqual(nodes[4].samples.durationNs, [0]);
  assert.deepEqual(nodes[4].samples.rawNs, [5]);
});

test('a leaf under twice the floor is below resolution, a group of such leaves too', () => {
  const { nodes } = analyseFrame(smallTree, measurementOf([runOf([19, 15, 20], null)]));
  assert.deepEqual(
    nodes.map(({ status }) => status),
    ['below-resolution', 'below-resolution', 'below-resolution', 'below-resolution', 'ok'],
  );
  assert.equal(nodes[2].reason, 'it reads 1.9 times what an empty bracket reads');
});

test('a missing reading makes its parents questionable and counts in no sum', () => {
  const runs = [runOf([110, 210, 310], null), runOf([nan, 210, 310], null), runOf([130, 210, 310], null)];
  const { nodes } = analyseFrame(smallTree, measurementOf(runs));
  const [frame, a, a1, a2] = nodes;
  assert.deepEqual(a1.samples.durationNs, [100, null, 120]);
  assert.equal(a1.durationNs?.median, 110);
  assert.equal(a1.status, 'questionable');
  assert.equal(a1.reason, 'its query gave no result in 1 of 3 runs');
  assert.equal(a.durationNs?.median, 310);
  assert.equal(a.durationNs?.runs, 2);
  assert.equal(a.reason, 'some of its leaves have no result in 1 of 3 runs');
  assert.equal(frame.status, 'questionable');
  assert.equal(a2.status, 'ok');
});

test('a leaf without any reading has failed, and its parent has the sum of the others', () => {
  const { nodes, sumOfLeavesNs } = analyseFrame(smallTree, measurementOf([runOf([nan, 210, 310], null)]));
  assert.equal(nodes[2].durationNs, null);
  assert.equal(nodes[2].share, null);
  assert.equal(nodes[2].status, 'failed');
  assert.equal(nodes[1].durationNs?.median, 200);
  assert.equal(nodes[1].status, 'questionable');
  assert.equal(sumOfLeavesNs, null);
});

test('questionable runs stay in the samples and out of the statistics', () => {
  const runs = [runOf([110, 210, 310], null), runOf([9000, 210, 310], null, 'the clock was interrupted')];
  const report = analyseFrame(smallTree, measurementOf(runs));
  assert.deepEqual(report.nodes[2].samples.durationNs, [100, 8990]);
  assert.equal(report.nodes[2].durationNs?.max, 100);
  assert.equal(report.nodes[2].status, 'ok');
  assert.deepEqual([report.runs, report.questionableRuns], [2, 1]);
});

test('when every run is questionable so is every node', () => {
  const report = analyseFrame(smallTree, measurementOf([runOf([110, 210, 310], null, 'the clock was interrupted')]));
  assert.ok(report.nodes.every(({ status }) => status === 'questionable'));
  assert.equal(report.nodes[0].reason, 'the clock was interrupted');
});

test('a frame that was not measured has no numbers', () => {
  const report = analyseFrame(smallTree, measurementOf([]));
  assert.equal(report.plainNs, null);
  assert.equal(report.inflation, null);
  assert.deepEqual([report.nodes[2].status, report.nodes[2].reason], ['failed', 'it was not measured']);
});
