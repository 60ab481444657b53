import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAlone, decideFirst, decideSecond, type Interval } from '../../src/analysis/compare/decide.ts';
import { isTooSmall, type SideTime, type TimeRule, timeChange } from '../../src/analysis/compare/time-change.ts';

const around = (estimate: number, half: number): Interval => ({
  estimate,
  low: estimate - half,
  high: estimate + half,
});
const t = 100;

test('a sitting alone: slower above half of what matters, same within all of it', () => {
  const say = (estimate: number, half: number, paired = true) => decideAlone(around(estimate, half), t, paired).verdict;
  assert.equal(say(71, 20), 'slower');
  assert.equal(say(85, 35), 'undecided');
  assert.equal(say(70, 20), 'same');
  assert.equal(say(60, 30), 'same');
  assert.equal(say(-71, 20), 'faster');
  assert.equal(say(-60, 30), 'same');
  assert.equal(say(0, 100), 'undecided');
  // Separate sittings differ by more than the event.
  assert.equal(say(71, 20, false), 'same');
  assert.equal(say(121, 20, false), 'slower');
  assert.equal(say(-121, 20, false), 'faster');
  assert.equal(say(115, 20, false), 'undecided');
});

test('the first of two sittings lets more through', () => {
  const say = (estimate: number, half: number) => decideFirst(around(estimate, half), t).verdict;
  assert.equal(say(60, 34), 'slower');
  assert.equal(say(60, 36), 'same');
  assert.equal(say(70, 44), 'slower');
  assert.equal(say(70, 46), 'undecided');
  assert.equal(say(-60, 34), 'faster');
  assert.equal(say(30, 69), 'same');
  assert.equal(say(30, 71), 'undecided');
});

test('the second of two sittings confirms by the mean, and the first cannot outweigh it', () => {
  // Half-widths 30 and 40: their mean's is 25.
  assert.deepEqual(decideSecond(around(90, 30), around(80, 40), t), { ...around(85, 25), verdict: 'slower' });
  assert.deepEqual(decideSecond(around(-90, 30), around(-80, 40), t), { ...around(-85, 25), verdict: 'faster' });
  assert.equal(decideSecond(around(60, 30), around(80, 60), t).verdict, 'undecided');
  assert.equal(decideSecond(around(90, 30), around(70, 71), t).verdict, 'undecided');
  // 900 counts for 65: 25 more than 40.
  assert.deepEqual(decideSecond(around(900, 30), around(40, 39), t), {
    estimate: 52.5,
    low: 52.5 - Math.hypot(30, 39) / 2,
    high: 52.5 + Math.hypot(30, 39) / 2,
    verdict: 'undecided',
  });
  assert.equal(decideSecond(around(60, 30), around(0, 40), t).verdict, 'same');
});

const side = (
  samplesNs: (number | null)[],
  medianNs: number | null = 1000,
  problem: string | null = null,
): SideTime => ({
  medianNs,
  samplesNs,
  problem,
});
const rule: TimeRule = { threshold: 0.05, minChangeNs: 20, paired: true, alpha: 0.05, sitting: 'single' };

test('two pairs are one observation, in which the order of the runs cancels', () => {
  // The second run of each pair takes 100 longer; new takes 60 longer.
  const base: (number | null)[] = Array.from({ length: 12 }, (_, run) => 1000 + (run % 2 === 1 ? 100 : 0));
  const next = Array.from({ length: 12 }, (_, run) => 1060 + (run % 2 === 0 ? 100 : 0));
  assert.deepEqual(timeChange(side(base, 1050), side(next, 1110), rule), {
    baseNs: 1050,
    newNs: 1110,
    deltaNs: 60,
    lowNs: 60,
    highNs: 60,
    thresholdNs: 52.5,
    verdict: 'slower',
    reason: null,
  });
  const few = timeChange(side(base.slice(0, 11), 1050), side(next, 1110), rule);
  assert.deepEqual([few.lowNs, few.verdict, few.reason], [null, 'undecided', 'too few runs for an interval']);
  const lost = timeChange(side(base.with(4, null), 1050), side(next, 1110), rule);
  assert.deepEqual([lost.lowNs, lost.verdict], [null, 'undecided']);
});

test('an event too short to change by what matters takes no part, unless it becomes long', () => {
  assert.ok(isTooSmall(side([], 9.9), side([], 9.9), 20));
  assert.ok(!isTooSmall(side([], 9.9), side([], 10), 20));
  assert.ok(!isTooSmall(side([], null), side([], 1), 20));
  const { verdict, reason, lowNs, thresholdNs } = timeChange(side([9, 9], 9), side([5, 5], 5), rule);
  assert.deepEqual([verdict, reason, lowNs, thresholdNs], ['same', 'below the smallest change that matters', null, 20]);
});

test('what could not be measured has no verdict, and what cannot be trusted none but undecided', () => {
  assert.deepEqual(timeChange(side([], null, 'its query failed'), side([1]), rule), {
    baseNs: null,
    newNs: 1000,
    deltaNs: null,
    lowNs: null,
    highNs: null,
    thresholdNs: null,
    verdict: null,
    reason: 'no time in base: its query failed',
  });
  const runs = Array.from({ length: 12 }, () => 1000);
  const change = timeChange(
    side(runs),
    side(
      runs.map((ns) => ns * 2),
      2000,
      'the clock jumped',
    ),
    rule,
  );
  assert.deepEqual([change.verdict, change.reason, change.lowNs], ['undecided', 'the clock jumped', 1000]);
});
