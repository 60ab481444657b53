import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { decodePng, encodePng } from '../../src/capture/png.ts';

const image = { width: 3, height: 2, data: Uint8Array.from({ length: 24 }, (_, index) => index * 10) };

/** A PNG made of these chunks, their checksums right. */
function chunks(...list: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa)];
  for (const [type, data] of list) {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    parts.push(frame.subarray(0, 4), body, frame.subarray(4));
  }
  return new Uint8Array(Buffer.concat(parts));
}

function header(width: number, height: number, depth = 8, colors = 6): readonly [string, Uint8Array] {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colors, 0, 0, 0], 8);
  return ['IHDR', data];
}

const end = ['IEND', new Uint8Array()] as const;
const damaged = { code: 'bad-input', message: /^(damaged PNG: |not a PNG|a PNG that)/ };

test('what is encoded is decoded', () => {
  assert.deepEqual(decodePng(encodePng(image)), image);
});

test('other kinds of PNG are refused', () => {
  const other = { code: 'bad-input', message: 'a PNG that is not RGBA with 8 bits a channel' };
  const deep = encode({ width: 1, height: 1, channels: 4, depth: 16, data: Uint16Array.of(1, 2, 3, 4) });
  const rgb = encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3) });
  const bits = chunks(header(3, 1, 1, 0), ['IDAT', deflateSync(Uint8Array.of(0, 0b10100000))], end);
  for (const png of [deep, rgb, bits]) assert.throws(() => decodePng(png), other);
});

test('cut off at every byte', () => {
  const bytes = encodePng(image);
  for (let length = 0; length < bytes.length - 12; length++)
    assert.throws(() => decodePng(bytes.subarray(0, length)), damaged, `at byte ${length}`);
});

test('a flipped byte is an error or changes nothing', () => {
  const good = encodePng(image);
  for (let at = 0; at < good.length; at++) {
    const bytes = Uint8Array.from(good);
    bytes[at] ^= 0x55;
    try {
      assert.deepEqual(decodePng(bytes), image, `byte ${at}`);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'bad-input', `byte ${at}: ${error}`);
    }
  }
});

test('sizes are refused before anything is allocated', () => {
  for (const [width, height] of [
    [0, 1],
    [1, 0xffffffff],
    [16385, 1],
  ])
    assert.throws(() => decodePng(chunks(header(width, height), end)), {
      code: 'bad-input',
      message: `PNG of ${width}x${height} pixels; at most 16384 a side`,
    });
  const bomb = chunks(header(1, 1), ['IDAT', deflateSync(new Uint8Array(50_000_000))], end);
  assert.throws(() => decodePng(bomb), damaged);
});
