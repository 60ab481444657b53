import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphaAt, fewestObservations, lookShare, nextLook } from '../../src/analysis/compare/looks.ts';
import { rankSumCritical, unpairedShift } from '../../src/analysis/compare/rank-sum.ts';
import { medianSum, selectSum } from '../../src/analysis/compare/select-sum.ts';
import { normalQuantile } from '../../src/analysis/compare/shift.ts';
import { pairedShift, signedRankCritical } from '../../src/analysis/compare/signed-rank.ts';
import { median } from '../../src/model/median.ts';
import { randomFrom } from '../helpers/random.ts';

const near = (actual: number, expected: number, within: number) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);

test('critical values of signed ranks are those of the published tables', () => {
  const table = {
    0.05: [-1, 0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52],
    0.02: [-1, -1, 0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37, 43],
    0.01: [-1, -1, -1, 0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37],
  };
  for (const [alpha, values] of Object.entries(table))
    values.forEach((value, index) => {
      assert.equal(signedRankCritical(index + 5, Number(alpha)), value, `n = ${index + 5}, alpha = ${alpha}`);
    });
});

test('the normal approximation joins the exact signed ranks without a step, on the safe side', () => {
  for (const alpha of [0.05, 1e-3, 1e-6]) {
    const count = 200;
    const mean = (count * (count + 1)) / 4;
    const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
    const approximate = Math.floor(mean - normalQuantile(alpha / 2) * deviation - 0.5);
    const exact = signedRankCritical(count, alpha);
    assert.ok(approximate <= exact && exact - approximate < 0.02 * exact, `${approximate} for ${exact} at ${alpha}`);
  }
  assert.ok(signedRankCritical(201, 1e-6) > signedRankCritical(200, 1e-6));
});

test('critical values of rank sums are those of the published tables', () => {
  const table: [number, number, number][] = [
    [3, 3, -1],
    [4, 4, 0],
    [3, 5, 0],
    [5, 5, 2],
    [6, 7, 6],
    [4, 10, 5],
    [8, 8, 13],
    [10, 10, 23],
    [12, 15, 49],
    [20, 20, 127],
  ];
  for (const [m, n, value] of table) {
    assert.equal(rankSumCritical(m, n, 0.05), value, `${m} and ${n}`);
    assert.equal(rankSumCritical(n, m, 0.05), value, `${n} and ${m}`);
  }
  // One count among 184,756 arrangements, twice.
  assert.equal(rankSumCritical(10, 10, 2 / 184_756), 0);
  assert.equal(rankSumCritical(10, 10, 1.9 / 184_756), -1);
});

test('quantiles of the normal distribution are those of the published tables', () => {
  near(normalQuantile(0.025), 1.959964, 1e-6);
  near(normalQuantile(0.001), 3.090232, 1e-6);
  near(normalQuantile(1e-7), 5.199338, 1e-6);
  near(normalQuantile(0.3), 0.524401, 1e-6);
});

test('a sum of any rank is the one that sorting finds', () => {
  const random = randomFrom(1);
  const values = (count: number) =>
    Float64Array.from({ length: count }, () => Math.round(random() * 20) * 10 ** Math.round(random() * 6)).sort();
  for (let round = 0; round < 40; round++) {
    const a = values(1 + Math.floor(random() * 12));
    const b = values(1 + Math.floor(random() * 12));
    const all = [...a].flatMap((x) => [...b].map((y) => x + y)).sort((x, y) => x - y);
    all.forEach((sum, index) => {
      assert.equal(selectSum(a, b, false, index + 1), sum);
    });
    assert.equal(medianSum(a, b, false), median(all));
    const triangle = [...a].flatMap((x, row) => [...a.subarray(row)].map((y) => x + y)).sort((x, y) => x - y);
    triangle.forEach((sum, index) => {
      assert.equal(selectSum(a, a, true, index + 1), sum);
    });
    assert.equal(medianSum(a, a, true), median(triangle));
  }
});

test('a paired interval worked by hand', () => {
  // 36 Walsh averages: the smallest are 1, 1.5, 2, 2; T = 3 at 5% leaves three of them out on either side.
  assert.deepEqual(pairedShift([5, 1, 8, 2, 7, 3, 6, 4], 0.05), { estimate: 4.5, low: 2, high: 7 });
  // An outlier moves the upper end to the next averages, not the estimate away.
  assert.deepEqual(pairedShift([5, 1, 8000, 2, 7, 3, 6, 4], 0.05), { estimate: 4.5, low: 2, high: 4002.5 });
  assert.deepEqual(pairedShift([0, 0, 0, 0, 0, 0, 3], 0.05), { estimate: 0, low: 0, high: 1.5 });
  assert.deepEqual(pairedShift([0, 0, 0, 0, 0, 0], 0.05), { estimate: 0, low: 0, high: 0 });
  assert.deepEqual(pairedShift([4, 2, 3, 1, 5], 0.05), { estimate: 3, low: null, high: null });
});

test('an unpaired interval worked by hand', () => {
  // 25 differences, 10 less -4 to 4 times each; U = 2 at 5% leaves two of them out on either side.
  assert.deepEqual(unpairedShift([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], 0.05), { estimate: 10, low: 7, high: 13 });
  assert.deepEqual(unpairedShift([1, 2, 3, 4, 5], [15, 11, 900, 14, 12], 0.05), { estimate: 11, low: 7, high: 897 });
  assert.deepEqual(unpairedShift([1, 2], [2], 0.05), { estimate: 0.5, low: null, high: null });
});

test('looks spend the rate and no more, however many there are', () => {
  let spent = 0;
  for (let look = 1; look <= 400; look++) spent += lookShare(look);
  near(spent, 1, 1e-9);
  assert.equal(lookShare(0), 1);
  assert.equal(alphaAt(0, 50, 0.01), 0.01 / 50);
  assert.equal(alphaAt(3, 0, 0.01), 0.01 * lookShare(3));
});

test('every look has runs enough for an interval, even in number, and more than the last', () => {
  for (const [family, rate] of [
    [1, 0.1],
    [50, 0.1],
    [10_000, 0.001],
  ]) {
    let last = 0;
    for (let look = 1; look <= 14; look++) {
      const pairs = nextLook(look, family, rate);
      const alpha = alphaAt(look, family, rate);
      assert.equal(pairs % 2, 0);
      assert.ok(pairs > last && signedRankCritical(pairs / 2, alpha) >= 0, `look ${look} of ${family}`);
      last = pairs;
    }
  }
  const alpha = alphaAt(1, 50, 0.1);
  assert.equal(signedRankCritical(fewestObservations(alpha), alpha), 0);
  assert.equal(signedRankCritical(fewestObservations(alpha) - 1, alpha), -1);
  assert.deepEqual([nextLook(1, 50, 0.1), nextLook(2, 50, 0.1), nextLook(8, 50, 0.1)], [30, 42, 316]);
});
