import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianRanks, statisticsOf } from '../../src/analysis/statistics.ts';
import { median } from '../../src/model/median.ts';

test('median of odd, even and no values', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([10, 9, 100, 1]), 9.5);
  assert.ok(Number.isNaN(median([])));
});

test('ranks of the 95% interval are those of the sign test tables', () => {
  const table = { 1: [1, 1], 5: [1, 5], 6: [1, 6], 8: [1, 8], 9: [2, 8], 12: [3, 10], 20: [6, 15], 30: [10, 21] };
  for (const [count, ranks] of Object.entries(table))
    assert.deepEqual(medianRanks(Number(count)), ranks, `n = ${count}`);
  assert.deepEqual(medianRanks(100), [40, 61]);
  const [low, high] = medianRanks(5000);
  assert.equal(low + high, 5001);
  // Normal approximation: 2500 - 0.98 * sqrt(5000) = 2430.7.
  assert.ok(Math.abs(low - 2431) <= 1, `${low}`);
});

test('statistics of nine values, unknown ones left out', () => {
  assert.deepEqual(statisticsOf([50, null, 10, 40, Number.NaN, 20, 30, 60, 80, 70, 190]), {
    median: 50,
    min: 10,
    max: 190,
    mad: 20,
    low95: 20,
    high95: 80,
    runs: 9,
  });
});

test('nothing known gives no statistics', () => {
  assert.equal(statisticsOf([null, Number.NaN, Number.POSITIVE_INFINITY]), null);
  assert.equal(statisticsOf([]), null);
});
