import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumValue } from '../../src/gl/enums.ts';
import { components, indexBytes, texelBytes, typeBytes } from '../../src/model/texel-sizes.ts';
import { blockOf, layoutOf } from '../../src/model/texture-formats.ts';

const gl = (name: string): number => {
  const value = enumValue(`GL_${name}`);
  assert.notEqual(value, undefined, name);
  return value as number;
};

test('bytes of client pixels by format and type', () => {
  const cases: [format: string, type: string, bytes: number][] = [
    ['RED', 'UNSIGNED_BYTE', 1],
    ['RGB', 'UNSIGNED_BYTE', 3],
    ['RGB', 'UNSIGNED_SHORT_5_6_5', 2],
    ['RGBA', 'HALF_FLOAT_OES', 8],
    ['RG', 'HALF_FLOAT', 4],
    ['RGBA_INTEGER', 'UNSIGNED_INT', 16],
    ['BGRA', 'UNSIGNED_INT_8_8_8_8_REV', 4],
    ['LUMINANCE_ALPHA', 'FLOAT', 8],
    ['SRGB_ALPHA_EXT', 'UNSIGNED_BYTE', 4],
    ['DEPTH_COMPONENT', 'UNSIGNED_SHORT', 2],
    ['DEPTH_STENCIL', 'UNSIGNED_INT_24_8', 4],
    ['DEPTH_STENCIL', 'FLOAT_32_UNSIGNED_INT_24_8_REV', 8],
  ];
  for (const [format, type, bytes] of cases) assert.equal(texelBytes(gl(format), gl(type)), bytes, `${format} ${type}`);
  assert.equal(texelBytes(gl('TEXTURE_2D'), gl('UNSIGNED_BYTE')), 0);
  assert.equal(texelBytes(gl('RGBA'), gl('TEXTURE_2D')), 0);
  assert.equal(components(gl('BGR')), 3);
  assert.equal(components(gl('TEXTURE_2D')), 0);
  assert.equal(typeBytes(gl('UNSIGNED_INT_24_8')), 4);
  assert.equal(indexBytes(gl('UNSIGNED_SHORT')), 2);
  assert.equal(indexBytes(gl('FLOAT')), undefined);
});

test('the upload that holds every value of an internal format', () => {
  const cases: [internal: string, format: string, type: string, numbers: string][] = [
    ['R8', 'RED', 'UNSIGNED_BYTE', 'unorm'],
    ['RGBA8_SNORM', 'RGBA', 'BYTE', 'snorm'],
    ['RGB16_EXT', 'RGB', 'UNSIGNED_SHORT', 'unorm'],
    ['RG16_SNORM_EXT', 'RG', 'SHORT', 'snorm'],
    ['RGBA16F', 'RGBA', 'FLOAT', 'float'],
    ['RGB8UI', 'RGB_INTEGER', 'UNSIGNED_BYTE', 'uint'],
    ['R32I', 'RED_INTEGER', 'INT', 'int'],
    ['RGB10_A2UI', 'RGBA_INTEGER', 'UNSIGNED_INT_2_10_10_10_REV', 'uint'],
    ['RGB9_E5', 'RGB', 'FLOAT', 'float'],
    ['SRGB8_ALPHA8', 'RGBA', 'UNSIGNED_BYTE', 'unorm'],
    ['DEPTH_COMPONENT24', 'DEPTH_COMPONENT', 'UNSIGNED_INT', 'depth'],
    ['DEPTH32F_STENCIL8', 'DEPTH_STENCIL', 'FLOAT_32_UNSIGNED_INT_24_8_REV', 'depthStencil'],
    ['STENCIL_INDEX8', 'STENCIL_INDEX', 'UNSIGNED_BYTE', 'stencil'],
  ];
  for (const [internal, format, type, numbers] of cases) {
    const layout = layoutOf(gl(internal), 0, 0);
    assert.deepEqual(
      [layout.format, layout.type, layout.numbers],
      [gl(format), gl(type), numbers],
      `${internal}, a layout of its own`,
    );
  }
  assert.equal(layoutOf(gl('SRGB8'), 0, 0).srgb, true);
  const rgba = gl('RGBA');
  assert.deepEqual(layoutOf(rgba, rgba, gl('HALF_FLOAT_OES')), {
    format: rgba,
    type: gl('HALF_FLOAT_OES'),
    numbers: 'float',
  });
});

test('blocks of compressed formats', () => {
  assert.deepEqual(blockOf(gl('COMPRESSED_RGB_S3TC_DXT1_EXT')), [4, 4, 8]);
  assert.deepEqual(blockOf(gl('COMPRESSED_RGBA8_ETC2_EAC')), [4, 4, 16]);
  assert.deepEqual(blockOf(gl('COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR')), [12, 10, 16]);
  assert.equal(blockOf(gl('RGBA8')), undefined);
});
