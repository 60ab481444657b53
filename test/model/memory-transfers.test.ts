import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumValue } from '../../src/gl/enums.ts';
import { imageBytes, keptTexelBytes } from '../../src/model/memory/image-bytes.ts';
import { bytes, CaptureBuilder, floats, offset } from '../replay/memory-capture.ts';
import { leavesOf, show } from './memory-frame.ts';

const gl = (name: string): number => {
  const value = enumValue(`GL_${name}`);
  assert.notEqual(value, undefined, name);
  return value as number;
};
const [TEXTURE_2D, CUBE, RGBA, UBYTE] = [gl('TEXTURE_2D'), gl('TEXTURE_CUBE_MAP'), gl('RGBA'), gl('UNSIGNED_BYTE')];
const [FRAMEBUFFER, COLOR0] = [gl('FRAMEBUFFER'), gl('COLOR_ATTACHMENT0')];
const pixels = (count: number) => bytes(...new Uint8Array(count));

const builder = (options = {}) =>
  new CaptureBuilder({ canvas: { width: 8, height: 4, depth: false, stencil: false }, ...options });
const lines = async (b: CaptureBuilder) => (await leavesOf(b.capture())).map(show);
/** Texture `id` of one level, attached to framebuffer `id`. */
const target = (b: CaptureBuilder, id: number, internal: string, width: number, height: number) =>
  b
    .call('glBindTexture', TEXTURE_2D, id)
    .call('glTexStorage2D', TEXTURE_2D, 1, gl(internal), width, height)
    .call('glBindFramebuffer', FRAMEBUFFER, id)
    .call('glFramebufferTexture2D', FRAMEBUFFER, COLOR0, TEXTURE_2D, id, 0);

test('bytes of texels and images', () => {
  const cases: [internal: string, texel: number][] = [
    ['R8', 1],
    ['RGB8', 3],
    ['SRGB8_ALPHA8', 4],
    ['RGB565', 2],
    ['R16F', 2],
    ['RGBA16F', 8],
    ['RGB32F', 12],
    ['R11F_G11F_B10F', 4],
    ['RGB9_E5', 4],
    ['RGBA16UI', 8],
    ['DEPTH_COMPONENT16', 2],
    ['DEPTH_COMPONENT24', 4],
    ['DEPTH32F_STENCIL8', 8],
    ['STENCIL_INDEX8', 1],
    ['LUMINANCE8_ALPHA8', 2],
    ['RGBA', 4],
    ['DEPTH_STENCIL', 4],
  ];
  for (const [internal, texel] of cases) assert.equal(keptTexelBytes(gl(internal)), texel, internal);
  assert.equal(keptTexelBytes(RGBA, RGBA, gl('UNSIGNED_SHORT_4_4_4_4')), 2);
  assert.equal(keptTexelBytes(gl('RGBA16F'), RGBA, gl('FLOAT')), 8);
  const dxt1 = gl('COMPRESSED_RGB_S3TC_DXT1_EXT');
  assert.equal(imageBytes({ internalFormat: dxt1, width: 5, height: 4, depth: 1 }), 16);
  assert.equal(imageBytes({ internalFormat: dxt1, width: 2 ** 31, height: 2 ** 31, depth: 2 ** 31 }), 2 ** 53 - 1);
  assert.equal(imageBytes({ internalFormat: dxt1, width: -4, height: 4, depth: Number.NaN }), 0);
});

test('uploads: the part that is written, and the unpack buffer that it comes from', async () => {
  const b = builder()
    .call('glBindTexture', TEXTURE_2D, 1)
    .frame()
    .call('glTexImage2D', TEXTURE_2D, 0, RGBA, 4, 4, 0, RGBA, UBYTE, pixels(64))
    .call('glTexSubImage2D', TEXTURE_2D, 0, 1, 1, 2, 3, RGBA, UBYTE, pixels(24))
    .call('glCompressedTexImage2D', TEXTURE_2D, 1, gl('COMPRESSED_RGB8_ETC2'), 2, 2, 0, 8, pixels(8))
    .call('glBindBuffer', gl('PIXEL_UNPACK_BUFFER'), 1)
    .call('glBufferData', gl('PIXEL_UNPACK_BUFFER'), 100, null, 0x88e4)
    .call('glTexSubImage2D', TEXTURE_2D, 0, 0, 0, 4, 4, RGBA, UBYTE, offset(0));
  assert.deepEqual(await lines(b), [
    ['texture 64/64: texture 1=64'],
    ['texture 24/64: texture 1=64'],
    ['texture 8/72: texture 1=72'],
    ['texture 64/72: texture 1=72', 'storage 64/100: buffer 1=100'],
  ]);
});

test('uploads to buffers belong to what the buffer was first bound as', async () => {
  const b = builder()
    .call('glBindBuffer', gl('ELEMENT_ARRAY_BUFFER'), 1)
    .call('glBindBuffer', gl('UNIFORM_BUFFER'), 2)
    .frame()
    .call('glBufferData', gl('ELEMENT_ARRAY_BUFFER'), 6, pixels(6), 0x88e4)
    .call('glBufferData', gl('UNIFORM_BUFFER'), 32, pixels(32), 0x88e4)
    .call('glBufferSubData', gl('UNIFORM_BUFFER'), 16, 8, pixels(8))
    .call('glBindBuffer', gl('COPY_WRITE_BUFFER'), 1)
    .call('glCopyBufferSubData', gl('UNIFORM_BUFFER'), gl('COPY_WRITE_BUFFER'), 0, 0, 4);
  assert.deepEqual(await lines(b), [
    ['index 6/6: buffer 1=6'],
    ['uniform 32/32: buffer 2=32'],
    ['uniform 8/32: buffer 2=32'],
    ['index 4/6: buffer 1=6', 'uniform 4/32: buffer 2=32'],
  ]);
});

test('mipmaps grow a texture: flat, cube, three-dimensional', async () => {
  const b = builder().call('glBindTexture', TEXTURE_2D, 1);
  b.call('glTexImage2D', TEXTURE_2D, 0, RGBA, 8, 2, 0, RGBA, UBYTE, null).call('glBindTexture', CUBE, 2);
  for (let face = 0; face < 6; face++)
    b.call('glTexImage2D', gl('TEXTURE_CUBE_MAP_POSITIVE_X') + face, 0, RGBA, 2, 2, 0, RGBA, UBYTE, null);
  b.call('glBindTexture', gl('TEXTURE_3D'), 3)
    .call('glTexImage3D', gl('TEXTURE_3D'), 0, gl('R8'), 4, 4, 4, 0, gl('RED'), UBYTE, null)
    .frame();
  for (const each of [TEXTURE_2D, CUBE, gl('TEXTURE_3D')]) b.call('glGenerateMipmap', each);
  assert.deepEqual(await lines(b), [
    ['texture 92/92: texture 1=92'], // 16 + 4 + 2 + 1 texels
    ['texture 120/120: texture 2=120'], // 6 x (4 + 1)
    ['texture 73/73: texture 3=73'], // 64 + 8 + 1
  ]);
});

test('arrays, multisampled textures, views and direct state access', async () => {
  const b = builder({ api: 'gl', apiVersion: [4, 5] })
    .call('glCreateTextures', gl('TEXTURE_2D_ARRAY'), 1, [1])
    .call('glTextureStorage3D', 1, 2, gl('RG8'), 4, 4, 10)
    .call('glCreateTextures', gl('TEXTURE_2D_MULTISAMPLE'), 1, [2])
    .call('glTextureStorage2DMultisample', 2, 4, gl('RGBA8'), 3, 3, 1)
    .call('glTextureStorage2DEXT', 4, TEXTURE_2D, 1, gl('RGBA8'), 3, 3)
    .call('glTextureView', 3, TEXTURE_2D, 1, gl('RG8'), 1, 1, 4, 1)
    .call('glTextureView', 1, TEXTURE_2D, 3, gl('RG8'), 0, 1, 0, 1)
    .frame()
    .call('glClearTexImage', 1, 0, gl('RG'), UBYTE, null)
    .call('glClearTexSubImage', 1, 1, 0, 0, 3, 2, 2, 2, gl('RG'), UBYTE, null)
    .call('glClearTexImage', 2, 0, RGBA, UBYTE, null)
    .call('glClearTexImage', 3, 0, gl('RG'), UBYTE, null)
    .call('glClearTexImage', 4, 0, RGBA, UBYTE, null);
  assert.deepEqual(await lines(b), [
    ['texture 320/400: texture 1=400'],
    ['texture 16/400: texture 1=400'],
    ['texture 144/144: texture 2=144'],
    ['texture 8/400: texture 1=400'],
    ['texture 36/36: texture 4=36'],
  ]);
});

test('clears of buffers, of one attachment, and of what masks leave', async () => {
  const b = builder({ api: 'gl', apiVersion: [4, 5], canvas: { width: 8, height: 4, depth: true, stencil: true } });
  target(b, 1, 'RGBA16F', 4, 4)
    .call('glBindBuffer', gl('SHADER_STORAGE_BUFFER'), 1)
    .call('glBufferData', gl('SHADER_STORAGE_BUFFER'), 64, null, 0x88e4)
    .frame()
    .call('glClearBufferfv', gl('COLOR'), 0, floats(0, 0, 0, 0))
    .call('glClearBufferfv', gl('COLOR'), 1, floats(0, 0, 0, 0))
    .call('glClearNamedFramebufferfi', 0, gl('DEPTH_STENCIL'), 0, 1, 0)
    .call('glClearBufferSubData', gl('SHADER_STORAGE_BUFFER'), gl('R8'), 0, 16, gl('RED'), UBYTE, null)
    .call('glBindFramebuffer', FRAMEBUFFER, 0)
    .call('glDepthMask', 0)
    .call('glStencilMask', 0)
    .call('glClear', 0x4500);
  assert.deepEqual(await lines(b), [
    ['target 128/128: texture 1=128'],
    [],
    ['target 128/128: canvas depth and stencil=128'],
    ['storage 16/64: buffer 1=64'],
    ['target 128/256: canvas color=128, canvas depth and stencil=128'],
  ]);
});

test('blits and copies: what they read and what they write', async () => {
  const b = target(target(builder(), 1, 'RGBA8', 16, 16), 2, 'RGBA16F', 8, 8)
    .call('glBindFramebuffer', gl('READ_FRAMEBUFFER'), 1)
    .frame()
    .call('glBlitFramebuffer', 0, 16, 16, 0, -4, 0, 4, 8, 0x4000, gl('NEAREST'))
    .call('glCopyTexSubImage2D', TEXTURE_2D, 0, 0, 0, 14, 0, 4, 2)
    .call('glBindBuffer', gl('PIXEL_PACK_BUFFER'), 1)
    .call('glBufferData', gl('PIXEL_PACK_BUFFER'), 1000, null, 0x88e4)
    .call('glReadPixels', 0, 0, 10, 10, RGBA, UBYTE, 0)
    .call('glCopyImageSubData', 1, TEXTURE_2D, 0, 0, 0, 0, 1, TEXTURE_2D, 0, 8, 8, 0, 2, 2, 1);
  assert.deepEqual(await lines(b), [
    ['target 1280/1536: texture 1=1024, texture 2=512'], // 256 x 4 + 4 x 8 x 8
    ['texture 64/512: texture 2=512', 'target 16/1024: texture 1=1024'],
    ['target 400/1024: texture 1=1024', 'storage 400/1000: buffer 1=1000'],
    ['texture 32/1024: texture 1=1024'],
  ]);
});

test('leaves of several actions: objects once, touched bytes summed', async () => {
  const b = target(builder(), 1, 'RGBA8', 4, 4)
    .frame()
    .call('glClear', 0x4000)
    .call('glClear', 0x4000)
    .call('glBindFramebuffer', FRAMEBUFFER, 0)
    .call('glClear', 0x4000);
  const passes = (await leavesOf(b.capture(), 'pass')).map(show);
  assert.deepEqual(passes, [['target 128/64: texture 1=64'], ['target 128/128: canvas color=128']]);
  const [frame] = (await leavesOf(b.capture(), 'frame')).map(show);
  assert.deepEqual(frame, ['target 256/192: texture 1=64, canvas color=128']);
});

test('the canvas has another size after a resize; frames before count', async () => {
  const b = builder().frame().call('gpuprofCanvasSize', 10, 10).frame().call('glClear', 0x4000);
  assert.deepEqual(await lines(b), [['target 400/400: canvas color=400']]);
});
