import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Document } from '@gltf-transform/core';
import { encode } from 'fast-png';
import sharp from 'sharp';
import { decodeImage } from '../../src/record/gltf/images.ts';

async function decode(bytes: Uint8Array, mimeType = 'image/png', maxSize = 64) {
  const texture = new Document().createTexture('wood').setMimeType(mimeType).setImage(new Uint8Array(bytes));
  const { width, height, pixels } = await decodeImage(texture, maxSize);
  return { width, height, pixels: Array.from(pixels) };
}

describe('images of models', () => {
  it('become eight bits of red, green, blue and alpha, whatever they are stored as', async () => {
    const grey = encode({ width: 2, height: 1, channels: 1, depth: 16, data: new Uint16Array([32768, 25700]) });
    assert.deepEqual(await decode(grey), { width: 2, height: 1, pixels: [128, 128, 128, 255, 100, 100, 100, 255] });
    const deep = encode({
      width: 1,
      height: 1,
      channels: 4,
      depth: 16,
      data: new Uint16Array([65535, 32768, 0, 25700]),
    });
    assert.deepEqual((await decode(deep)).pixels, [255, 128, 0, 100]);
    const greyAlpha = encode({ width: 1, height: 1, channels: 2, depth: 8, data: new Uint8Array([10, 0]) });
    assert.deepEqual((await decode(greyAlpha)).pixels, [10, 10, 10, 0]);
  });

  it('keep the values of the file, whatever colour profile it names', async () => {
    const source = { create: { width: 1, height: 1, channels: 3, background: { r: 200, g: 100, b: 50 } } } as const;
    const plain = await sharp(await sharp(source).withIccProfile('p3').png().toBuffer(), { ignoreIcc: true })
      .raw()
      .toBuffer();
    const tagged = await sharp(source).withIccProfile('p3').png().toBuffer();
    assert.deepEqual((await decode(tagged)).pixels.slice(0, 3), Array.from(plain.subarray(0, 3)));
    assert.notDeepEqual((await decode(tagged)).pixels.slice(0, 3), [200, 100, 50]);
  });

  it('are made smaller when the driver has no texture of their size', async () => {
    const wide = await sharp({ create: { width: 100, height: 50, channels: 3, background: '#0f0' } })
      .jpeg()
      .toBuffer();
    const { width, height } = await decode(wide, 'image/jpeg', 64);
    assert.deepEqual([width, height], [64, 32]);
  });

  it('are refused by name when they cannot be decoded', async () => {
    await assert.rejects(decode(new Uint8Array([1, 2, 3])), {
      code: 'bad-input',
      message: /image of texture wood cannot/,
    });
    await assert.rejects(decode(new Uint8Array([1]), 'image/ktx2'), { code: 'bad-input', message: /wood is KTX2/ });
    await assert.rejects(decode(new Uint8Array([1]), 'image/tiff'), {
      code: 'bad-input',
      message: /wood is image\/tiff/,
    });
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    await assert.rejects(decode(png.subarray(0, png.length - 20)), { code: 'bad-input', message: /cannot be decoded/ });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
    await assert.rejects(decode(svg), { code: 'bad-input', message: /it is no PNG, JPEG, WebP or AVIF$/ });
  });
});
