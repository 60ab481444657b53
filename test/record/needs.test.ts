import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import { Needs } from '../../src/record/encode/needs.ts';

type Line = readonly [name: string, ...args: Argument[]];

function needs(...calls: readonly Line[]) {
  const all = new Needs();
  for (const [name, ...args] of calls) {
    const signature = signatureOf(name);
    assert.equal(args.length, signature?.params.length, name);
    all.observe({ signature: signature!, args, result: 0 });
  }
  return all.requires();
}
const texture = (format: number, width = 4): Line[] => [
  ['glBindTexture', 0x0de1, 1],
  ['glTexStorage2D', 0x0de1, 1, format, width, 4],
];
const attach: Line[] = [
  ['glBindFramebuffer', 0x8d40, 1],
  ['glFramebufferTexture2D', 0x8d40, 0x8ce1, 0x0de1, 1, 0],
];
const mag = (value: number): Line => ['glTexParameteri', 0x0de1, 0x2800, value];
const min = (value: number): Line => ['glTexParameteri', 0x0de1, 0x2801, value];
const empty = { kind: 'inline', bytes: new Uint8Array(8) } as const;

const cases: readonly (readonly [string, readonly Line[], readonly string[]])[] = [
  ['a float texture by itself', texture(0x8814), []],
  ['a float target', [...texture(0x8814), ...attach], ['GL_EXT_color_buffer_float']],
  ['a packed float target', [...texture(0x8c3a), ...attach], ['GL_EXT_color_buffer_float']],
  ['a half float target', [...texture(0x881a), ...attach], ['GL_EXT_color_buffer_half_float']],
  ['an 8-bit target', [...texture(0x8058), ...attach], []],
  [
    'a WebGL 1 float target',
    [['glBindTexture', 0x0de1, 1], ['glTexImage2D', 0x0de1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1406, null], ...attach],
    ['GL_EXT_color_buffer_float'],
  ],
  ['a float renderbuffer', [['glRenderbufferStorage', 0x8d41, 0x8814, 4, 4]], ['GL_EXT_color_buffer_float']],
  ['filtered floats', [...texture(0x8814), min(0x2601)], ['GL_OES_texture_float_linear']],
  ['floats without a filter', [...texture(0x8814), min(0x2600), mag(0x2600)], []],
  ['filtered half floats', [...texture(0x881a), min(0x2601), mag(0x2601)], []],
  ['S3TC', texture(0x83f3), ['GL_EXT_texture_compression_s3tc']],
  ['ETC2', texture(0x9274), []],
  ['norm16', texture(0x805b), ['GL_EXT_texture_norm16']],
  ['anisotropy', [['glTexParameterf', 0x0de1, 0x84fe, 8]], ['GL_EXT_texture_filter_anisotropic']],
  ['anisotropy of 1', [['glSamplerParameterf', 1, 0x84fe, 1]], []],
  ['multi-draw', [['glMultiDrawArraysANGLE', 4, empty, empty, 2]], ['GL_ANGLE_multi_draw']],
  [
    'base instance',
    [['glDrawArraysInstancedBaseInstanceANGLE', 4, 0, 3, 1, 1]],
    ['GL_ANGLE_base_vertex_base_instance'],
  ],
  ['a clip distance', [['glEnable', 0x3001]], ['GL_EXT_clip_cull_distance']],
  ['depth clamp', [['glEnable', 0x864f]], ['GL_EXT_depth_clamp']],
  ['blending by buffer', [['glBlendFunci', 1, 1, 1]], ['GL_OES_draw_buffers_indexed']],
  [
    'many base instances',
    [['glMultiDrawArraysInstancedBaseInstanceANGLE', 4, empty, empty, empty, empty, 2]],
    ['GL_ANGLE_base_vertex_base_instance'],
  ],
  ['a signed target', [...texture(0x8f97), ...attach], ['GL_EXT_render_snorm']],
  ['a shared exponent', texture(0x8c3d), []],
  ['a shared exponent target', [...texture(0x8c3d), ...attach], ['GL_QCOM_render_shared_exponent']],
  ['a stencil that is sampled', [['glTexParameteri', 0x0de1, 0x90ea, 0x1901]], ['GL_ANGLE_stencil_texturing']],
  ['a second source', [['glBlendFunc', 1, 0x88f9]], ['GL_EXT_blend_func_extended']],
  ['lines with an offset', [['glEnable', 0x2a02]], ['GL_ANGLE_polygon_mode']],
  ['clip control', [['glClipControl', 0x8ca2, 0x935f]], ['GL_EXT_clip_control']],
];
for (const [name, calls, extensions] of cases)
  test(`needs of ${name}`, () => assert.deepEqual(needs(...calls).extensions, extensions));

test('limits are those the calls reach', () => {
  const { limits } = needs(
    ...texture(0x8058, 3000),
    ['glActiveTexture', 0x84c0 + 9],
    ['glBindTexture', 0x806f, 2],
    ['glTexStorage3D', 0x806f, 1, 0x8058, 5, 6, 70],
    ['glBindTexture', 0x8c1a, 3],
    ['glTexStorage3D', 0x8c1a, 1, 0x8058, 5, 6, 40],
    ['glBindTexture', 0x8513, 4],
    ['glTexStorage2D', 0x8513, 1, 0x8058, 512, 512],
    ['glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 640, 480],
    ['glEnableVertexAttribArray', 5],
    ...attach,
    ['glDrawBuffers', 2, { kind: 'inline', bytes: new Uint8Array(8) }],
    ['glBindBufferBase', 0x8a11, 11, 1],
  );
  assert.deepEqual(limits, {
    GL_MAX_3D_TEXTURE_SIZE: 70,
    GL_MAX_ARRAY_TEXTURE_LAYERS: 40,
    GL_MAX_COLOR_ATTACHMENTS: 2,
    GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS: 10,
    GL_MAX_CUBE_MAP_TEXTURE_SIZE: 512,
    GL_MAX_DRAW_BUFFERS: 2,
    GL_MAX_RENDERBUFFER_SIZE: 640,
    GL_MAX_SAMPLES: 4,
    GL_MAX_TEXTURE_SIZE: 3000,
    GL_MAX_UNIFORM_BUFFER_BINDINGS: 12,
    GL_MAX_VERTEX_ATTRIBS: 6,
  });
});
