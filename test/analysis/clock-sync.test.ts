import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClockFit,
  clockStep,
  fitClocks,
  tightestPair,
  unwrapNear,
  unwrapTicks,
} from '../../src/analysis/clock-sync.ts';
import type { ClockPair } from '../../src/model/timeline.ts';

const pair = (hostBeforeNs: number, hostAfterNs: number, ticks: bigint): ClockPair => ({
  hostBeforeNs,
  hostAfterNs,
  ticks,
});
const fitted = (...parts: Parameters<typeof fitClocks>): ClockFit => {
  const fit = fitClocks(...parts);
  assert.ok(typeof fit !== 'string', `${fit}`);
  return fit;
};

test('the tightest pair is kept, the first of several, and of none there is none', () => {
  const pairs = [pair(0, 900, 1n), pair(1000, 1300, 2n), pair(2000, 2300, 3n)];
  assert.equal(tightestPair(pairs), pairs[1]);
  assert.throws(() => tightestPair([]), RangeError);
});

test('a value unwraps to the next of its kind, over any number of wraps', () => {
  assert.equal(unwrapTicks(5n, 36, 0n), 5n);
  assert.equal(unwrapTicks(5n, 36, 5n), 5n);
  assert.equal(unwrapTicks(5n, 36, 6n), 2n ** 36n + 5n);
  assert.equal(unwrapTicks(5n, 32, 7n * 2n ** 32n + 6n), 8n * 2n ** 32n + 5n);
  assert.equal(unwrapTicks(2n ** 32n - 1n, 32, -2n), -1n);
});

test('the step of a clock is what its readings are multiples of, across a wrap', () => {
  const at = (...ticks: bigint[]) => ticks.map((value) => pair(0, 1, value));
  assert.equal(clockStep([at(7n, 1031n, 3079n), at(0n, 3072n)], 64), 1024);
  assert.equal(clockStep([at(2n ** 32n - 32n, 32n, 128n)], 32), 32);
  assert.equal(clockStep([at(7n), at(10n)], 64), 0);
});

/** 60 s of uneven drift, at 0.01 millionths in a second: 60 s, squared, a quarter of that. */
const wanderNs = 9000;

test('offset and drift are corrected, and the uncertainty is stated', () => {
  // The device's clock began 10^18 ns before the host's and gains 20 millionths.
  const device = (hostNs: number) => 10n ** 18n + BigInt(Math.round(hostNs * 1.00002));
  const before = [pair(0, 4000, device(2000)), pair(5000, 5400, device(5200)), pair(6000, 7000, device(6501))];
  const after = [pair(60e9, 60e9 + 600, device(60e9 + 300)), pair(60e9 + 1000, 60e9 + 2001, device(60e9 + 1500))];
  const fit = fitted([before, after], 64);
  assert.ok(Math.abs(fit.uncertaintyNs - 301 - wanderNs) < 0.01, `${fit.uncertaintyNs}`);
  assert.ok(Math.abs(fit.driftPpm - 20) < 1e-4, `${fit.driftPpm}`);
  assert.ok(Math.abs(fit.driftUncertaintyPpm - (500 + 1) / 60e3) < 1e-6, `${fit.driftUncertaintyPpm}`);
  for (const hostNs of [5200, 1e9, 30e9, 59e9, 60e9]) {
    assert.ok(Math.abs(fit.toHostNs(device(hostNs)) - hostNs) <= 1, `${hostNs}`);
    const ticks = fit.toTicks(hostNs) - device(hostNs);
    assert.ok(ticks >= -1n && ticks <= 1n, `${ticks}`);
  }
});

test('wherever in its bracket each reading was taken, no error exceeds what is stated', () => {
  const device = (hostNs: number) => 77n + BigInt(Math.round(hostNs * 0.99995));
  for (const [early, late] of [
    [0, 800],
    [500, 0],
    [0, 0],
    [500, 800],
  ]) {
    const fit = fitted([[pair(0, 500, device(early))], [pair(60e9, 60e9 + 800, device(60e9 + late))]], 64);
    for (let hostNs = 500; hostNs <= 60e9; hostNs += 6e9 - 1) {
      const error = Math.abs(fit.toHostNs(device(hostNs)) - hostNs);
      assert.ok(error <= fit.uncertaintyNs - wanderNs + 1, `${error} of ${fit.uncertaintyNs}`);
    }
  }
});

test('a drift that changes within the run stays under what is stated, and readings in between keep that small', () => {
  // From 20 to 20.6 millionths within 60 s, as fast as is allowed for, all of it in the worst place: at once, half way.
  const device = (hostNs: number) => BigInt(Math.round(hostNs * 1.00002 + Math.max(0, hostNs - 30e9) * 0.6e-6));
  const at = (hostNs: number) => [pair(hostNs - 100, hostNs + 100, device(hostNs))];
  const worst = (fit: ClockFit): number => {
    let error = 0;
    for (let hostNs = 0; hostNs <= 60e9; hostNs += 0.25e9)
      error = Math.max(error, Math.abs(fit.toHostNs(device(hostNs)) - hostNs));
    return error;
  };
  const ends = fitted([at(0), at(60e9)], 64);
  assert.ok(worst(ends) > 8900 && worst(ends) < ends.uncertaintyNs, `${worst(ends)} of ${ends.uncertaintyNs}`);
  const everySecond = fitted(
    Array.from({ length: 61 }, (_, second) => at(second * 1e9)),
    64,
  );
  assert.ok(worst(everySecond) < 2, `${worst(everySecond)}`);
  assert.ok(everySecond.uncertaintyNs < 104, `${everySecond.uncertaintyNs}`);
});

for (const bits of [32, 36])
  test(`a clock of ${bits} bits unwraps through a run of several minutes`, () => {
    const whole = (hostNs: number) => 2n ** BigInt(bits) - 1000n + BigInt(Math.round(hostNs * 1.0001));
    const shown = (hostNs: number) => BigInt.asUintN(bits, whole(hostNs));
    const at = (hostNs: number) => [pair(hostNs - 100, hostNs + 100, shown(hostNs))];
    for (const readings of [
      [at(100), at(300e9)],
      [at(100), at(100e9), at(101e9), at(300e9)],
    ]) {
      const fit = fitted(readings, bits);
      assert.ok(Math.abs(fit.driftPpm - 100) < 1e-2, `${fit.driftPpm}`);
      for (const hostNs of [100, 2000, 4e9, 4.5e9, 69e9, 138e9, 299e9]) {
        // Submitted up to three seconds before.
        for (const leadNs of [0, 3e9]) {
          const ticks = unwrapNear(shown(hostNs), bits, fit.toTicks(hostNs - leadNs));
          assert.ok(Math.abs(fit.toHostNs(ticks) - hostNs) <= 2, `${hostNs} ${leadNs}`);
        }
      }
    }
  });

test('a clock that stands, goes back or runs off is told of', () => {
  const from = [pair(0, 10, 5n)];
  const at = (hostNs: number, ticks: bigint) => [pair(hostNs, hostNs + 10, ticks)];
  for (const [readings, reason] of [
    [[from, at(1e6, 5n)], /stood still or went back/],
    [[from, at(1e6, 4n)], /stood still or went back/],
    [[from, at(1e6, 500_005n)], /^its clock ran at 0\.5000 times the host's$/],
    // As fast as the host's from end to end.
    [[from, at(1e6, 2_000_005n), at(2e6, 2_000_006n)], /^its clock ran at 2\.000 times the host's$/],
    [[from, at(1e6, 2_000_005n), at(2e6, 2_000_005n)], /ran at 2\.000/],
  ] as const)
    assert.match(String(fitClocks(readings, 64)), reason);
});
