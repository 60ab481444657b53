import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSoftwareThreads } from '../../src/gl/software-threads.ts';
import type { TimerMethodName, TrustCheck } from '../../src/model/sample.ts';
import { BracketQueries, leafPlan, wholeFramePlan } from '../../src/query/brackets.ts';
import { pickMethod } from '../../src/query/choose-timer.ts';
import { brokenInvariant } from '../../src/query/run-checks.ts';
import { hasSettled } from '../../src/query/settle.ts';
import { counterDifference } from '../../src/query/timestamp-reader.ts';
import { judge } from '../../src/query/trust-verdict.ts';
import { loopTree } from './loop-frame.ts';

test('counter differences are exact beyond 2^53 and unwrap a narrow counter', () => {
  assert.equal(counterDifference(5, 0x16000000, 25, 0x16000000, 64), 20);
  assert.equal(counterDifference(0xfffffff0, 7, 0x10, 8, 64), 32);
  assert.equal(counterDifference(0xfffffff0, 15, 0x10, 0, 36), 32);
  assert.equal(counterDifference(30, 0, 10, 0, 64), -20);
});

test('brackets around leaves and around the frame', () => {
  const plan = leafPlan(loopTree(2), 4);
  assert.deepEqual([...plan.beginAt], [-1, 0, -1, 1]);
  assert.deepEqual([...plan.endAt], [-1, 0, -1, 1]);
  const whole = wholeFramePlan(4);
  assert.deepEqual([...whole.beginAt], [0, -1, -1, -1]);
  assert.deepEqual([...whole.endAt], [-1, -1, -1, 0]);
});

test('empty brackets are spread over the frame, in the order queried', () => {
  const few = new BracketQueries(3);
  assert.deepEqual([[...few.query], [...few.empty], few.count], [[0, 4, 8], [3, 3, 3], 12]);
  const values = Float64Array.from({ length: 12 }, (_, query) => query);
  assert.deepEqual([...few.readings(values)], [0, 4, 8]);
  assert.equal(few.floor(values), 6);
  const many = new BracketQueries(2000);
  assert.equal(many.count - 2000, 32);
  assert.equal(many.empty.filter((count) => count > 0).length, 32);
  assert.equal(new BracketQueries(0).count, 0);
});

test('a run breaks an invariant', () => {
  const check = (readings: number[], floor = 10) => brokenInvariant(Float64Array.from(readings), floor, 1e6);
  assert.equal(check([4e5, 5e5, Number.NaN]), null);
  assert.equal(check([4e5, -1]), 'bracket 2 reads less than nothing (-1 ns)');
  assert.equal(check([4.8e14]), 'bracket 1 reads longer than the whole run (480000000000000 ns of 1000000 ns)');
  assert.equal(check([6e5, 6e5]), 'the leaves add up to more than the frame (1200000 ns of 1000000 ns)');
  assert.equal(check([4e5], Number.NaN), 'the empty brackets gave no result');
  assert.equal(check([4e5], -3), 'an empty bracket reads -3 ns');
  assert.equal(check([], Number.NaN), null);
});

test('a median has settled when the last three runs did not move it', () => {
  assert.equal(hasSettled([100, 100, 100, 100]), false);
  assert.equal(hasSettled([100, 100, 100, 100, 100]), true);
  assert.equal(hasSettled([150, 140, 130, 120, 110]), false);
  assert.equal(hasSettled([150, 100, 100.2, 100.1, 100.3, 500]), true);
});

const ladder = (readNs: number[], hostNs = [1e6, 2e6, 4e6]) => ({
  rungs: readNs.map((read, index) => ({ work: 2 ** index, readNs: read, hostNs: hostNs[index] })),
  floorNs: 0,
  hostFloorNs: 0,
  questionable: null,
  binned: false,
});

test('readings that follow the host clock are trusted', () => {
  const verdict = judge(ladder([0.9e6, 1.9e6, 3.9e6]));
  assert.deepEqual([verdict.trusted, verdict.reason], [true, 'reads 95% of the host clock']);
});

test('readings are compared less both floors', () => {
  assert.equal(judge({ ...ladder([1.1e6, 2.1e6, 4.1e6]), floorNs: 1e5 }).ratio, 1);
});

test('readings that do not follow the host clock are not trusted', () => {
  const reason = (readNs: number[], change = {}) => judge({ ...ladder(readNs), ...change }).reason;
  assert.equal(reason([9e3, 18e3, 36e3]), 'reads 0.9% of the host clock');
  assert.equal(reason([1e6, 2e6, 0.4e6]), 'reads 100% of the host clock, between 10% and 100%');
  assert.equal(
    reason([9e3, 18e3, 36e3], { binned: true }),
    'reads 0.9% of the host clock (llvmpipe bins the query into every tile and the last tile wins)',
  );
  assert.equal(reason([Number.NaN, 2e6, 4e6]), 'some of its queries gave no result');
  assert.equal(reason([1e6, 2e6, 4e6], { questionable: 'the clock was interrupted' }), 'the clock was interrupted');
  assert.equal(
    reason([1e6, 2e6, 4e6], { hostFloorNs: 3e6 }),
    'no draw took long enough to check it against the host clock',
  );
});

test('a clock that agrees with the host but does not rise with the work is tried again, not trusted', () => {
  const { trusted, reason, noisy } = judge(ladder([1e6, 1e6, 1e6], [1e6, 1e6, 1e6]));
  assert.deepEqual([trusted, reason, noisy], [false, 'grows 1.0-fold where the work grows 4-fold', true]);
});

function checkOf(trusted: TimerMethodName[]): TrustCheck {
  const methods = (['elapsed', 'timestamp', 'finish'] as const).map((method) => ({
    method,
    available: true,
    trusted: trusted.includes(method),
    reason: 'reads 50% of the host clock',
    ratio: 0.5,
    rungs: [],
    floorNs: 1,
    bits: 64,
  }));
  return { bounds: [0.75, 1.25], methods };
}

test('auto picks the cheapest trusted method, and the one with CPU time on a software renderer', () => {
  assert.equal(pickMethod(checkOf(['elapsed', 'timestamp', 'finish']), false).name, 'elapsed');
  assert.equal(pickMethod(checkOf(['timestamp', 'finish']), false).name, 'timestamp');
  assert.equal(pickMethod(checkOf(['elapsed', 'finish']), true).name, 'finish');
  assert.equal(pickMethod(checkOf(['elapsed']), true).name, 'elapsed');
  assert.match(pickMethod(checkOf(['finish']), false).why, /; elapsed reads 50% of the host clock; timestamp reads/);
  assert.throws(() => pickMethod(checkOf([]), false), { code: 'cannot-measure', message: /^no timer can be trusted/ });
});

test('software threads are a number up to 16 or "default"', () => {
  assert.equal(parseSoftwareThreads('0'), 0);
  assert.equal(parseSoftwareThreads('default'), 'default');
  for (const wrong of ['17', '-1', 'x', '1.5', ''])
    assert.throws(() => parseSoftwareThreads(wrong), { code: 'bad-usage' });
});
