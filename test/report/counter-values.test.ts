import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterInfo } from '../../src/model/counter.ts';
import { styleOf } from '../../src/report/counter-values.ts';
import type { ReportOptions } from '../../src/report/options.ts';
import { counter } from './counter-sample.ts';

/** The unit of the head, then the values. */
function written(parts: Partial<CounterInfo>, values: (number | bigint)[], unit: ReportOptions['unit'] = 'auto') {
  const style = styleOf(counter('s/n', parts), values, unit);
  return [style.unit, ...values.map(style.text)];
}

test('counts are grouped, exact whatever their size', () => {
  const values = [0, 999, 1000, 1_234_567, 2n ** 64n - 1n, -1_234];
  assert.deepEqual(written({}, values), ['', '0', '999', '1,000', '1,234,567', '18,446,744,073,709,551,615', '-1,234']);
});

test('bytes share the unit of the largest, and a little is not nothing', () => {
  const bytes = { unit: 'bytes' };
  assert.deepEqual(written(bytes, [0, 1023]), ['B', '0', '1,023']);
  assert.deepEqual(written(bytes, [0, 1, 1536]), ['KiB', '0.0', '<0.1', '1.5']);
  assert.deepEqual(written(bytes, [1024, 64 * 1024 ** 2]), ['MiB', '<0.1', '64.0']);
  assert.deepEqual(written(bytes, [3 * 1024 ** 3]), ['GiB', '3.0']);
  assert.deepEqual(written(bytes, [2n ** 63n]), ['TiB', '8388608.0']);
});

test('percentages have one decimal', () => {
  const percent = { unit: 'percent', dataType: 'f32' } as const;
  assert.deepEqual(written(percent, [0, 0.04, 12.34, 100]), ['%', '0.0', '<0.1', '12.3', '100.0']);
});

test('times follow the rules of durations', () => {
  const ns = { unit: 'ns' };
  assert.deepEqual(written(ns, [0, 999]), ['ns', '0', '999']);
  assert.deepEqual(written(ns, [999, 12_345]), ['µs', '1.00', '12.35']);
  assert.deepEqual(written(ns, [999, 12_345], 'ms'), ['ms', '0.001', '0.012']);
  assert.deepEqual(written({ unit: 'ns', dataType: 'f64' }, [0.25, 12.5]), ['ns', '0.250', '12.5']);
});

test('a name that says its unit keeps it', () => {
  const perFragment = { name: 'ns per fragment', unit: 'ns', dataType: 'f64' } as const;
  assert.deepEqual(written(perFragment, [0.001234, 5321]), ['', '0.00123', '5,321']);
});

test('quotients have three digits each, however far apart', () => {
  const float = { dataType: 'f64' } as const;
  assert.deepEqual(written(float, [0, 1.5, 0.0123, 123.456, 123_456.7, 1e-9, 1e300]), [
    '',
    '0',
    '1.50',
    '0.0123',
    '123',
    '123,457',
    '1.00e-9',
    '1.00e+300',
  ]);
});

test('other units stand in the head as they are, on one line and not too long', () => {
  assert.equal(written({ unit: 'threads' }, [1])[0], 'threads');
  assert.equal(written({ unit: 'a\nb\u001b' }, [1])[0], 'a␊b␛');
  assert.equal(written({ unit: 'x'.repeat(99) }, [1])[0].length, 16);
});
