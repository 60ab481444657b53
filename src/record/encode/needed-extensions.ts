/** Which extension of OpenGL ES 3.0 brings a command, a parameter or a format. Source: the Khronos registry. */
import type { Argument } from '../../model/call.ts';

/** Formats an extension brings, first to last; ETC2 is part of ES 3.0. */
const formats: readonly (readonly [extension: string, first: number, last: number])[] = [
  ['GL_EXT_texture_compression_s3tc', 0x83f0, 0x83f3],
  ['GL_EXT_texture_compression_s3tc_srgb', 0x8c4c, 0x8c4f],
  ['GL_EXT_texture_compression_rgtc', 0x8dbb, 0x8dbe],
  ['GL_EXT_texture_compression_bptc', 0x8e8c, 0x8e8f],
  ['GL_OES_compressed_ETC1_RGB8_texture', 0x8d64, 0x8d64],
  ['GL_IMG_texture_compression_pvrtc', 0x8c00, 0x8c03],
  ['GL_KHR_texture_compression_astc_ldr', 0x93b0, 0x93bd],
  ['GL_KHR_texture_compression_astc_ldr', 0x93d0, 0x93dd],
  ['GL_EXT_texture_norm16', 0x822a, 0x822a],
  ['GL_EXT_texture_norm16', 0x822c, 0x822c],
  ['GL_EXT_texture_norm16', 0x8054, 0x8054],
  ['GL_EXT_texture_norm16', 0x805b, 0x805b],
  ['GL_EXT_texture_norm16', 0x8f98, 0x8f9b],
];

export function extensionOfFormat(format: number): string | undefined {
  return formats.find(([, first, last]) => format >= first && format <= last)?.[0];
}

/** R16F RG16F RGB16F RGBA16F; R32F RG32F RGB32F RGBA32F; R11F_G11F_B10F counts as what brings it, the 32-bit floats. */
const halfFormats: ReadonlySet<number> = new Set([0x822d, 0x822f, 0x881b, 0x881a]);
const floatFormats: ReadonlySet<number> = new Set([0x822e, 0x8230, 0x8815, 0x8814]);
const R11F_G11F_B10F = 0x8c3a;
const FLOAT = 0x1406;
const HALF_FLOAT_OES = 0x8d61;
/** RGBA, RGB, ALPHA, LUMINANCE, LUMINANCE_ALPHA: their type decides. */
const unsized: ReadonlySet<number> = new Set([0x1908, 0x1907, 0x1906, 0x1909, 0x190a]);

/** Bits of the floats in an image: 16, 32, 11 for packed ones, undefined when it holds none. */
export function floatBits(internalFormat: number, type: number): 11 | 16 | 32 | undefined {
  if (halfFormats.has(internalFormat)) return 16;
  if (floatFormats.has(internalFormat)) return 32;
  if (internalFormat === R11F_G11F_B10F) return 11;
  if (!unsized.has(internalFormat)) return undefined;
  return type === FLOAT ? 32 : type === HALF_FLOAT_OES ? 16 : undefined;
}

/** What an extension must bring before images of these formats can be drawn into, first to last. */
const renderable: readonly (readonly [extension: string, first: number, last: number])[] = [
  ['GL_EXT_render_snorm', 0x8f94, 0x8f9b],
  ['GL_QCOM_render_shared_exponent', 0x8c3d, 0x8c3d],
];

/** The extension that lets an image be drawn into; undefined for what core can. */
export function extensionOfTarget(internalFormat: number, type: number): string | undefined {
  const bits = floatBits(internalFormat, type);
  if (bits) return bits === 16 ? 'GL_EXT_color_buffer_half_float' : 'GL_EXT_color_buffer_float';
  return renderable.find(([, first, last]) => internalFormat >= first && internalFormat <= last)?.[0];
}

const TEXTURE_MAX_ANISOTROPY = 0x84fe;
const MIRROR_CLAMP_TO_EDGE = 0x8743;
const CLIP_DISTANCE0 = 0x3000;
const CLIP_DISTANCE7 = 0x3007;
const DEPTH_CLAMP = 0x864f;
const POLYGON_OFFSET_LINE = 0x2a02;
const DEPTH_STENCIL_TEXTURE_MODE = 0x90ea;
/** SRC1_ALPHA SRC1_COLOR ONE_MINUS_SRC1_COLOR ONE_MINUS_SRC1_ALPHA: blending with a shader's second output. */
const secondSource: ReadonlySet<number> = new Set([0x8589, 0x88f9, 0x88fa, 0x88fb]);

const commands: readonly (readonly [name: RegExp, extension: string])[] = [
  [/^MultiDraw(Arrays|Elements)(Instanced)?$/, 'GL_ANGLE_multi_draw'],
  [/^(Multi)?Draw\w+BaseInstance$/, 'GL_ANGLE_base_vertex_base_instance'],
  [/^(Enable|Disable|Blend\w+|ColorMask)i$/, 'GL_OES_draw_buffers_indexed'],
  [/^PolygonOffsetClamp$/, 'GL_EXT_polygon_offset_clamp'],
  [/^ClipControl$/, 'GL_EXT_clip_control'],
  [/^ProvokingVertex$/, 'GL_ANGLE_provoking_vertex'],
  [/^PolygonMode$/, 'GL_ANGLE_polygon_mode'],
];

/** The extension that brings a command (by its base name) or what it sets; undefined for what core has. */
export function extensionOfCommand(name: string, args: readonly Argument[]): string | undefined {
  if (name === 'Enable') {
    const capability = Number(args[0]);
    if (capability >= CLIP_DISTANCE0 && capability <= CLIP_DISTANCE7) return 'GL_EXT_clip_cull_distance';
    if (capability === POLYGON_OFFSET_LINE) return 'GL_ANGLE_polygon_mode';
    return capability === DEPTH_CLAMP ? 'GL_EXT_depth_clamp' : undefined;
  }
  if (/^(Tex|Sampler)Parameter[if]$/.test(name)) {
    if (Number(args[1]) === TEXTURE_MAX_ANISOTROPY && Number(args[2]) > 1) return 'GL_EXT_texture_filter_anisotropic';
    if (Number(args[1]) === DEPTH_STENCIL_TEXTURE_MODE) return 'GL_ANGLE_stencil_texturing';
    return Number(args[2]) === MIRROR_CLAMP_TO_EDGE ? 'GL_EXT_texture_mirror_clamp_to_edge' : undefined;
  }
  if (/^BlendFunc(Separate)?$/.test(name) && args.some((factor) => secondSource.has(Number(factor))))
    return 'GL_EXT_blend_func_extended';
  return commands.find(([pattern]) => pattern.test(name))?.[1];
}
