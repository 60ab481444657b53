import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pixels } from '../../src/analysis/image-difference.ts';
import { shrinkPicture } from '../../src/analysis/shrink-picture.ts';

/** Grey, opaque. */
const picture = (width: number, ...values: number[]): Pixels => ({
  width,
  height: values.length / width,
  data: Uint8Array.from(values.flatMap((value) => [value, value, value, 255])),
});
const reds = ({ width, height, data }: Pixels) => ({
  size: [width, height],
  reds: [...data].filter((_, at) => at % 4 === 0),
  alphas: new Set([...data].filter((_, at) => at % 4 === 3)),
});

test('a pixel is the mean of the area that it stands for', () => {
  const half = shrinkPicture(picture(4, 0, 100, 10, 20, 100, 200, 30, 41), 2);
  assert.deepEqual(reds(half), { size: [2, 1], reds: [100, 25], alphas: new Set([255]) });
  // Each of two has one pixel and a half of three.
  const odd = shrinkPicture(picture(3, 0, 90, 240, 0, 90, 240, 0, 90, 240), 2);
  assert.deepEqual(reds(odd), { size: [2, 2], reds: [30, 190, 30, 190], alphas: new Set([255]) });
});

test('channels are averaged each for itself, and white stays white', () => {
  const { data } = shrinkPicture({ width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 0, 0, 255, 0, 255) }, 1);
  assert.deepEqual([...data], [128, 128, 0, 128]);
  const white = shrinkPicture({ width: 997, height: 61, data: new Uint8Array(997 * 61 * 4).fill(255) }, 160);
  assert.deepEqual([white.width, white.height], [160, 10]);
  assert.ok(white.data.every((value) => value === 255));
});

test('sides keep their proportion and at least a pixel; small pictures stay', () => {
  const line = shrinkPicture({ width: 1, height: 1000, data: new Uint8Array(4000) }, 160);
  assert.deepEqual([line.width, line.height], [1, 160]);
  const small = picture(2, 1, 2, 3, 4);
  assert.equal(shrinkPicture(small, 2), small);
});
