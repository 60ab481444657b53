import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { checkRequirements } from '../../src/replay/checks/requirements.ts';
import { CaptureBuilder } from './memory-capture.ts';

const contexts = {
  es: await openContext('egl', { api: 'es' }),
  gl: await openContext('egl', { api: 'gl' }),
  angle: await openContext('headless-gl', { api: 'es' }),
};
after(() => {
  for (const context of Object.values(contexts)) context.destroy();
});

function check(api: keyof typeof contexts, extensions: string[], limits: Record<string, number> = {}): void {
  contexts[api].makeCurrent();
  checkRequirements(contexts[api], new CaptureBuilder({ requires: { extensions, limits } }).frame().capture().manifest);
}

/** What the recorder may ask for and every context here can do. */
const everywhere = [
  'GL_EXT_color_buffer_float',
  'GL_EXT_color_buffer_half_float',
  'GL_OES_texture_float_linear',
  'GL_EXT_texture_filter_anisotropic',
  'GL_ANGLE_multi_draw',
  'GL_EXT_texture_norm16',
  'GL_OES_draw_buffers_indexed',
  'GL_EXT_polygon_offset_clamp',
  'GL_EXT_depth_clamp',
  'GL_EXT_clip_cull_distance',
  'GL_EXT_clip_control',
  'GL_EXT_texture_compression_s3tc',
];
for (const api of ['es', 'gl', 'angle'] as const)
  test(`${api}: what it can do under whatever name satisfies a capture`, () => {
    for (const extension of everywhere) assert.doesNotThrow(() => check(api, [extension]), extension);
  });

test('what a context lacks is named, a limit with its value', () => {
  assert.throws(() => check('es', ['GL_ANGLE_provoking_vertex']), {
    code: 'missing-feature',
    message: /the extension GL_ANGLE_provoking_vertex; .* lacks it/,
  });
  assert.doesNotThrow(() => check('gl', ['GL_ANGLE_provoking_vertex', 'GL_ANGLE_polygon_mode']));
  assert.throws(() => check('gl', ['GL_IMG_texture_compression_pvrtc']), { code: 'missing-feature' });
  contexts.es.makeCurrent();
  const layers = contexts.es.integer(0x88ff);
  assert.doesNotThrow(() => check('es', [], { GL_MAX_ARRAY_TEXTURE_LAYERS: layers }));
  assert.throws(() => check('es', [], { GL_MAX_ARRAY_TEXTURE_LAYERS: layers + 1 }), {
    code: 'missing-feature',
    message: new RegExp(`GL_MAX_ARRAY_TEXTURE_LAYERS of ${layers + 1} \\(here ${layers}\\)`),
  });
});
