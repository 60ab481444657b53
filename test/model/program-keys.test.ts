import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Argument } from '../../src/model/call.ts';
import { CallStream } from '../../src/model/call-stream.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import { ProgramSources } from '../../src/model/program-keys.ts';
import type { ProgramKeys } from '../../src/model/report.ts';
import type { Signature } from '../../src/model/signature.ts';
import { signature } from '../capture/sample.ts';

type Line = readonly [result: number, name: string, ...args: Argument[]];

const vertex = 0x8b31;
const fragment = 0x8b30;

function keysOf(...streams: readonly (readonly Line[])[]): ProgramKeys {
  const sources = new ProgramSources();
  for (const lines of streams) {
    const words: number[] = [];
    const starts: number[] = [];
    const signatures: Signature[] = [];
    for (const [result, name, ...args] of lines) {
      const found = signature(name);
      if (!signatures.includes(found)) signatures.push(found);
      starts.push(words.length);
      encodeCall(words, signatures.indexOf(found), found, args, result);
    }
    sources.follow(new CallStream(signatures, Uint32Array.from(words), Uint32Array.from(starts)));
  }
  return sources.keys();
}

const shader = (id: number, stage: number, ...texts: readonly string[]): Line[] => [
  [id, 'glCreateShader', stage],
  [0, 'glShaderSource', id, texts.length, texts, null],
  [0, 'glCompileShader', id],
];

const linked = (program: number, ...shaders: readonly number[]): Line[] => [
  [program, 'glCreateProgram'],
  ...shaders.map((id): Line => [0, 'glAttachShader', program, id]),
  [0, 'glLinkProgram', program],
];

test('a key is a hash of stages and sources, whatever the ids and the order of attaching', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const parts = [`${fragment} ${hash('1 f')}`, `${vertex} ${hash('1 v')}`];
  const key = hash(parts.map((part) => `${part.length} ${part}`).join(''));
  const [v, f] = [shader(1, vertex, 'v'), shader(2, fragment, 'f')];
  assert.deepEqual(keysOf([...v, ...f, ...linked(3, 1, 2)]), { 3: key });
  assert.deepEqual(keysOf([...shader(7, fragment, 'f'), ...shader(9, vertex, 'v'), ...linked(8, 9, 7)]), { 8: key });
  assert.deepEqual(keysOf([...v, ...f], linked(3, 2, 1)), { 3: key });
});

test('stages, sources and their ends all count', () => {
  const keys = [
    keysOf([...shader(1, vertex, 'a'), ...shader(2, fragment, 'b'), ...linked(3, 1, 2)]),
    keysOf([...shader(1, vertex, 'b'), ...shader(2, fragment, 'a'), ...linked(3, 1, 2)]),
    keysOf([...shader(1, vertex, 'a'), ...shader(2, fragment, 'c'), ...linked(3, 1, 2)]),
    keysOf([...shader(1, vertex, 'a'), ...linked(3, 1)]),
  ].map((each) => each[3]);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.every((key) => /^[0-9a-f]{16}$/.test(key)));
  // Texts are one source.
  assert.deepEqual(
    keysOf([...shader(1, vertex, 'a', 'b'), ...linked(3, 1)]),
    keysOf([...shader(1, vertex, 'ab'), ...linked(3, 1)]),
  );
});

test('what counts is what was compiled and attached when it was linked last', () => {
  const plain = keysOf([...shader(1, vertex, 'a'), ...linked(3, 1)]);
  const changed = keysOf([...shader(1, vertex, 'b'), ...linked(3, 1)]);
  const setup = [...shader(1, vertex, 'a'), ...linked(3, 1)];
  const source: Line = [0, 'glShaderSource', 1, 1, ['b'], null];
  assert.deepEqual(keysOf([...setup, source]), plain);
  assert.deepEqual(keysOf(setup, [source, [0, 'glCompileShader', 1]]), plain);
  assert.deepEqual(keysOf(setup, [source, [0, 'glCompileShader', 1], [0, 'glLinkProgram', 3]]), changed);
  assert.deepEqual(keysOf(setup, [source, [0, 'glLinkProgram', 3]]), plain);
  assert.deepEqual(keysOf(setup, [[0, 'glDetachShader', 3, 1]]), plain);
  assert.deepEqual(
    keysOf(setup, [
      [0, 'glDetachShader', 3, 1],
      ...shader(5, vertex, 'b'),
      [0, 'glAttachShader', 3, 5],
      [0, 'glLinkProgram', 3],
    ]),
    changed,
  );
});

test('a program with a part that is not known has no key', () => {
  assert.deepEqual(
    keysOf([
      [3, 'glCreateProgram'],
      [0, 'glLinkProgram', 3],
    ]),
    {},
  );
  assert.deepEqual(keysOf([[1, 'glCreateShader', vertex], ...linked(3, 1)]), {});
  const known = [...shader(1, vertex, 'a'), ...linked(3, 1)];
  assert.deepEqual(keysOf(known, [[0, 'glProgramBinary', 3, 1, null, 0]]), {});
});

test('a separate program is made of its one source', () => {
  const separate = keysOf([[3, 'glCreateShaderProgramv', fragment, 2, ['x', 'y']]]);
  assert.deepEqual(separate, keysOf([...shader(1, fragment, 'xy'), ...linked(3, 1)]));
});
