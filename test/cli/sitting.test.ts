import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReports } from '../../src/analysis/compare/compare-reports.ts';
import { sit } from '../../src/cli/compare/sitting.ts';
import { frameOf, optionsOf, reportOf } from '../analysis/compare-times-kit.ts';

test('two reports are looked at once, with all of the error rate, and no run is told of', async () => {
  const [base, next] = [0, 20_000].map((moreNs) =>
    reportOf(frameOf({ Main: { ground: Array.from({ length: 6 }, (_, run) => 1e6 + moreNs + 1000 * (run % 5)) } })),
  );
  const { look: _, ...options } = optionsOf({ paired: false });
  const told: string[] = [];
  const { comparisons, reports } = await sit({
    sides: [
      { process: null, report: base },
      { process: null, report: next },
    ],
    frames: [{ index: 0, options, place: '' }],
    pairs: undefined,
    deadline: Number.POSITIVE_INFINITY,
    firstPart: 1,
    progress: { update: (text) => told.push(text), stop: () => {} },
  });
  assert.deepEqual(comparisons, [compareReports(base, next, { ...options, look: 0 })]);
  assert.deepEqual([told, reports], [[], [base, next]]);
  // At the first look's part of the rate, 6 runs are too few.
  assert.equal(comparisons[0].frames[0].nodes[1].time.verdict, 'same');
  assert.equal(compareReports(base, next, { ...options, look: 1 }).frames[0].nodes[1].time.verdict, 'undecided');
});
