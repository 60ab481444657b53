import { GpuprofError } from '../../errors.ts';
import { signatureOf } from '../../gl/command-table.ts';
import type { GlContext } from '../../gl/context.ts';
import { enumValue } from '../../gl/enums.ts';
import type { Manifest } from '../../model/capture.ts';
import { baseName } from '../../model/gl-constants.ts';
import { handlerFor } from '../handlers/index.ts';
import { skippedHandler } from '../handlers/skipped.ts';
import { inCore } from './core-extensions.ts';

/** Extensions that bring at least the same under another name. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  GL_EXT_color_buffer_half_float: ['GL_EXT_color_buffer_float'],
  GL_EXT_clip_cull_distance: ['GL_ANGLE_clip_cull_distance', 'GL_APPLE_clip_distance'],
  GL_OES_draw_buffers_indexed: ['GL_EXT_draw_buffers_indexed'],
  GL_ANGLE_polygon_mode: ['GL_NV_polygon_mode', 'GL_EXT_polygon_mode'],
  GL_ANGLE_provoking_vertex: ['GL_EXT_provoking_vertex'],
  GL_ANGLE_base_vertex_base_instance: ['GL_EXT_base_instance'],
  GL_EXT_depth_clamp: ['GL_ARB_depth_clamp'],
  GL_EXT_texture_filter_anisotropic: ['GL_ARB_texture_filter_anisotropic'],
  GL_EXT_texture_mirror_clamp_to_edge: ['GL_ARB_texture_mirror_clamp_to_edge'],
  GL_EXT_texture_compression_s3tc_srgb: ['GL_EXT_texture_sRGB'],
  GL_EXT_texture_compression_s3tc: ['GL_ANGLE_texture_compression_dxt5'],
  GL_EXT_texture_compression_bptc: ['GL_ARB_texture_compression_bptc'],
  GL_EXT_texture_compression_rgtc: ['GL_ARB_texture_compression_rgtc'],
};

/** Multi-draws are replayed one by one where a driver lacks them (handlers/multi-draws.ts). */
function has(context: GlContext, extension: string): boolean {
  if (context.extensions.has(extension) || extension === 'GL_ANGLE_multi_draw') return true;
  if (sameAs[extension]?.some((other) => context.extensions.has(other))) return true;
  const core = inCore(extension);
  const least = context.api === 'gl' ? core?.gl : core?.es;
  return least !== undefined && context.atLeast(least[0], least[1]);
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
    if (!signatureOf(name)) throw new GpuprofError('bad-capture', `the capture calls ${name}, which is no GL command`);
    const base = baseName(name);
    const called = !base.startsWith('gpuprof') && !skippedHandler(base) && !handlerFor(base);
    if (called && context.find(name) === undefined) throw lacking(context, name);
  }
}
