import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../helpers/files.ts';
import { integersFrom } from '../helpers/random.ts';
import { callLine } from './call-lines.ts';
import { sampleTrace, typeSamples } from './sample-trace.ts';
import { read } from './trace-files.ts';
import { containers, pack } from './trace-packer.ts';
import { array, int, none, TraceWriter, type Written } from './trace-writer.ts';

const withValue = (value: Written): Buffer => new TraceWriter(6).call(['f', 'value'], { args: [value] }).toBytes();
const nested = (depth: number): Written => (depth === 0 ? none : array(nested(depth - 1)));
const twin = (): TraceWriter => new TraceWriter(6).call(['f']);
/** A type byte, then a length or count, and nothing more. */
const lengthOf =
  (type: number, length: number | bigint): Written =>
  (w) =>
    w.byte(type).uint(length);
const uint = (value: number | bigint): Buffer => new TraceWriter(0).uint(value).toBytes().subarray(1);

const refusals: readonly (readonly [what: string, contents: Uint8Array, problem: RegExp])[] = [
  ['a newer version', Buffer.from([7]), /^a trace of version 7; 6 is the newest known/],
  [
    'an absurd version',
    uint(2n ** 60n),
    /at byte 9 of the unpacked trace .*no trace of apitrace: its version would be 1152921504606846976/,
  ],
  ['newer calls in an older layout', Buffer.from([6, 9, 0]), /^a trace of version 9/],
  [
    'an event of no kind',
    twin().byte(9).toBytes(),
    /at byte 13 of the unpacked trace \(byte 2 of the file, where its piece begins\): an event of no known kind, 9\.$/,
  ],
  [
    'a detail of no kind',
    new TraceWriter(6).byte(0).uint(0).uint(0).string('f').uint(0).byte(77).toBytes(),
    /at byte 9 .*a detail of no known kind, 77, in call 0 \(f\)/,
  ],
  ['a value of no type', withValue((w) => w.byte(16)), /a value of no known type, 16/],
  [
    'the return of a call that was not entered',
    twin().leave(1).toBytes(),
    /at byte 13 .*the return of call 1, which was not entered/,
  ],
  ['a second return', twin().leave(0).toBytes(), /the return of call 0, which has returned before/],
  [
    'an argument beyond the signature',
    new TraceWriter(6).call(['f', 'a'], { args: [none, none] }).toBytes(),
    /argument 1 of call 0, and f has 1/,
  ],
  [
    'an absurd argument',
    new TraceWriter(6).call(['f', 'a'], { details: (w) => none(w.byte(1).uint(2n ** 63n)) }).toBytes(),
    /argument 9223372036854775808 of call 0/,
  ],
  ['an absurd array', withValue(lengthOf(11, 2 ** 40)), /1099511627776 values would make more than the 1048576 bytes/],
  [
    'an array of 2^64 - 1',
    withValue(lengthOf(11, 2n ** 64n - 1n)),
    /an array of values: 18446744073709551615, more than/,
  ],
  ['absurd text', withValue(lengthOf(7, 2 ** 31)), /text of 2147483648 bytes would make more/],
  ['absurd wide text', withValue(lengthOf(15, 2 ** 31)), /2147483648 values would make more/],
  [
    'an absurd blob',
    withValue(lengthOf(8, 2 ** 33)),
    /a blob of 8589934592 bytes would make more than the 1048576 bytes/,
  ],
  [
    'an absurd function id',
    new TraceWriter(6)
      .byte(0)
      .uint(0)
      .uint(2 ** 33)
      .toBytes(),
    /function id 8589934592, more than/,
  ],
  [
    'an absurd count of arguments',
    new TraceWriter(6)
      .byte(0)
      .uint(0)
      .uint(0)
      .string('f')
      .uint(2 ** 33)
      .toBytes(),
    /names: 8589934592, more than/,
  ],
  [
    'an absurd count of members',
    withValue((w) =>
      w
        .byte(12)
        .uint(0)
        .string('S')
        .uint(2 ** 20),
    ),
    /names: 1048576, more than/,
  ],
  [
    'an absurd enum',
    withValue((w) =>
      w
        .byte(9)
        .uint(0)
        .uint(2 ** 30),
    ),
    /an enum with values: 1073741824/,
  ],
  [
    'an enum whose value is no integer',
    withValue((w) => w.byte(9).uint(0).uint(0).byte(5)),
    /a value of type 5 where an integer must be/,
  ],
  [
    'an absurd bitmask',
    withValue((w) =>
      w
        .byte(10)
        .uint(0)
        .uint(2 ** 30),
    ),
    /a bitmask with flags: 1073741824/,
  ],
  [
    'an absurd backtrace',
    new TraceWriter(6).call(['f'], { details: (w) => w.byte(4).uint(2 ** 30) }).toBytes(),
    /a backtrace of frames: 1073741824/,
  ],
  [
    'a detail of a stack frame of no kind',
    new TraceWriter(6).call(['f'], { details: (w) => w.byte(4).uint(1).uint(0).byte(6) }).toBytes(),
    /a detail of a stack frame of no known kind, 6/,
  ],
  [
    'an integer of 70 bits',
    withValue((w) => w.byte(4).raw(Buffer.alloc(9, 255)).byte(2)),
    /an integer of more than 64 bits/,
  ],
  ['arrays too deep', withValue(nested(65)), /arrays and structures more than 64 deep/],
  ['forms too deep', withValue((w) => w.raw(Buffer.alloc(100_000, 14))), /arrays and structures more than 64 deep/],
  [
    'more names than are kept',
    new TraceWriter(6, { a: 'x'.repeat(2 ** 20) }).toBytes(),
    /a name of 1048576 bytes would make more/,
  ],
];
const limits = { heapBytes: 2 ** 20, blobBytes: 2 ** 20, tableBytes: 2 ** 20 };

for (const [what, contents, problem] of refusals) {
  test(`refused, with the place: ${what}`, async (t) => {
    assert.match(
      read(join(await tempFolder(t), 'bad.trace'), pack(contents, 'snappy'), limits).problem ?? 'none',
      problem,
    );
  });
}

test('a structure in itself is one of endless depth', async (t) => {
  const cyclic = withValue((w) =>
    w
      .byte(12)
      .uint(0)
      .string('S')
      .uint(1)
      .string('self')
      .raw(Buffer.alloc(400, 0).map((_, at) => (at % 2 ? 0 : 12))),
  );
  assert.match(read(join(await tempFolder(t), 'bad.trace'), pack(cyclic, 'snappy')).problem ?? '', /more than 64 deep/);
});

test('64 deep is read', async (t) => {
  const { calls } = read(join(await tempFolder(t), 'deep.trace'), pack(withValue(nested(64)), 'snappy'));
  assert.equal(JSON.stringify(calls[0].args[0]), `${'['.repeat(64)}null${']'.repeat(64)}`);
});

test('calls that never return share one limit, and give it back when they do', async (t) => {
  const path = join(await tempFolder(t), 'open.trace');
  const values = array(...Array.from({ length: 1000 }, () => int(1)));
  const open = new TraceWriter(6);
  const returned = new TraceWriter(6);
  for (let index = 0; index < 100; index++) open.enter(['f', 'a'], { args: [values] });
  for (let index = 0; index < 100; index++) returned.call(['f', 'a'], { args: [values] });
  assert.match(
    read(path, pack(open.toBytes(), 'gzip'), limits).problem ?? '',
    /1000 values would make more than the 1048576 bytes/,
  );
  assert.equal(read(path, pack(returned.toBytes(), 'gzip'), limits).calls.length, 100);
});

test('a trace longer than what is read is refused', async (t) => {
  const file = pack(sampleTrace(6).toBytes(), 'snappy', 50);
  assert.match(
    read(join(await tempFolder(t), 'long.trace'), file, { totalBytes: 120 }).problem ?? '',
    /more than the 120 bytes that are read of one trace/,
  );
});

for (const version of [0, 3, 6]) {
  test(`version ${version}: contents cut at any byte give every call that is whole`, async (t) => {
    const path = join(await tempFolder(t), 'cut.trace');
    const writer = sampleTrace(version);
    const contents = writer.toBytes();
    const whole = read(path, pack(contents, 'snappy')).calls.map(callLine);
    let before = 0;
    for (let length = 1; length < contents.length; length++) {
      const { calls, ending, problem } = read(path, pack(contents.subarray(0, length), 'snappy'));
      if (problem !== undefined) {
        assert.match(problem, /stops inside the head of the trace/);
        continue;
      }
      assert.deepEqual(calls.map(callLine), whole.slice(0, calls.length));
      assert.ok(calls.length >= before, 'no fewer calls in a longer trace');
      before = calls.length;
      assert.ok(ending!.offsetBytes <= length);
      const isBetween = ending!.offsetBytes === length;
      assert.equal(/is not whole/.test(ending!.reason ?? ''), !isBetween);
      assert.equal(ending!.isComplete, isBetween && ending!.unfinishedCalls === 0);
    }
    assert.equal(before, whole.length - 1);
  });
}

test('calls that never returned are counted and named', async (t) => {
  const writer = new TraceWriter(6).call(['glFlush']);
  writer.enter(['glXSwapBuffers']);
  writer.enter(['glFinish'], { thread: 1 });
  const { calls, ending } = read(join(await tempFolder(t), 'open.trace'), pack(writer.toBytes(), 'snappy'));
  assert.equal(calls.length, 1);
  assert.deepEqual(ending, {
    isComplete: false,
    offsetBytes: writer.length,
    lastCall: 0,
    unfinishedCalls: 2,
    reason: 'call 1 (glXSwapBuffers) and 1 more never returned',
  });
});

test('traces with any bytes changed are read or refused, within the limits', async (t) => {
  const path = join(await tempFolder(t), 'mutated.trace');
  const all = new TraceWriter(6);
  for (const [, written] of typeSamples) all.call(['f', 'value'], { args: [written], result: written });
  const sources = [all.toBytes(), sampleTrace(6).toBytes(), sampleTrace(2).toBytes()];
  const telling = [0, 1, 2, 7, 8, 11, 12, 14, 127, 128, 255];
  const before = process.memoryUsage().rss;
  let refused = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    const random = integersFrom(seed);
    const container = containers[random(4)];
    const isPacked = random(3) === 0;
    const contents = Buffer.from(sources[random(sources.length)]);
    const file = isPacked ? pack(contents, container, 200) : contents;
    for (let times = 1 + random(3); times > 0; times--) {
      file[random(file.length)] = random(2) === 0 ? telling[random(telling.length)] : random(256);
    }
    try {
      if (read(path, isPacked ? file : pack(file, container), limits).problem !== undefined) refused++;
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  assert.ok(refused > 170 && refused < 970, `${refused} refused`);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 400 * 2 ** 20, `${grown} bytes more`);
});
