import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReports } from '../../../src/analysis/compare/compare-reports.ts';
import { poolReports } from '../../../src/analysis/gate/pool-reports.ts';
import { statisticsOf } from '../../../src/analysis/statistics.ts';
import type { NodeReport } from '../../../src/model/report.ts';
import { optionsOf } from '../compare-times-kit.ts';
import { environment, frame, node, report } from './fixed.ts';

const timed = (path: string, eventId: number | null, values: readonly number[], more: Partial<NodeReport> = {}) => {
  const cpuNs = values.map((value) => value / 2);
  return node(path, eventId, {
    isLeaf: eventId !== null,
    durationNs: statisticsOf(values),
    rawNs: statisticsOf(values),
    cpuNs: statisticsOf(cpuNs),
    samples: { durationNs: values, rawNs: values, cpuNs },
    ...more,
  });
};

/** A process's report of one draw, and of the frame, which takes twice as long. */
const process = (values: readonly number[], more: Partial<NodeReport> = {}) => {
  const twice = values.map((value) => 2 * value);
  const own = frame([timed('', null, twice), timed('draw', 2, values, more)], {
    runs: values.length,
    plainSamples: { durationNs: twice, cpuNs: values },
    plainNs: statisticsOf(twice),
    plainCpuNs: statisticsOf(values),
    bracketedNs: statisticsOf(values.map((value) => 3 * value)),
    floorNs: statisticsOf([values[0] / 10]),
  });
  return report([own], { environment: environment({ software: true }) });
};

test('the runs of several processes are those of one measurement', () => {
  const first = process([10, 20, 30]);
  assert.equal(poolReports([first]), first);
  const [pooled] = poolReports([first, process([40, 50, 60]), process([70, 80, 90])]).frames;
  const values = [10, 20, 30, 40, 50, 60, 70, 80, 90];
  const twice = values.map((value) => 2 * value);
  assert.deepEqual(pooled.nodes[1], timed('draw', 2, values, { share: 50 / 100 }));
  assert.deepEqual(pooled.nodes[0], timed('', null, twice, { share: 1 }));
  assert.deepEqual(pooled.plainSamples, { durationNs: twice, cpuNs: values });
  assert.deepEqual([pooled.plainNs, pooled.plainCpuNs, pooled.runs], [statisticsOf(twice), statisticsOf(values), 9]);
  assert.deepEqual(pooled.bracketedNs, statisticsOf([60, 150, 240]));
  assert.deepEqual([pooled.inflation, pooled.floorNs], [150 / 100, statisticsOf([1, 4, 7])]);
});

test('what is doubtful in one process is so in all', () => {
  const doubtful = process([2, 3], { status: 'questionable', reason: 'the clock changed' });
  const [{ nodes }] = poolReports([process([1, 2]), doubtful, process([3, 4])]).frames;
  assert.deepEqual([nodes[1].status, nodes[1].reason, nodes[0].status], ['questionable', 'the clock changed', 'ok']);
});

/** Runs of a process, 1 ms each and up to 1% more, times a factor of its own. */
const runs = (factor: number): number[] =>
  Array.from({ length: 30 }, (_, run) => Math.round(1e6 * factor * (1 + ((run * 7) % 30) / 3000)));

test('of three processes an odd one by 10% makes no difference, and a draw that is 10% slower does', () => {
  const verdict = (base: readonly number[], next: readonly number[]) => {
    const pooled = [base, next].map((factors) => poolReports(factors.map((factor) => process(runs(factor)))));
    const rules = optionsOf({ metric: 'cpu', minChangeNs: 0, paired: false, look: 0, sitting: 'single' });
    return compareReports(pooled[0], pooled[1], rules).frames[0].nodes[1].time.verdict;
  };
  assert.equal(verdict([1], [1.1]), 'slower', 'a single process would raise an alarm');
  assert.notEqual(verdict([1, 1.01, 0.99], [1.1, 1, 1.01]), 'slower');
  assert.notEqual(verdict([0.9, 1, 1.01], [1, 1.01, 0.99]), 'slower');
  assert.equal(verdict([1, 1.01, 0.99], [1.11, 1.1, 1.09]), 'slower');
});
