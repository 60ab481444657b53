import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAbove, type LimitDimension, parseLimit } from '../../../src/analysis/gate/limit.ts';

function value(written: string | number, dimension: LimitDimension): unknown {
  const limit = parseLimit(written, dimension);
  if (typeof limit === 'string') return limit;
  return limit.kind === 'percent' ? { percent: limit.percent } : { [limit.kind]: limit.value };
}

test('limits as they are written', () => {
  assert.deepEqual(value('2ms', 'time'), { absolute: 2e6 });
  assert.deepEqual(value('0.5 s', 'time'), { absolute: 5e8 });
  assert.deepEqual(value('500us', 'time'), { absolute: 5e5 });
  assert.deepEqual(value('500µs', 'time'), { absolute: 5e5 });
  assert.deepEqual(value('120ns', 'time'), { absolute: 120 });
  assert.deepEqual(value('+50us', 'time'), { more: 5e4 });
  assert.deepEqual(value('+5%', 'time'), { percent: 5 });
  assert.deepEqual(value('+0%', 'count'), { percent: 0 });
  assert.deepEqual(value(1_200_000, 'count'), { absolute: 1_200_000 });
  assert.deepEqual(value('1.1M', 'count'), { absolute: 1_100_000 });
  assert.deepEqual(value('12k', 'count'), { absolute: 12_000 });
  assert.deepEqual(value('+100', 'count'), { more: 100 });
  assert.deepEqual(value('64MB', 'bytes'), { absolute: 64_000_000 });
  assert.deepEqual(value('1.5MiB', 'bytes'), { absolute: 1_572_864 });
  assert.deepEqual(value(4096, 'bytes'), { absolute: 4096 });
});

test('a limit lies above another only of its kind', () => {
  const above = (one: string, other: string) => {
    const [left, right] = [one, other].map((text) => parseLimit(text, 'bytes'));
    assert.ok(typeof left !== 'string' && typeof right !== 'string');
    return isAbove(left, right);
  };
  assert.deepEqual(
    [above('2KB', '1KiB'), above('1KB', '1KiB'), above('1KiB', '1024'), above('+2KB', '+1KB'), above('+6%', '+5%')],
    [true, false, false, true, true],
  );
  assert.deepEqual(
    [above('2KB', '+1KB'), above('+6%', '+1B'), above('+2KB', '+1%'), above('5', '+1%')],
    Array(4).fill(false),
  );
});

test('what is no limit says what would be one', () => {
  assert.equal(value('2 parsecs', 'time'), '"2 parsecs" is no duration; write 2ms or +5%');
  assert.equal(value(2, 'time'), '2 is no duration; write 2ms or +5%');
  assert.equal(value('5%', 'time'), '"5%" is no duration; write 2ms or +5%');
  assert.equal(value('2ms', 'count'), '"2ms" is no count; write 1200000, 1.2M or +5%');
  assert.equal(value('2ms', 'bytes'), '"2ms" is no size; write 64MB or +5%');
  assert.equal(value('', 'count'), '"" is no count; write 1200000, 1.2M or +5%');
  assert.equal(value('1e9', 'count'), '"1e9" is no count; write 1200000, 1.2M or +5%');
  assert.equal(value('+', 'count'), '"+" is no count; write 1200000, 1.2M or +5%');
  for (const below of ['-5%', '-50us', '-1'])
    assert.equal(
      value(below, below.endsWith('us') ? 'time' : 'count'),
      `"${below}" is below the baseline, where no limit can be: a faster or lighter event always passes; write +0% or +5%`,
    );
});
