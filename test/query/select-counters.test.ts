import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterInfo, MetricSet } from '../../src/model/counter.ts';
import type { MetricSource } from '../../src/query/metric-source.ts';
import { selectCounters, selectLost } from '../../src/query/select-counters.ts';

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

test('what a source lost is found by its own name, its set or its source, and knows its set', () => {
  const source = {
    type: 'intel',
    sets: [sets[2], setOf('intel/Broken', 'intel', 'Broken', [])],
    lost: new Map([
      ['intel/Compute/Gone', 'it lies outside'],
      ['intel/Broken', 'no size'],
      ['intel/(further query types)', 'in circles'],
    ]),
  } as unknown as MetricSource;
  const found = (...patterns: string[]) =>
    selectLost([source], patterns).lost.map(({ id, set, reason }) => [id, set?.id ?? null, reason]);
  const gone = ['intel/Compute/Gone', 'intel/Compute', 'it lies outside'];
  const broken = ['intel/Broken', null, 'no size'];
  assert.deepEqual(found('gone'), [gone]);
  assert.deepEqual(found('Compute'), [gone]);
  assert.deepEqual(found('intel/Broken'), [broken]);
  assert.deepEqual(found('intel'), [gone, broken, ['intel/(further query types)', null, 'in circles']]);
  assert.deepEqual(selectLost([source], ['EU Active', 'gone']).unmatched, ['EU Active']);
});
