import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maybeSlower, secondLookWarning, timeFailures } from '../../../src/analysis/gate/second-look.ts';
import type { GateCheck } from '../../../src/model/gate.ts';
import { check } from '../../report/gate-sample.ts';

test('what fails on a time that was measured has a second look; beside a capture only where the limit is absolute', () => {
  const absolute = check({ level: 'fail', limit: '2ms' });
  const above = [check({ level: 'fail', limit: '+5%' }), check({ level: 'fail', limit: null })];
  const others = [
    check({ level: 'warn' }),
    check({ level: 'unmeasured', value: null }),
    check({ level: 'fail', unit: '', metric: 'statistics/PS Invocations' }),
    check({ level: 'fail', value: null, path: '**/Shade' }),
  ];
  assert.deepEqual(timeFailures([...others, absolute, ...above], true), [absolute, ...above]);
  assert.deepEqual(timeFailures([...others, absolute, ...above], false), [absolute]);
});

test('so has what looks slower and is not decided', () => {
  const rules = { threshold: 0.05, minChangeNs: 50_000 };
  const above = (deltaNs: number, parts: Partial<GateCheck> = {}) =>
    check({ level: 'warn', base: 2_000_000, value: 2_000_000 + deltaNs, ...parts });
  const slower = [above(100_001), above(100_001, { level: 'undecided' }), above(50_001, { base: 0, value: 50_001 })];
  const others = [
    above(100_000),
    above(-200_000),
    above(200_000, { level: 'pass' }),
    above(200_000, { unit: '', metric: 'statistics/PS Invocations' }),
    above(200_000, { base: null }),
    above(200_000, { value: null }),
  ];
  assert.deepEqual(maybeSlower([...others, ...slower], rules), slower);
});

test('it is told what was measured again, and what was not confirmed', () => {
  const [shadow, light, post] = ['shadow', 'light', 'post'].map((path) =>
    check({ level: 'fail', path, message: `${path} is over the limit` }),
  );
  const told = (again: readonly (typeof shadow)[]) => secondLookWarning([shadow, light, post], again, 3).message;
  const measured = 'what failed on time was measured again by 3 fresh processes, which all times here are of';
  assert.equal(told([post, light, { ...shadow, value: 1 }]), measured);
  assert.equal(told([shadow, light]), `${measured}; not confirmed: post is over the limit`);
  assert.equal(told([light]), `${measured}; not confirmed: shadow is over the limit, and 1 more`);
  assert.equal(
    secondLookWarning([], [light], 3).message,
    'what may be slower was measured again by 3 fresh processes, which all times here are of',
  );
  assert.equal(told([{ ...shadow, limit: '+5%' }]), `${measured}; not confirmed: shadow is over the limit, and 2 more`);
});
