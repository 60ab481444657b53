import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, inUnit, unitFor } from '../../src/model/units.ts';

test('the unit follows the longest duration', () => {
  assert.deepEqual([0, 999, 1e3, 999_999, 1e6, 9.9e9, 1e10].map(unitFor), ['ns', 'ns', 'us', 'us', 'ms', 'ms', 's']);
});

test('each unit has its decimals', () => {
  assert.equal(inUnit(1_234_567, 'ns'), '1234567');
  assert.equal(inUnit(1_234_567, 'us'), '1234.57');
  assert.equal(inUnit(1_234_567, 'ms'), '1.235');
  assert.equal(inUnit(1_234_567, 's'), '0.001235');
});

test('a duration by itself keeps about three digits', () => {
  const texts = [0, 641, 1234, 16_400, 463_500, 12_610_000, 463_500_000, 1.2e10].map(durationText);
  assert.deepEqual(texts, ['0 ns', '641 ns', '1.23 µs', '16.4 µs', '464 µs', '12.6 ms', '464 ms', '12.0 s']);
});
