import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterInfo, MetricSet } from '../../src/model/counter.ts';
import { selectCounters } from '../../src/query/select-counters.ts';

function setOf(id: string, source: MetricSet['source'], name: string, names: readonly string[]): MetricSet {
  const counters = names.map(
    (counter): CounterInfo => ({
      id: `${id}/${counter}`,
      set: id,
      name: counter,
      description: '',
      unit: '',
      dataType: 'u64',
      kind: 'sum',
      exact: true,
    }),
  );
  return { id, source, name, description: '', scope: 'context', counters };
}

const sets = [
  setOf('statistics', 'statistics', 'Pipeline Statistics', ['PS Invocations', 'VS Invocations', 'Samples Passed']),
  setOf('intel/Render (basic) set', 'intel', 'Render (basic) set', ['EU Active', 'GPU Time Elapsed']),
  setOf('intel/Compute', 'intel', 'Compute', ['EU Active']),
];

const ids = (...patterns: string[]): string[] =>
  selectCounters(sets, patterns).selected.flatMap(({ counters }) => counters.map(({ id }) => id));

test('a pattern names a source, a set, or a counter with or without its set', () => {
  assert.deepEqual(ids('intel'), [
    'intel/Render (basic) set/EU Active',
    'intel/Render (basic) set/GPU Time Elapsed',
    'intel/Compute/EU Active',
  ]);
  assert.deepEqual(ids('intel/Compute'), ['intel/Compute/EU Active']);
  assert.deepEqual(ids('Render (basic) set'), [
    'intel/Render (basic) set/EU Active',
    'intel/Render (basic) set/GPU Time Elapsed',
  ]);
  assert.deepEqual(ids('statistics/PS Invocations'), ['statistics/PS Invocations']);
  assert.deepEqual(ids('eu active'), ['intel/Render (basic) set/EU Active', 'intel/Compute/EU Active']);
});

test('globs: a star goes over slashes, a question mark stands for one character, the rest is literal', () => {
  assert.deepEqual(ids('*invocations'), ['statistics/PS Invocations', 'statistics/VS Invocations']);
  assert.deepEqual(ids('?S Invocations'), ['statistics/PS Invocations', 'statistics/VS Invocations']);
  assert.deepEqual(ids('intel*Active'), ['intel/Render (basic) set/EU Active', 'intel/Compute/EU Active']);
  assert.deepEqual(ids('intel/Render .basic. set'), []);
  assert.deepEqual(ids('EU[ ]Active'), []);
  assert.deepEqual(ids('a-b/c_d{2}|$^\\.+()'), []);
  assert.equal(ids('all').length, 6);
  assert.equal(ids('*').length, 6);
  assert.equal(ids('ALL').length, 6);
});

test('several patterns select each counter once, in the order of the sets; what means nothing is told', () => {
  assert.deepEqual(ids('EU Active', 'statistics/*Passed', 'intel/Compute'), [
    'statistics/Samples Passed',
    'intel/Render (basic) set/EU Active',
    'intel/Compute/EU Active',
  ]);
  assert.deepEqual(selectCounters(sets, ['Samples Passed', 'nothing', 'intel/X*']).unmatched, ['nothing', 'intel/X*']);
});
