import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gateJson } from '../../src/report/ci/json.ts';
import { compareJson } from '../../src/report/compare/json.ts';
import { comparison } from './compare-sample.ts';
import { result } from './gate-sample.ts';

const schema = readFileSync(new URL('../../src/report/SCHEMA.md', import.meta.url), 'utf8');
const [, afterComparisons] = schema.split('\n## Comparisons\n');
const [comparisons, gates] = afterComparisons.split('\n## Gate results\n');

/** The first column of the table with this head. */
function fields(section: string, head: string): string[] {
  const lines = section.split('\n');
  const start = lines.findIndex((line, at) => line.startsWith(`| \`${head}\``) && lines[at + 1].startsWith('| ---'));
  assert.ok(start >= 0, `no table of ${head}`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end).map((line) => /^\| `(\w+)`/.exec(line)?.[1] ?? line);
}

const told = (section: string, head: string, object: object): void =>
  assert.deepEqual(fields(section, head).sort(), Object.keys(object).sort(), head);

test('the fields of a comparison are those that SCHEMA.md has', () => {
  const object = JSON.parse([...compareJson(comparison)].join(''));
  told(comparisons, 'comparison', object);
  told(comparisons, 'side', object.base);
  told(comparisons, 'settings', object.settings);
  told(comparisons, 'frame', object.frames[0]);
  const [node] = object.frames[0].nodes;
  told(comparisons, 'node', node);
  told(comparisons, 'time', node.time);
  told(comparisons, 'time', object.frames[0].plain);
  told(comparisons, 'counter', Object.values(node.counters)[0] as object);
  const event = /^`event`: (.*), as in/m.exec(comparisons)?.[1].match(/\w+(?=`)/g);
  assert.deepEqual(event?.sort(), Object.keys(node.new).sort());
});

test("the fields of a gate's result are those that SCHEMA.md has", () => {
  const object = JSON.parse([...gateJson(result)].join(''));
  told(gates, 'gate', object);
  told(gates, 'capture', object.captures[0]);
  // Of what was measured only.
  told(gates, 'check', { ...object.captures[0].checks[0], range: 0 });
});

test('JSON holds everything, with every digit', () => {
  const parsed = JSON.parse([...compareJson(comparison)].join(''));
  assert.deepEqual(parsed, comparison);
  assert.deepEqual(JSON.parse([...gateJson(result)].join('')), result);
  const huge = {
    ...comparison,
    frames: [],
    counters: [],
    warnings: [{ code: 'x', message: (2n ** 63n) as unknown as string }],
  };
  assert.equal(JSON.parse([...compareJson(huge)].join('')).warnings[0].message, '9223372036854775808');
});
