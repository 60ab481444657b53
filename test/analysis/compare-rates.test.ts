/** How often the verdict is wrong, on runs that are noisy as those of llvmpipe are, with fixed seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphaAt, nextLook, sittingRate } from '../../src/analysis/compare/looks.ts';
import { pairedShift } from '../../src/analysis/compare/signed-rank.ts';
import { type TimeRule, timeChange } from '../../src/analysis/compare/time-change.ts';
import type { TimeChange } from '../../src/model/comparison.ts';
import { median } from '../../src/model/median.ts';
import { normalFrom, randomFrom } from '../helpers/random.ts';

const ms = 1e6;
const events = 50;
const falseAlarmRate = 0.01;
const defaults = { threshold: 0.05, minChangeNs: 50_000, paired: true };

/**
 * Pairs of runs by turns of an event of 1 ms: the machine drifts by 20% and its state lasts for some runs, which both
 * sides feel; each run has a noise of its own of 4%, the second of a pair takes 5% longer, and one in 50 far longer.
 */
function sittingOf(seed: number) {
  const random = randomFrom(seed);
  const base: number[] = [];
  const next: number[] = [];
  let state = 0;
  const run = (isSecond: boolean): number => {
    state = 0.9 * state + 0.01 * normalFrom(random);
    const drift = 1 + 0.2 * Math.sin(base.length / 90);
    const outlier = random() < 0.02 ? 1 + 3 * random() : 1;
    return ms * drift * (isSecond ? 1.05 : 1) * Math.exp(state + 0.04 * normalFrom(random)) * outlier;
  };
  return (pairs: number, factor: number) => {
    while (base.length < pairs) {
      const isTurned = base.length % 2 === 1;
      const [first, second] = [run(false), run(true)];
      base.push(isTurned ? second : first);
      next.push(isTurned ? first : second);
    }
    return { base: base.slice(0, pairs), next: next.slice(0, pairs).map((timeNs) => timeNs * factor) };
  };
}

const side = (samplesNs: number[]) => ({ samplesNs, medianNs: median(samplesNs), problem: null });

/** Looks at one event among as many as share the error rate until it is decided, up to so many pairs. */
function decide(seed: number, factor: number, family: number, sitting: TimeRule['sitting'], most: number) {
  const measure = sittingOf(seed);
  const rate = sitting === 'single' ? falseAlarmRate : sittingRate(falseAlarmRate);
  for (let look = 1; ; look++) {
    const pairs = nextLook(look, family, rate);
    const { base, next } = measure(pairs, factor);
    const alpha = alphaAt(look, family, rate);
    const change = timeChange(side(base), side(next), { ...defaults, alpha, sitting });
    if (change.verdict !== 'undecided' || nextLook(look + 1, family, rate) > most) return { change, pairs };
  }
}

const isFound = ({ verdict }: TimeChange): boolean => verdict === 'slower' || verdict === 'faster';

test('runs of the model are as noisy as the measured ones', () => {
  const { base, next } = sittingOf(1)(1000, 1);
  const differences = base.map((timeNs, run) => (next[run] - timeNs) / ms);
  const mad = median(differences.map((difference) => Math.abs(difference - median(differences))));
  assert.ok(mad > 0.05 && mad < 0.07, `${mad}`);
});

test('of 100 comparisons of 50 unchanged events, at most one in ten has an interval without zero at a rate of 10%', () => {
  let wrong = 0;
  for (let comparison = 0; comparison < 100; comparison++) {
    let isWrong = false;
    for (let event = 0; event < events; event++) {
      const measure = sittingOf(1 + comparison * events + event);
      for (const look of [1, 3, 5]) {
        const { base, next } = measure(nextLook(look, events, 0.1), 1);
        const differences = base.flatMap((timeNs, run) =>
          run % 2 === 0 ? [(next[run] - timeNs + next[run + 1] - base[run + 1]) / 2] : [],
        );
        const { low, high } = pairedShift(differences, alphaAt(look, events, 0.1));
        isWrong ||= low! > 0 || high! < 0;
      }
    }
    if (isWrong) wrong++;
  }
  assert.ok(wrong <= 10, `${wrong} of 100`);
});

test('a change of 5% among 50 events is found in some 200 pairs a sitting, by two sittings, in 98 of 100', () => {
  let found = 0;
  const pairs: number[] = [];
  for (let seed = 1; seed <= 100; seed++) {
    const first = decide(seed, 1.05, events, 'first', 500);
    pairs.push(first.pairs);
    if (!isFound(first.change)) continue;
    const second = decide(seed + 1000, 1.05, 2, first.change, 500);
    pairs.push(second.pairs);
    if (second.change.verdict === 'slower') found++;
  }
  assert.ok(found >= 98, `${found} of 100`);
  assert.ok(median(pairs) <= 240, `${median(pairs)} pairs`);
});

test('processes that differ by 2% for good raise no alarm, in one sitting or in two', () => {
  for (let seed = 1; seed <= 60; seed++)
    for (const factor of [1.02, 0.98]) {
      assert.ok(!isFound(decide(seed, factor, events, 'single', 900).change), `seed ${seed}, alone`);
      const first = decide(seed, factor, events, 'first', 900);
      if (!isFound(first.change)) continue;
      assert.ok(!isFound(decide(seed + 1000, factor, 1, first.change, 900).change), `seed ${seed}, in two`);
    }
});

test('a first sitting of processes that differ by 12% raises no alarm when those of the second hardly do', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const first = decide(seed, 1.12, events, 'first', 500);
    assert.equal(first.change.verdict, 'slower');
    assert.ok(!isFound(decide(seed + 1000, 1.01, 3, first.change, 500).change), `seed ${seed}`);
  }
});
