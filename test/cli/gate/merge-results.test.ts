import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeResults, type ShardResult } from '../../../src/cli/gate/merge-results.ts';
import { resultSchema } from '../../../src/cli/gate/result-schema.ts';
import { schemaError } from '../../../src/cli/schema-error.ts';
import type { GateCapture, GateCheck, GateLevel, GateResult } from '../../../src/model/gate.ts';
import { result } from '../../report/gate-sample.ts';

const check: GateCheck = {
  frame: 1,
  path: '',
  eventId: null,
  metric: 'draws',
  unit: '',
  limit: null,
  base: 1,
  value: 2,
  level: 'pass',
  message: 'as before',
};

const capture = (name: string, level: GateLevel): GateCapture => ({
  name,
  file: `${name}.cap`,
  environment: null,
  baseline: null,
  level,
  reason: null,
  checks: [check],
  comparison: null,
  warnings: [],
  wallMs: 1,
});

const shard = (index: number, count: number, captures: readonly GateCapture[]): ShardResult => ({
  file: `${index}.json`,
  result: {
    format: 'gpuprof-gate',
    version: 1,
    producer: 'gpuprof x',
    level: 'pass',
    shard: { index, count },
    captures,
  },
});

const merged = (...results: readonly ShardResult[]): GateResult => mergeResults(results, 'gpuprof y').result;

test('captures of all shards in one result, with the worst level', () => {
  const both = merged(shard(2, 2, [capture('b', 'warn')]), shard(1, 2, [capture('a', 'pass'), capture('c', 'pass')]));
  assert.deepEqual(both, {
    format: 'gpuprof-gate',
    version: 1,
    producer: 'gpuprof y',
    level: 'warn',
    shard: null,
    captures: [capture('a', 'pass'), capture('c', 'pass'), capture('b', 'warn')],
  });
});

test('a node of a comparison stands behind the one around it', () => {
  const messages = (parent: number) => {
    const changed = JSON.parse(JSON.stringify(result));
    const { nodes } = changed.captures.find(({ comparison }: GateCapture) => comparison !== null).comparison.frames[0];
    nodes[3].parent = parent;
    return resultSchema.safeParse(changed).error?.issues.map(({ message }) => message) ?? [];
  };
  assert.deepEqual([2, 3, 1024].map(messages), [[], ['is no node before it'], ['is no node before it']]);
});

test('a missing shard is unmeasured, and a failure outdoes it', () => {
  const { result, missing } = mergeResults([shard(1, 3, [capture('a', 'pass')]), shard(3, 3, [])], 'gpuprof y');
  assert.equal(result.level, 'unmeasured');
  assert.deepEqual(
    missing.map(({ reason }) => reason),
    ['the result of shard 2 of 3 is missing'],
  );
  assert.deepEqual(
    result.captures.map(({ name }) => name),
    ['a', 'shard 2 of 3'],
  );
  assert.equal(merged(shard(1, 2, [capture('a', 'fail')])).level, 'fail');
});

test('nothing in a result makes the whole better than what it says', () => {
  const one = (level: GateLevel, captures: readonly GateCapture[]): ShardResult => {
    const { file, result } = shard(1, 1, captures);
    return { file, result: { ...result, level, shard: null } };
  };
  assert.equal(merged(one('pass', [])).level, 'unmeasured');
  assert.equal(merged(one('fail', [])).level, 'fail');
  assert.equal(merged(shard(1, 2, []), shard(2, 2, [])).level, 'unmeasured');
  assert.equal(merged(shard(1, 2, [capture('a', 'pass')]), shard(2, 2, [])).level, 'pass');
  assert.equal(merged(one('warn', [capture('a', 'pass')])).level, 'warn');
  const withChecks = (checks: readonly GateCheck[]) => merged(one('pass', [{ ...capture('a', 'pass'), checks }]));
  const failed = withChecks([{ ...check, level: 'fail', message: 'more draws' }]);
  assert.deepEqual([failed.level, failed.captures[0].level], ['fail', 'fail']);
  const unchecked = withChecks([]);
  assert.deepEqual([unchecked.level, unchecked.captures[0].reason], ['unmeasured', 'nothing was checked']);
});

test('shards of which none has a capture are a gate that checked nothing', () => {
  const { result, missing } = mergeResults([shard(1, 2, []), shard(2, 2, [])], 'gpuprof y');
  assert.deepEqual([result.level, result.captures], ['unmeasured', missing]);
  assert.deepEqual(
    missing.map(({ name, reason }) => [name, reason]),
    [['no capture', 'nothing was checked: no result has a capture']],
  );
});

test('a shard is one of no more shards than there can be', () => {
  const fault = (index: number, count: number): string => {
    const { result } = shard(index, count, []);
    const { error } = resultSchema.safeParse(result);
    return error ? schemaError('1.json', result, error.issues).message : 'none';
  };
  assert.equal(fault(3, 3), 'none');
  assert.equal(fault(3, 2), '1.json: shard.index: 3 is more than there are shards');
  assert.equal(fault(1, 900_000_000), '1.json: shard.count: 900000000 is too large; 9999 at most');
});

test('what comes twice is refused, and what is of another matrix', () => {
  const message = (...results: readonly ShardResult[]) => {
    try {
      merged(...results);
    } catch (error) {
      return (error as Error).message;
    }
    return 'merged';
  };
  assert.equal(
    message(shard(1, 2, []), { ...shard(1, 2, []), file: 'again.json' }),
    '1.json and again.json are both shard 1',
  );
  assert.equal(message(shard(1, 2, []), shard(2, 3, [])), '1.json is one of 2 shards, and 2.json is one of 3 shards');
  assert.equal(
    message(shard(1, 2, [capture('a', 'pass')]), shard(2, 2, [capture('a', 'pass')])),
    'the capture a is in 1.json and in 2.json',
  );
});
