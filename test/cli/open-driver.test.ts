import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driverOrder } from '../../src/cli/open-driver.ts';

test('what the capture needs decides first, then whether there is a display', () => {
  assert.deepEqual(driverOrder('auto', 'gl', true), ['egl']);
  assert.deepEqual(driverOrder('auto', 'es', false), ['egl', 'headless-gl']);
  assert.deepEqual(driverOrder('auto', 'es', true), ['headless-gl', 'egl']);
});

test('a driver that was asked for is the only one', () => {
  assert.deepEqual(driverOrder('headless-gl', 'es', false), ['headless-gl']);
  assert.deepEqual(driverOrder('egl', 'gl', true), ['egl']);
});
