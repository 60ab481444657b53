import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallChecker, checkCalls } from '../../src/capture/check-calls.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import type { Manifest } from '../../src/model/capture.ts';
import type { Param, ParamType, Signature } from '../../src/model/signature.ts';

const types: readonly ParamType[] = [
  'bool',
  'i32',
  'u32',
  'f32',
  'f64',
  'i64',
  'u64',
  'enum',
  'bitfield',
  'object',
  'objects',
  'location',
  'data',
  'string',
  'strings',
  'out',
  'pointer',
];

/** A signature with one parameter of a type. */
const only = (type: ParamType): Signature => {
  const param: Param =
    type === 'object' || type === 'objects' ? { name: 'value', type, objectClass: 'texture' } : { name: 'value', type };
  return { name: `glTest_${type}`, result: { type: 'void' }, params: [param] };
};

const creates: Signature = { name: 'glTestCreate', result: { type: 'object', objectClass: 'texture' }, params: [] };
const signatures = [...types.map(only), creates];

const manifest = {
  signatures,
  objects: { texture: 5 },
  locations: [
    [1, 'a'],
    [1, 'b'],
  ],
  resources: [{ sha256: '', sizeBytes: 100 }],
} as unknown as Manifest;

const check = (words: readonly number[], calls = 1) => checkCalls(Uint32Array.from(words), manifest, calls, 'x');

/** One call of the signature for `type`, with these words as its arguments. */
function call(type: ParamType, ...args: number[]): number[] {
  return [types.indexOf(type), 3 + args.length, 0, ...args];
}

const refuses = (words: readonly number[], message: string, calls = 1) =>
  assert.throws(() => check(words, calls), { code: 'bad-capture', message });

test('what the encoder writes passes, and starts are right', () => {
  const words: number[] = [];
  const starts: number[] = [];
  const good: readonly (readonly [ParamType, Argument])[] = [
    ['bool', 1],
    ['bool', 2 ** 20],
    ['i32', -1],
    ['i32', 2n ** 64n - 1n],
    ['u32', 0xffffffff],
    ['f32', 0.5],
    ['f64', 0.5],
    ['i64', -1n],
    ['u64', 2n ** 64n - 1n],
    ['enum', 0xde1],
    ['bitfield', 0x4000],
    ['object', 5],
    ['objects', [0, 1, 5]],
    ['objects', []],
    ['location', 1],
    ['location', 0xffffffff],
    ['data', null],
    ['data', { kind: 'inline', bytes: new Uint8Array([1, 2, 3, 4, 5]) }],
    ['data', { kind: 'inline', bytes: new Uint8Array() }],
    ['data', { kind: 'resource', resource: 0, byteOffset: 40, byteLength: 60 }],
    ['data', { kind: 'offset', offset: 2 ** 40 }],
    ['string', 'abcd'],
    ['string', ''],
    ['string', null],
    ['string', 'naïve ☃ 😀'],
    ['strings', ['a', '', 'bcd']],
    ['strings', []],
    ['out', 16],
    ['out', null],
    ['pointer', 2n ** 63n],
  ];
  for (const [type, value] of good) {
    starts.push(words.length);
    encodeCall(words, types.indexOf(type), only(type), [value]);
  }
  starts.push(words.length);
  encodeCall(words, types.length, creates, [], 5);
  assert.deepEqual([...check(words, starts.length)], starts);
});

test('records', () => {
  refuses([], 'x is too short for 1 calls');
  refuses([1, 4, 0, 7, 1], 'x goes on after its 1 calls');
  refuses([1, 4, 0, 7, 1, 4], 'x: call 2 is missing', 2);
  refuses([99, 4, 0, 7], 'x: call 1 has signature 99; the capture has 18');
  refuses([1, 2, 0, 7], 'x: call 1 has a length of 2 words');
  refuses([1, 0, 0, 7], 'x: call 1 has a length of 0 words');
  refuses([1, 0xffffffff, 0, 7], 'x: call 1 has a length of 4294967295 words');
  refuses([1, 3, 0, 7], 'x: call 1 (glTest_i32) is 3 words long instead of 4');
  refuses([1, 5, 0, 7, 7], 'x: call 1 (glTest_i32) is 5 words long instead of 4');
  refuses([1, 4, 1, 7], 'x: call 1 (glTest_i32) returns object 1');
  refuses([17, 3, 6], 'x: call 1 (glTestCreate) returns object 6');
  refuses(call('string', 0, 0, 7), 'x: call 1 (glTest_string) does not end where its arguments do');
});

test('words that arrive one by one: calls are checked when they are whole, and a bad one before the rest is there', () => {
  const good = [...call('i32', 7), ...call('string', 3, 0x00636261), ...call('data', 1, 4, 9)];
  const arriving = new Uint32Array(good.length);
  const checker = new CallChecker(arriving, manifest, 3, 'x');
  for (const [at, word] of good.entries()) {
    arriving[at] = word;
    checker.check(at + 1);
  }
  assert.deepEqual([...checker.finish()], [0, 4, 9]);
  const zeros = new CallChecker(new Uint32Array(1000), manifest, 3, 'x');
  zeros.check(2);
  assert.throws(() => zeros.check(3), { code: 'bad-capture', message: 'x: call 1 has a length of 0 words' });
  assert.throws(() => new CallChecker(new Uint32Array(8), manifest, 3, 'x'), { message: 'x is too short for 3 calls' });
  const short = new CallChecker(new Uint32Array([...good.slice(0, 9), 0]), manifest, 3, 'x');
  assert.throws(() => short.finish(), { message: 'x: call 3 is missing' });
});

test('values', () => {
  refuses(call('bool', 256), 'x: call 1 (glTest_bool): value is 256; at most 255');
  refuses(call('object', 6), 'x: call 1 (glTest_object): value is 6; at most 5');
  refuses(call('location', 2), 'x: call 1 (glTest_location): value is location 2; the capture has 2');
  refuses(call('out', 0x80000000), 'x: call 1 (glTest_out): value is 2147483648 bytes; at most 2147483647');
  refuses(call('objects', 2, 1), 'x: call 1 (glTest_objects): value has a list longer than the call');
  refuses(call('objects', 0xffffffff, 1), 'x: call 1 (glTest_objects): value has a list longer than the call');
  refuses(call('objects', 1, 6), 'x: call 1 (glTest_objects): value has object 6; the highest is 5');
  refuses(call('objects'), 'x: call 1 (glTest_objects): value ends too early');
});

test('data', () => {
  refuses(call('data'), 'x: call 1 (glTest_data): value ends inside data');
  refuses(call('data', 4), 'x: call 1 (glTest_data): value has data of unknown kind 4');
  refuses(call('data', 1), 'x: call 1 (glTest_data): value ends inside data');
  refuses(call('data', 1, 5, 0), 'x: call 1 (glTest_data): value has data longer than the call');
  refuses(call('data', 1, 0xfffffffe), 'x: call 1 (glTest_data): value has data longer than the call');
  refuses(call('data', 2, 0, 0), 'x: call 1 (glTest_data): value ends inside data');
  refuses(call('data', 2, 1, 0, 0), 'x: call 1 (glTest_data): value uses resource 1; the capture has 1');
  refuses(
    call('data', 2, 0, 41, 60),
    'x: call 1 (glTest_data): value uses bytes 41 to 101 of resource 0, which has 100',
  );
  refuses(
    call('data', 2, 0, 0xffffffff, 0xffffffff),
    'x: call 1 (glTest_data): value uses bytes 4294967295 to 8589934590 of resource 0, which has 100',
  );
  refuses(call('data', 3, 0), 'x: call 1 (glTest_data): value ends inside data');
  refuses(call('data', 3, 0, 0x200000), 'x: call 1 (glTest_data): value has an offset beyond 2^53');
});

test('text', () => {
  const abc = 0x00636261;
  assert.deepEqual([...check(call('string', 3, abc))], [0]);
  refuses(call('string'), 'x: call 1 (glTest_string): value ends inside text');
  refuses(call('string', 4, 0x64636261), 'x: call 1 (glTest_string): value has text longer than the call');
  refuses(call('string', 0xfffffffe), 'x: call 1 (glTest_string): value has text longer than the call');
  refuses(call('string', 3, 0x64636261), 'x: call 1 (glTest_string): value has text that is not padded with zeros');
  refuses(call('string', 2, 0x0000ffff), 'x: call 1 (glTest_string): value has text that is not UTF-8');
  refuses(call('strings', 2, 3, abc), 'x: call 1 (glTest_strings): value ends inside text');
  refuses(call('strings', 0xfffffff0), 'x: call 1 (glTest_strings): value has a list longer than the call');
  refuses(call('strings', 1, 9, abc), 'x: call 1 (glTest_strings): value has text longer than the call');
});

test('every single-word change of a real call is refused or still decodes inside it', () => {
  const uniform = signatureOf('glUniform4fv') as Signature;
  const real = { ...manifest, signatures: [uniform] } as Manifest;
  const words: number[] = [];
  encodeCall(words, 0, uniform, [1, 1, { kind: 'inline', bytes: new Uint8Array(16) }]);
  for (let at = 0; at < words.length; at++)
    for (const value of [0, 1, 2, 3, 4, 5, 0x7fffffff, 0xffffffff]) {
      const changed = Uint32Array.from(words);
      changed[at] = value;
      try {
        assert.deepEqual([...checkCalls(changed, real, 1, 'x')], [0]);
        assert.equal(changed[1], words.length);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'bad-capture', String(error));
      }
    }
});
