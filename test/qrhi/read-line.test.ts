import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QrhiLine } from '../../src/model/qrhi/line.ts';
import { buffer, linesOf, smallStream } from './kit.ts';

const faultOf = (line: string | Buffer): string | null => {
  const [read] = linesOf(line, 65536);
  return read.record ? null : read.fault;
};

test('an entry', () => {
  const [line] = linesOf('1,6,94550995842816,Triangle vbuf,type,2,usage,4,effective_size,84,\n');
  assert.deepEqual(line.record, {
    line: 1,
    op: 1,
    timestampMs: 6n,
    res: 94550995842816n,
    name: 'Triangle vbuf',
    ints: { type: 2n, usage: 4n, effective_size: 84n },
    floats: {},
  });
});

test('chunks of any size give the same lines', () => {
  const whole = linesOf(smallStream, 1e6);
  assert.equal(whole.length, 20);
  assert.ok(whole.every(({ record }) => record));
  for (const chunkBytes of [1, 2, 3, 64, 100]) assert.deepEqual(linesOf(smallStream, chunkBytes), whole);
});

test('what is taken as it is', () => {
  const same: Record<string, string> = {
    'CR LF': '2,5,7,name,\r\n',
    'no last line feed': '2,5,7,name,',
    'blanks around': ' 2,5,7,name,\t \n',
    'a byte order mark': '\ufeff2,5,7,name,\n',
    'unknown keys': '2,5,7,name,colour,blue,,,\n',
  };
  for (const [what, line] of Object.entries(same)) {
    const [{ record }] = linesOf(line);
    assert.deepEqual([record?.op, record?.timestampMs, record?.res, record?.name], [2, 5n, 7n, 'name'], what);
  }
  const missing = '1,5,7,,effective_size,10,\n';
  assert.deepEqual(linesOf(missing)[0].record?.ints, { effective_size: 10n });
  // A name is bytes: what is no UTF-8 is replaced, what is long is cut.
  assert.equal(
    linesOf(Buffer.from([...Buffer.from('2,5,7,a'), 0xff, ...Buffer.from('b,\n')]))[0].record?.name,
    'a\ufffdb',
  );
  assert.equal(linesOf(`2,5,7,${'n'.repeat(5000)},\n`)[0].record?.name, `${'n'.repeat(256)}…`);
});

test('numbers are exact, and floats of any notation of C', () => {
  const most = 2n ** 64n - 1n;
  assert.equal(linesOf(`2,5,${most},,\n`)[0].record?.res, most);
  assert.equal(faultOf(`2,5,${most + 1n},,\n`), 'has no whole number of 64 bits as its res');
  assert.equal(linesOf(buffer(1, 2n ** 63n - 1n))[0].record?.ints.effective_size, 2n ** 63n - 1n);
  assert.equal(faultOf(buffer(1, 2n ** 63n)), 'has no whole number of 64 bits as logical_size');
  const gpu = (value: string) =>
    `16,5,1,,Fmin_ms_gpu_frame_time,${value},Fmax_ms_gpu_frame_time,2,Favg_ms_gpu_frame_time,1,\n`;
  for (const [text, value] of Object.entries({ '1e-07': 1e-7, '1E+06': 1e6, '.5': 0.5, '5.': 5, '+2': 2, '007': 7 }))
    assert.equal(linesOf(gpu(text))[0].record?.floats.Fmin_ms_gpu_frame_time, value, text);
  for (const text of ['nan', 'inf', '0x10', '1e999', '1,5', '--1', ' 1'])
    assert.notEqual(faultOf(gpu(text)), null, text);
});

test('what is malformed, and why', () => {
  const faults: Record<string, string> = {
    '\n': 'is empty',
    '1,0,94216244373872,line1\n': 'does not end with a comma',
    'line2,type,1,usage,1,\n': 'begins with no op',
    'line2,\n': 'has fewer than 4 fields',
    '19,5,7,,\n': 'has an op that is not one of 1 to 18',
    '0,5,7,,\n': 'has an op that is not one of 1 to 18',
    '2,soon,7,,\n': 'has no whole number of 64 bits as its timestamp',
    '2,5,-7,,\n': 'has no whole number of 64 bits as its res',
    '2,5,7,a,b,\n': 'has a key without a value',
    '2,5,7,\0,\n': 'holds a NUL byte',
    '1,5,7,,type,0,\n': 'has no effective_size',
    '1,5,7,,effective_size,,\n': 'has no effective_size',
    '1,5,7,,effective_size,x,\n': 'has no whole number of 64 bits as effective_size',
    '1,5,7,,effective_size,1.5,\n': 'has no whole number of 64 bits as effective_size',
    '7,5,7,,approx_byte_size,-1,\n': 'has a negative approx_byte_size',
    '4,5,7,,\n': 'has no slot',
    '17,5,7,,frames_since_resize,1,\n': 'has no min_ms_frame_delta',
    'GET / HTTP/1.1\r\n': 'does not end with a comma',
  };
  for (const [line, fault] of Object.entries(faults)) assert.equal(faultOf(line), fault, line);
});

test("the viewer's reading of a malformed line stands beside what is wrong with it", () => {
  const lenient = (line: string): QrhiLine => linesOf(line)[0];
  const first = lenient('1,0,5,line1\n');
  assert.ok(!first.record);
  assert.deepEqual([first.lenient?.op, first.lenient?.res, first.lenient?.name], [1, 5n, 'line1']);
  const second = lenient('1,0,5,,effective_size,x,backing_gpu_buf_count, 2 ,\n');
  assert.ok(!second.record);
  assert.deepEqual(second.lenient?.ints, { effective_size: 0n, backing_gpu_buf_count: 2n });
  const third = lenient('line2,1,2,3,\n');
  assert.ok(!third.record && third.lenient === null);
});

test('a line of megabytes is passed over', () => {
  const lines = linesOf(`2,5,7,${'n'.repeat(3e6)},\n2,5,8,,\n`, 65536);
  assert.equal(lines.length, 2);
  assert.ok(!lines[0].record && lines[0].fault === 'is longer than 1 MiB');
  assert.equal(lines[1].record?.res, 8n);
});
