import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencePicture, imageDifference, type Pixels } from '../../src/analysis/image-difference.ts';

const picture = (width: number, height: number, ...data: number[]): Pixels => ({
  width,
  height,
  data: Uint8Array.from(data),
});

test('equal pictures differ in nothing', () => {
  const one = picture(1, 2, 1, 2, 3, 4, 5, 6, 7, 8);
  assert.deepEqual(imageDifference(one, one, 0), {
    pixels: 2,
    differing: 0,
    beyondTolerance: 0,
    maxDifference: 0,
    meanDifference: 0,
  });
});

test('every channel counts, alpha too, and the tolerance is the largest difference still within', () => {
  const left = picture(3, 1, 10, 20, 30, 255, 0, 0, 0, 255, 9, 9, 9, 255);
  const right = picture(3, 1, 13, 20, 30, 255, 0, 0, 0, 251, 9, 9, 9, 255);
  assert.deepEqual(imageDifference(left, right, 3), {
    pixels: 3,
    differing: 2,
    beyondTolerance: 1,
    maxDifference: 4,
    meanDifference: 7 / 12,
  });
  assert.equal(imageDifference(left, right, 2).beyondTolerance, 2);
  assert.equal(imageDifference(right, left, 4).beyondTolerance, 0);
});

test('pictures of different shapes are not compared', () => {
  assert.throws(
    () => imageDifference(picture(1, 2, ...Array(8).fill(0)), picture(2, 1, ...Array(8).fill(0)), 0),
    RangeError,
  );
});

test('an empty picture has no difference', () => {
  assert.equal(imageDifference(picture(0, 0), picture(0, 0), 0).meanDifference, 0);
});

test('a picture of the difference shows each channel, scaled, and alpha as grey', () => {
  const left = picture(3, 1, 10, 20, 30, 255, 0, 0, 0, 255, 9, 9, 9, 255);
  const right = picture(3, 1, 13, 20, 130, 255, 0, 0, 0, 251, 9, 9, 9, 255);
  assert.deepEqual([...differencePicture(left, right, 3).data], [9, 0, 255, 255, 12, 12, 12, 255, 0, 0, 0, 255]);
});
