import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutProblems } from '../../src/query/intel/counter-layout.ts';
import { isExact, isFlag, kindOf, unitOf } from '../../src/query/intel/describe-counter.ts';

const [EVENT, DURATION_NORM, DURATION_RAW, THROUGHPUT, RAW, TIMESTAMP] = [0, 1, 2, 3, 4, 5].map((n) => 0x94f0 + n);
const [UINT32, UINT64, FLOAT] = [0x94f8, 0x94f9, 0x94fa];

test('units stand in descriptions, in many words', () => {
  assert.deepEqual(unitOf('Time elapsed on the GPU. Unit: ns.'), {
    unit: 'ns',
    description: 'Time elapsed on the GPU.',
  });
  assert.equal(unitOf('Busy. Unit: percent.').unit, 'percent');
  assert.equal(unitOf('Busy. Units: Percentage').unit, 'percent');
  assert.equal(unitOf('Unit: microseconds.').unit, 'us');
  assert.equal(unitOf('Speed. Unit: hz.').unit, 'Hz');
  assert.equal(unitOf('Read. Unit: EU sends to L3.').unit, 'EU sends to L3');
  assert.deepEqual(unitOf('The average rate. '), { unit: '', description: 'The average rate. ' });
  assert.deepEqual(unitOf('A unit of work'), { unit: '', description: 'A unit of work' });
});

test('unit and name decide what parents show before the type does', () => {
  assert.equal(kindOf('Draws', EVENT, 'u64', 'events'), 'sum');
  assert.equal(kindOf('Read', THROUGHPUT, 'u64', 'bytes'), 'sum');
  assert.equal(kindOf('Busy', DURATION_RAW, 'u64', 'cycles'), 'sum');
  assert.equal(kindOf('Busy', DURATION_NORM, 'f32', ''), 'average');
  assert.equal(kindOf('GPU Time Elapsed', RAW, 'u64', 'ns'), 'sum');
  assert.equal(kindOf('GPU Busy', RAW, 'f32', 'percent'), 'average');
  assert.equal(kindOf('AVG GPU Core Frequency', EVENT, 'u64', 'Hz'), 'average');
  assert.equal(kindOf('EU AVG IPC Rate', EVENT, 'f32', ''), 'average');
  assert.equal(kindOf('CoreFrequency', RAW, 'u64', ''), 'average');
  assert.equal(kindOf('TypedReadsPerCacheLine', EVENT, 'f32', '', 'The ratio of EU typed read requests.'), 'average');
  assert.equal(kindOf('Stamp', TIMESTAMP, 'u64', 'ns'), 'point');
  assert.equal(kindOf('BeginTimestamp', RAW, 'u64', ''), 'point');
  assert.equal(kindOf('SplitOccured', RAW, 'bool', ''), 'any');
  assert.equal(kindOf('Strange', 0x1234, 'u64', ''), 'point', 'of an unknown type nothing is known');
});

test('floats are sums only where a unit says so and nothing speaks of a quotient', () => {
  assert.equal(kindOf('Cost', EVENT, 'f32', ''), 'average');
  assert.equal(kindOf('Cost', RAW, 'f64', ''), 'average');
  assert.equal(kindOf('Time', RAW, 'f32', 'us'), 'sum');
  assert.equal(kindOf('Time', RAW, 'f32', 'us', 'The average time of a thread.'), 'average');
  assert.equal(kindOf('Time', RAW, 'f32', 'us', 'Time per thread.'), 'average');
  for (const name of ['TimePerThread', 'Time per thread', 'HitRate', 'HitRatio', 'TimePercentage'])
    assert.equal(kindOf(name, EVENT, 'f32', 'us'), 'average', name);
  for (const name of ['PerfCounter1', 'SuperPeriod', 'Iteration'])
    assert.equal(kindOf(name, EVENT, 'f32', 'us'), 'sum', name);
  assert.equal(kindOf('VerticesPerDraw', EVENT, 'u64', 'vertices', 'The total number of vertices.'), 'sum');
});

test('flags and exact counters go by their names', () => {
  for (const name of ['FrequencyChanged', 'CoreFrequencyChanged', 'SplitOccured', 'SplitOccurred', 'OverrunOccured'])
    assert.ok(isFlag(name, 'bool'), name);
  assert.ok(isFlag('Frequency changed', 'u32'));
  assert.ok(!isFlag('FrequencyChanged', 'f32'));
  assert.ok(!isFlag('GPU Busy', 'u32'));
  assert.ok(isExact('N vertices submitted', 'u64'));
  assert.ok(isExact('SO_NUM_PRIMS_WRITTEN (Stream 0)', 'u64'));
  assert.ok(!isExact('VS Threads Dispatched', 'u64'));
  assert.ok(!isExact('N vertices submitted', 'f32'));
});

test('counters outside of the result, of wrong size or type, or over each other are found', () => {
  const problems = layoutProblems(
    [
      { offset: 0, size: 8, dataType: UINT64 },
      { offset: 28, size: 8, dataType: UINT64 },
      { offset: 8, size: 8, dataType: UINT32 },
      { offset: 12, size: 4, dataType: 0x1234 },
      { offset: 16, size: 4, dataType: FLOAT },
      { offset: 18, size: 4, dataType: FLOAT },
      { offset: 24, size: 4, dataType: UINT32 },
      { offset: 24, size: 4, dataType: UINT32 },
      { offset: 0xfffffffe, size: 4, dataType: UINT32 },
    ],
    32,
  );
  assert.deepEqual(Object.fromEntries(problems), {
    1: 'it lies at byte 28 of a result of 32 bytes',
    2: 'it has 8 bytes where its type has 4',
    3: "0x1234 is none of the extension's data types",
    4: 'it overlaps another counter at byte 18',
    5: 'it overlaps another counter at byte 18',
    8: 'it lies at byte 4294967294 of a result of 32 bytes',
  });
});
