import assert from 'node:assert/strict';
import { test } from 'node:test';
import { swapBytes, type UnpackLayout, unpackBitmap, unpackTexels } from '../../src/model/pixel-unpack.ts';

const tight: UnpackLayout = {
  alignment: 1,
  rowLength: 0,
  imageHeight: 0,
  skipPixels: 0,
  skipRows: 0,
  skipImages: 0,
};
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at);
const list = (bytes: Uint8Array | undefined) => bytes && [...bytes];

test('tight texels are the bytes themselves', () => {
  const source = counting(12);
  const texels = unpackTexels(source, { width: 3, height: 2, depth: 1 }, 2, tight);
  assert.deepEqual(list(texels), list(source));
  assert.equal(texels?.buffer, source.buffer);
});

test('rows begin at multiples of the alignment', () => {
  const box = { width: 3, height: 2, depth: 1 };
  assert.deepEqual(list(unpackTexels(counting(7), box, 1, { ...tight, alignment: 4 })), [0, 1, 2, 4, 5, 6]);
  assert.equal(unpackTexels(counting(6), box, 1, { ...tight, alignment: 4 }), undefined);
});

test('row length, skips and image height', () => {
  const layout = { alignment: 1, rowLength: 4, imageHeight: 3, skipPixels: 1, skipRows: 1, skipImages: 1 };
  const box = { width: 2, height: 2, depth: 2 };
  const volume = unpackTexels(counting(64), box, 1, layout, { isVolume: true });
  assert.deepEqual(list(volume), [17, 18, 21, 22, 29, 30, 33, 34]);
  assert.deepEqual(list(unpackTexels(counting(64), { ...box, depth: 1 }, 1, layout)), [5, 6, 9, 10]);
});

test('rows and images that overlap are refused: little would make much', () => {
  const box = { width: 4, height: 4, depth: 2 };
  assert.equal(unpackTexels(counting(64), box, 1, { ...tight, rowLength: 1 }), undefined);
  assert.equal(unpackTexels(counting(64), box, 1, { ...tight, imageHeight: 1 }, { isVolume: true }), undefined);
  assert.equal(unpackBitmap(counting(64), { ...box, width: 64 }, { ...tight, rowLength: 1 }, false), undefined);
});

test('upside down', () => {
  const box = { width: 2, height: 2, depth: 1 };
  assert.deepEqual(list(unpackTexels(counting(4), box, 1, tight, { flip: true })), [2, 3, 0, 1]);
});

test('bitmaps take whole bytes a row, their highest bits first', () => {
  const box = { width: 10, height: 2, depth: 1 };
  const source = Uint8Array.of(0b10110000, 0b01111111, 0b11000000, 0b10000000);
  assert.deepEqual(list(unpackBitmap(source, box, tight, false)), [0b10110000, 0b01000000, 0b11000000, 0b10000000]);
  assert.deepEqual(list(unpackBitmap(source, box, tight, true)), [0b00001101, 0b11000000, 0b00000011, 0]);
  assert.deepEqual(
    list(unpackBitmap(source, { ...box, width: 4, height: 1 }, { ...tight, skipPixels: 2 }, false)),
    [0b11000000],
  );
  assert.equal(unpackBitmap(source, { ...box, height: 3 }, tight, false), undefined);
});

test('bytes are swapped in a copy', () => {
  const source = counting(8);
  assert.deepEqual(list(swapBytes(source, 4)), [3, 2, 1, 0, 7, 6, 5, 4]);
  assert.deepEqual(list(source), [0, 1, 2, 3, 4, 5, 6, 7]);
});
