import type { GlContext } from '../context.ts';
import type { Core } from './core.ts';
import { deriveMethod } from './derived.ts';
import { canDraw } from './draws.ts';
import { idOf, type WebGLQuery } from './objects.ts';

type Methods = Record<string, (...args: never[]) => unknown>;

interface Extension {
  /** GL extensions and versions of which one brings it; empty when it needs nothing. */
  readonly from: string;
  readonly constants?: Readonly<Record<string, number>>;
  readonly methods?: (core: Core) => Methods;
}

/** Methods that are one GL command each. */
const derived =
  (...names: readonly string[]) =>
  (core: Core): Methods =>
    Object.fromEntries(names.map((name) => [name, deriveMethod(core, `gl${name[0].toUpperCase()}${name.slice(1)}`)]));

/** COMPRESSED_* constants by name and first value, counting up. */
const counting = (first: number, names: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, first + index]));

const astcBlocks = [
  '4x4',
  '5x4',
  '5x5',
  '6x5',
  '6x6',
  '8x5',
  '8x6',
  '8x8',
  '10x5',
  '10x6',
  '10x8',
  '10x10',
  '12x10',
  '12x12',
];

/** Group markers; passed to KHR_debug where there is one, so that native tools see them too. */
function markers(core: Core): Methods {
  const GL_DEBUG_SOURCE_APPLICATION = 0x824a;
  const GL_DEBUG_TYPE_MARKER = 0x8268;
  const GL_DEBUG_SEVERITY_NOTIFICATION = 0x826b;
  const { context } = core;
  const push = context.find('glPushDebugGroup');
  const pop = context.find('glPopDebugGroup');
  const insert = context.find('glDebugMessageInsert');
  // GL promises room for 64 groups; deeper ones are only the program's.
  const nativeDepth = 60;
  let depth = 0;
  return {
    pushGroupMarkerEXT(name: string) {
      if (depth++ < nativeDepth) push?.(GL_DEBUG_SOURCE_APPLICATION, 0, -1, core.text(String(name).slice(0, 1000)));
    },
    popGroupMarkerEXT() {
      if (depth === 0) return;
      if (--depth < nativeDepth) pop?.();
    },
    insertEventMarkerEXT(name: string) {
      const text = core.text(String(name).slice(0, 1000));
      insert?.(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 0, GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
    },
  };
}

type List = ArrayLike<number>;

/** Several draws in one call. Drawn one by one: no GL here has all four natively, and gl_DrawID is not offered by any. */
function multiDraw(core: Core): Methods {
  const { gl } = core;
  return {
    multiDrawArraysWEBGL(mode: number, firsts: List, f: number, counts: List, n: number, draws: number) {
      if (!canDraw(core, false)) return;
      for (let i = 0; i < draws; i++) gl.glDrawArrays(mode, firsts[f + i], counts[n + i]);
    },
    multiDrawElementsWEBGL(
      mode: number,
      counts: List,
      n: number,
      type: number,
      offsets: List,
      o: number,
      draws: number,
    ) {
      if (!canDraw(core, true)) return;
      for (let i = 0; i < draws; i++) gl.glDrawElements(mode, counts[n + i], type, offsets[o + i]);
    },
    multiDrawArraysInstancedWEBGL(
      mode: number,
      firsts: List,
      f: number,
      counts: List,
      n: number,
      instances: List,
      k: number,
      draws: number,
    ) {
      if (!canDraw(core, false)) return;
      for (let i = 0; i < draws; i++) gl.glDrawArraysInstanced(mode, firsts[f + i], counts[n + i], instances[k + i]);
    },
    multiDrawElementsInstancedWEBGL(
      mode: number,
      counts: List,
      n: number,
      type: number,
      offsets: List,
      o: number,
      instances: List,
      k: number,
      draws: number,
    ) {
      if (!canDraw(core, true)) return;
      for (let i = 0; i < draws; i++)
        gl.glDrawElementsInstanced(mode, counts[n + i], type, offsets[o + i], instances[k + i]);
    },
  };
}

/** WebGL 2's extensions by what brings them; sources: the Khronos WebGL extension registry. */
const extensions: Readonly<Record<string, Extension>> = {
  EXT_clip_control: {
    from: 'GL_EXT_clip_control gl4.5',
    constants: {
      LOWER_LEFT_EXT: 0x8ca1,
      UPPER_LEFT_EXT: 0x8ca2,
      NEGATIVE_ONE_TO_ONE_EXT: 0x935e,
      ZERO_TO_ONE_EXT: 0x935f,
      CLIP_ORIGIN_EXT: 0x935c,
      CLIP_DEPTH_MODE_EXT: 0x935d,
    },
    methods: derived('clipControlEXT'),
  },
  EXT_color_buffer_float: { from: 'GL_EXT_color_buffer_float gl3.0' },
  EXT_color_buffer_half_float: {
    from: 'GL_EXT_color_buffer_half_float gl3.0',
    constants: {
      RGBA16F_EXT: 0x881a,
      RGB16F_EXT: 0x881b,
      FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT: 0x8211,
      UNSIGNED_NORMALIZED_EXT: 0x8c17,
    },
  },
  EXT_debug_marker: { from: '', methods: markers },
  EXT_depth_clamp: { from: 'GL_EXT_depth_clamp gl3.2', constants: { DEPTH_CLAMP_EXT: 0x864f } },
  EXT_disjoint_timer_query_webgl2: {
    from: 'GL_EXT_disjoint_timer_query gl3.3',
    constants: {
      QUERY_COUNTER_BITS_EXT: 0x8864,
      TIME_ELAPSED_EXT: 0x88bf,
      TIMESTAMP_EXT: 0x8e28,
      GPU_DISJOINT_EXT: 0x8fbb,
    },
    methods: (core) => ({
      queryCounterEXT: (query: WebGLQuery, target: number) => core.gl.glQueryCounter(idOf(query), target),
    }),
  },
  EXT_float_blend: { from: 'GL_EXT_float_blend gl3.0' },
  EXT_polygon_offset_clamp: {
    from: 'GL_EXT_polygon_offset_clamp gl4.6',
    constants: { POLYGON_OFFSET_CLAMP_EXT: 0x8e1b },
    methods: derived('polygonOffsetClampEXT'),
  },
  EXT_render_snorm: { from: 'GL_EXT_render_snorm gl4.4' },
  EXT_texture_compression_bptc: {
    from: 'GL_EXT_texture_compression_bptc GL_ARB_texture_compression_bptc gl4.2',
    constants: counting(0x8e8c, [
      'COMPRESSED_RGBA_BPTC_UNORM_EXT',
      'COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT',
      'COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT',
      'COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT',
    ]),
  },
  EXT_texture_compression_rgtc: {
    from: 'GL_EXT_texture_compression_rgtc gl3.0',
    constants: counting(0x8dbb, [
      'COMPRESSED_RED_RGTC1_EXT',
      'COMPRESSED_SIGNED_RED_RGTC1_EXT',
      'COMPRESSED_RED_GREEN_RGTC2_EXT',
      'COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT',
    ]),
  },
  EXT_texture_filter_anisotropic: {
    from: 'GL_EXT_texture_filter_anisotropic gl4.6',
    constants: { TEXTURE_MAX_ANISOTROPY_EXT: 0x84fe, MAX_TEXTURE_MAX_ANISOTROPY_EXT: 0x84ff },
  },
  EXT_texture_mirror_clamp_to_edge: {
    from: 'GL_EXT_texture_mirror_clamp_to_edge gl4.4',
    constants: { MIRROR_CLAMP_TO_EDGE_EXT: 0x8743 },
  },
  EXT_texture_norm16: {
    from: 'GL_EXT_texture_norm16 gl3.1',
    constants: {
      R16_EXT: 0x822a,
      RG16_EXT: 0x822c,
      RGB16_EXT: 0x8054,
      RGBA16_EXT: 0x805b,
      R16_SNORM_EXT: 0x8f98,
      RG16_SNORM_EXT: 0x8f99,
      RGB16_SNORM_EXT: 0x8f9a,
      RGBA16_SNORM_EXT: 0x8f9b,
    },
  },
  KHR_parallel_shader_compile: {
    from: 'GL_KHR_parallel_shader_compile',
    constants: { COMPLETION_STATUS_KHR: 0x91b1 },
  },
  OES_draw_buffers_indexed: {
    from: 'GL_OES_draw_buffers_indexed GL_EXT_draw_buffers_indexed es3.2 gl4.0',
    methods: derived(
      'blendEquationSeparateiOES',
      'blendEquationiOES',
      'blendFuncSeparateiOES',
      'blendFunciOES',
      'colorMaskiOES',
      'disableiOES',
      'enableiOES',
    ),
  },
  OES_texture_float_linear: { from: 'GL_OES_texture_float_linear gl3.0' },
  WEBGL_clip_cull_distance: {
    from: 'GL_EXT_clip_cull_distance GL_ANGLE_clip_cull_distance gl4.5',
    constants: {
      MAX_CLIP_DISTANCES_WEBGL: 0x0d32,
      MAX_CULL_DISTANCES_WEBGL: 0x82f9,
      MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL: 0x82fa,
      ...counting(
        0x3000,
        Array.from({ length: 8 }, (_, index) => `CLIP_DISTANCE${index}_WEBGL`),
      ),
    },
  },
  WEBGL_compressed_texture_astc: {
    from: 'GL_KHR_texture_compression_astc_ldr es3.2',
    constants: {
      ...counting(
        0x93b0,
        astcBlocks.map((block) => `COMPRESSED_RGBA_ASTC_${block}_KHR`),
      ),
      ...counting(
        0x93d0,
        astcBlocks.map((block) => `COMPRESSED_SRGB8_ALPHA8_ASTC_${block}_KHR`),
      ),
    },
    methods: (core) => ({
      getSupportedProfiles: () =>
        core.context.extensions.has('GL_KHR_texture_compression_astc_hdr') ? ['ldr', 'hdr'] : ['ldr'],
    }),
  },
  WEBGL_compressed_texture_etc: {
    from: 'es3.0 GL_ARB_ES3_compatibility',
    constants: counting(0x9270, [
      'COMPRESSED_R11_EAC',
      'COMPRESSED_SIGNED_R11_EAC',
      'COMPRESSED_RG11_EAC',
      'COMPRESSED_SIGNED_RG11_EAC',
      'COMPRESSED_RGB8_ETC2',
      'COMPRESSED_SRGB8_ETC2',
      'COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2',
      'COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2',
      'COMPRESSED_RGBA8_ETC2_EAC',
      'COMPRESSED_SRGB8_ALPHA8_ETC2_EAC',
    ]),
  },
  WEBGL_compressed_texture_s3tc: {
    from: 'GL_EXT_texture_compression_s3tc',
    constants: counting(0x83f0, [
      'COMPRESSED_RGB_S3TC_DXT1_EXT',
      'COMPRESSED_RGBA_S3TC_DXT1_EXT',
      'COMPRESSED_RGBA_S3TC_DXT3_EXT',
      'COMPRESSED_RGBA_S3TC_DXT5_EXT',
    ]),
  },
  WEBGL_compressed_texture_s3tc_srgb: {
    from: 'GL_EXT_texture_compression_s3tc_srgb GL_EXT_texture_sRGB',
    constants: counting(0x8c4c, [
      'COMPRESSED_SRGB_S3TC_DXT1_EXT',
      'COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT',
      'COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT',
      'COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT',
    ]),
  },
  WEBGL_debug_renderer_info: {
    from: '',
    constants: { UNMASKED_VENDOR_WEBGL: 0x9245, UNMASKED_RENDERER_WEBGL: 0x9246 },
  },
  WEBGL_multi_draw: { from: '', methods: multiDraw },
  WEBGL_provoking_vertex: {
    from: 'GL_ANGLE_provoking_vertex gl3.2',
    constants: {
      FIRST_VERTEX_CONVENTION_WEBGL: 0x8e4d,
      LAST_VERTEX_CONVENTION_WEBGL: 0x8e4e,
      PROVOKING_VERTEX_WEBGL: 0x8e4f,
    },
    methods: (core) => ({ provokingVertexWEBGL: (mode: number) => core.gl.glProvokingVertex(mode) }),
  },
  WEBGL_stencil_texturing: {
    from: 'es3.1 gl4.3 GL_ANGLE_stencil_texturing',
    constants: { DEPTH_STENCIL_TEXTURE_MODE_WEBGL: 0x90ea, STENCIL_INDEX_WEBGL: 0x1901 },
  },
};

function brought(context: GlContext, from: string): boolean {
  return (
    from === '' ||
    from.split(' ').some((provider) => {
      const version = /^(gl|es)(\d)\.(\d)$/.exec(provider);
      if (!version) return context.extensions.has(provider);
      return version[1] === context.api && context.atLeast(Number(version[2]), Number(version[3]));
    })
  );
}

/** getExtension and getSupportedExtensions: what WebGL 2 has and this context brings. */
export function extensionMethods(core: Core) {
  const supported = Object.keys(extensions).filter((name) => brought(core.context, extensions[name].from));
  const made = new Map<string, object>();
  return {
    getSupportedExtensions: (): string[] => [...supported],
    /** Names are matched without regard to case; the same object each time. */
    getExtension(name: string): unknown {
      const known = supported.find((candidate) => candidate.toLowerCase() === String(name).toLowerCase());
      if (!known) return null;
      const present = made.get(known);
      if (present) return present;
      const { constants, methods } = extensions[known];
      const extension = { ...constants, ...methods?.(core) };
      made.set(known, extension);
      return extension;
    },
  };
}
