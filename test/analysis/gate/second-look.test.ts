import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondLookWarning, timeFailures } from '../../../src/analysis/gate/second-look.ts';
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

test('it is told what was measured again, and what was not confirmed', () => {
  const [shadow, light, post] = ['shadow', 'light', 'post'].map((path) =>
    check({ level: 'fail', path, message: `${path} is over the limit` }),
  );
  const told = (again: readonly (typeof shadow)[]) => secondLookWarning([shadow, light, post], again, 3).message;
  const measured = 'what failed on time was measured again by 3 fresh processes, which all times here are of';
  assert.equal(told([post, light, { ...shadow, value: 1 }]), measured);
  assert.equal(told([shadow, light]), `${measured}; not confirmed: post is over the limit`);
  assert.equal(told([light]), `${measured}; not confirmed: shadow is over the limit, and 1 more`);
  assert.equal(told([{ ...shadow, limit: '+5%' }]), `${measured}; not confirmed: shadow is over the limit, and 2 more`);
});
