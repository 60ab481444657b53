import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { enumValue } from '../gl/enums.ts';
import type { Manifest } from '../model/capture.ts';
import { baseName } from '../model/gl-constants.ts';
import { handlerFor } from './handlers/index.ts';
import { skippedHandler } from './handlers/skipped.ts';

/** ES extensions whose content every desktop GL 4.3 has, so that their name need not be there. */
const inDesktopGl =
  /^GL_(OES_(element_index_uint|texture_(float|half_float)(_linear)?|standard_derivatives|vertex_array_object|depth_texture|packed_depth_stencil|rgb8_rgba8|draw_buffers_indexed|depth24|fbo_render_mipmap|texture_3D|texture_npot)|EXT_(color_buffer_(float|half_float)|blend_minmax|sRGB|frag_depth|draw_buffers|shader_texture_lod|float_blend|draw_buffers_indexed|texture_norm16|disjoint_timer_query|render_snorm|clip_control|polygon_offset_clamp)|ANGLE_(instanced_arrays|depth_texture)|EXT_texture_filter_anisotropic|KHR_parallel_shader_compile|ANGLE_multi_draw)$/;
/** Extensions that OpenGL ES took into its core, by the version that did. */
const inEs3 =
  /^GL_(OES_(element_index_uint|standard_derivatives|vertex_array_object|depth_texture|packed_depth_stencil|rgb8_rgba8|texture_half_float(_linear)?|depth24|fbo_render_mipmap|texture_3D|texture_npot)|EXT_(blend_minmax|sRGB|frag_depth|draw_buffers|shader_texture_lod|disjoint_timer_query|float_blend)|ANGLE_(instanced_arrays|depth_texture)|KHR_parallel_shader_compile)$/;

function has(context: GlContext, extension: string): boolean {
  if (context.extensions.has(extension)) return true;
  if (context.api === 'gl') return inDesktopGl.test(extension);
  return context.atLeast(3, 0) && inEs3.test(extension);
}

function lacking(context: GlContext, what: string): GpuprofError {
  return new GpuprofError(
    'missing-feature',
    `the capture needs ${what}; ${context.renderer} (${context.versionText}) lacks it`,
    {
      hint: 'try another --driver or --api; `gpuprof doctor` shows what there is',
    },
  );
}

/**
 * Throws GpuprofError `missing-feature` that names the version, extension, limit or command a capture needs and the
 * context lacks; nothing has been played by then.
 */
export function checkRequirements(context: GlContext, manifest: Manifest): void {
  const [major, minor] = manifest.apiVersion;
  if (manifest.api === 'gl') {
    if (context.api !== 'gl') throw lacking(context, `desktop OpenGL ${major}.${minor}`);
    if (!context.atLeast(major, minor)) throw lacking(context, `OpenGL ${major}.${minor}`);
  } else if (context.api === 'es') {
    if (!context.atLeast(Math.max(3, major), minor)) throw lacking(context, `OpenGL ES ${Math.max(3, major)}.${minor}`);
  } else if (!context.atLeast(4, 3)) throw lacking(context, 'OpenGL 4.3 (for ES shaders)');
  for (const extension of manifest.requires.extensions)
    if (!has(context, extension)) throw lacking(context, `the extension ${extension}`);
  for (const [name, least] of Object.entries(manifest.requires.limits)) {
    const value = enumValue(name);
    if (value === undefined)
      throw new GpuprofError('bad-capture', `the capture has a limit that GL does not know: ${name}`);
    context.scratch.i32[0] = 0;
    const available = context.integer(value);
    context.gl.glGetError();
    if (available < least) throw lacking(context, `${name} of ${least} (here ${available})`);
  }
  for (const { name } of manifest.signatures) {
    const base = baseName(name);
    const called = !base.startsWith('gpuprof') && !skippedHandler(base) && !handlerFor(base);
    if (called && context.find(name) === undefined) throw lacking(context, name);
  }
}
