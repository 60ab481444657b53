import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compress } from 'snappyjs';
import { tempFolder } from '../helpers/files.ts';
import { callLine } from './call-lines.ts';
import { manyCalls, sampleTrace } from './sample-trace.ts';
import { read } from './trace-files.ts';
import { containers, pack, snappyBlock, zstdBlock } from './trace-packer.ts';
import { blob, TraceWriter } from './trace-writer.ts';

const many = manyCalls().toBytes();
const zstdHead = [0x28, 0xb5, 0x2f, 0xfd];

for (const container of containers) {
  for (const pieceBytes of [1, 113, 2 ** 20]) {
    test(`${container}, pieces of ${pieceBytes} bytes: the same calls`, async (t) => {
      const path = join(await tempFolder(t), 'packed.trace');
      const { calls, ending, problem } = read(path, pack(many, container, pieceBytes));
      assert.equal(problem, undefined);
      assert.equal(calls.length, 800);
      assert.deepEqual(calls[0].args, [0, 0, 1]);
      assert.deepEqual(calls[799].args, [['void main() { color = vec4(399, 681, 0, 1); }']]);
      assert.equal(ending?.offsetBytes, many.length);
    });
  }

  test(`${container}: a file cut at any byte gives the first calls, or has no head`, async (t) => {
    const path = join(await tempFolder(t), 'cut.trace');
    const contents = sampleTrace(6).toBytes();
    const file = pack(contents, container, 40);
    const whole = read(path, file).calls.map(callLine);
    let most = 0;
    for (let length = 0; length < file.length; length++) {
      const { calls, ending, problem } = read(path, file.subarray(0, length));
      assert.deepEqual(calls.map(callLine), whole.slice(0, calls.length), `${length} bytes`);
      if (problem === undefined) {
        const isWhole = ending?.offsetBytes === contents.length && ending.reason === null;
        // Snappy has no mark of its end, and a Zstandard file may end after any frame.
        assert.ok(!ending?.isComplete || container === 'snappy' || isWhole, `${length} bytes`);
        assert.equal(ending?.lastCall ?? null, calls.at(-1)?.number ?? null);
      } else {
        assert.equal(calls.length, 0, `${length} bytes: ${problem}`);
        assert.match(problem, /stops inside the head|is empty|^at byte 0 of the file: no trace of apitrace/);
      }
      most = Math.max(most, calls.length);
    }
    assert.ok(most >= whole.length - 2, 'the last cuts keep nearly all calls');
  });
}

test('Zstandard as zstd 1.5 packs it, with literals, matches and a checksum', async (t) => {
  const path = join(await tempFolder(t), 'packed.trace');
  const packed = read(path, readFileSync(new URL('zstd-19.trace', import.meta.url)));
  const stored = read(path, pack(many, 'zstd'));
  assert.deepEqual(packed.calls.map(callLine), stored.calls.map(callLine));
  assert.deepEqual(packed.ending, stored.ending);
});

test('Snappy that is cut off gives what its bytes say, as apitrace takes it', async (t) => {
  const path = join(await tempFolder(t), 'cut.trace');
  const writer = new TraceWriter(6);
  for (let index = 0; index < 20; index++) writer.call(['glFlush']);
  const callsEnd = writer.length;
  const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * index * 31 + (index >> 3)) & 255);
  const block = compress(writer.call(['memcpy', 'src'], { args: [blob(noise)] }).toBytes());
  const { calls, ending } = read(
    path,
    Buffer.concat([Buffer.from('at'), snappyBlock(block.subarray(0, 2000), block.length)]),
  );
  assert.equal(calls.length, 20);
  assert.deepEqual(ending, {
    isComplete: false,
    offsetBytes: callsEnd,
    lastCall: 19,
    unfinishedCalls: 0,
    reason: `it stops inside a Snappy block; the event at byte ${callsEnd} of the unpacked trace is not whole`,
  });
});

const limits = { pieceBytes: 2 ** 16 };
const zeros = new Uint8Array(2 ** 20);
const refusals: readonly (readonly [what: string, file: Uint8Array, problem: RegExp])[] = [
  ['nothing', new Uint8Array(), /^the file is empty/],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /^at byte 0 of the file: no trace of apitrace/],
  [
    'a Snappy block of absurd length',
    Buffer.from('at\xff\xff\xff\xff\0\0', 'latin1'),
    /^at byte 2 of the file: a Snappy block of 4294967295 bytes/,
  ],
  [
    'a Snappy block that unpacks to much',
    Buffer.concat([Buffer.from('at'), snappyBlock(compress(zeros))]),
    /^at byte 2 of the file: a Snappy block that unpacks to 1048576 bytes, more than the 65536/,
  ],
  [
    'Snappy that unpacks to less than it says',
    Buffer.concat([Buffer.from('at'), snappyBlock(Buffer.from([9, 0, 6]))]),
    /^at byte 2 of the file: a malformed Snappy block/,
  ],
  [
    'a Snappy literal of 2^32 bytes',
    Buffer.concat([Buffer.from('at'), snappyBlock(Buffer.from([9, 0xfc, 0xf6, 0xff, 0xff, 0xff, 0, 0, 0]))]),
    /a malformed Snappy block/,
  ],
  [
    'a Snappy match before the start',
    Buffer.concat([Buffer.from('at'), snappyBlock(Buffer.from([5, 0, 6, 1, 9]))]),
    /a malformed Snappy block/,
  ],
  ['a gzip bomb', pack(zeros, 'gzip'), /^at byte 0 of the file: a few bytes that unpack to more than the 65536/],
  ['a Brotli bomb', pack(zeros, 'brotli'), /^at byte 0 of the file: a few bytes that unpack to more than the 65536/],
  [
    'gzip with a wrong checksum',
    Buffer.concat([pack(sampleTrace(6).toBytes(), 'gzip').subarray(0, -8), Buffer.alloc(8, 7)]),
    /^at byte \d+ of the file: a malformed gzip stream/,
  ],
  [
    'a Zstandard window of 2 TB',
    Buffer.from([...zstdHead, 0, 0xff, 0, 0, 0, 0]),
    /^at byte 0 of the file: a Zstandard window of \d{13} bytes, more than the 67108864/,
  ],
  [
    'a Zstandard frame of 2^63 bytes',
    Buffer.from([...zstdHead, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x80]),
    /a Zstandard window of 9223372036854776000 bytes/,
  ],
  ['Zstandard with a dictionary', Buffer.from([...zstdHead, 0x21, 7, 1]), /a Zstandard frame that needs a dictionary/],
  [
    'a Zstandard block of 2 MB',
    Buffer.concat([Buffer.from([...zstdHead, 0, 0]), zstdBlock(1, 2 ** 21 - 1, Buffer.of(6))]),
    /^at byte 6 of the file: a Zstandard block of 2097151 bytes/,
  ],
  [
    'a Zstandard block of no kind',
    Buffer.concat([Buffer.from([...zstdHead, 0, 0]), zstdBlock(3, 4, Buffer.alloc(4))]),
    /a Zstandard block of no known kind/,
  ],
  [
    'a malformed Zstandard block',
    Buffer.concat([Buffer.from([...zstdHead, 0, 0]), zstdBlock(2, 20, Buffer.alloc(20, 255))]),
    /a malformed Zstandard block/,
  ],
  [
    'something after a Zstandard frame',
    Buffer.concat([pack(many, 'zstd'), Buffer.from('hello')]),
    /no Zstandard frame begins like this/,
  ],
];

for (const [what, file, problem] of refusals) {
  test(`refused, with the place: ${what}`, async (t) => {
    assert.match(read(join(await tempFolder(t), 'bad.trace'), file, limits).problem ?? 'none', problem);
  });
}

test('what cannot be read is said as such', async (t) => {
  const { openTrace } = await import('../../src/import/apitrace/open-trace.ts');
  const folder = await tempFolder(t);
  assert.throws(() => openTrace(join(folder, 'absent.trace')), { code: 'bad-input', message: /: no such file$/ });
  assert.throws(() => openTrace(folder), { code: 'bad-input', message: /: it is a directory$/ });
});

test('a Zstandard block that the library would never finish is refused', async (t) => {
  const file = readFileSync(new URL('zstd-19.trace', import.meta.url));
  for (const [at, byte] of [
    [5, 203],
    [16, 248],
    [28, 78],
  ])
    file[at] = byte;
  const { problem } = read(join(await tempFolder(t), 'endless.trace'), file, { zstdMs: 200 });
  assert.match(problem ?? '', /^at byte \d+ of the file: a malformed Zstandard block .*timed out after 200ms/);
});
