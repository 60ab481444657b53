import { constants as c } from './constants.ts';
import type { HandleClass } from './objects.ts';

/** How getParameter returns a value; plain `int` is what no list names. */
export type Kind =
  | 'int'
  | 'uint'
  | 'long'
  | 'float'
  | 'bool'
  | 'string'
  | 'ints2'
  | 'ints4'
  | 'floats2'
  | 'floats4'
  | 'bools4'
  | HandleClass;

const kinds: Partial<Record<Kind, readonly number[]>> = {
  float: [
    c.DEPTH_CLEAR_VALUE,
    c.LINE_WIDTH,
    c.MAX_TEXTURE_LOD_BIAS,
    c.POLYGON_OFFSET_FACTOR,
    c.POLYGON_OFFSET_UNITS,
    c.SAMPLE_COVERAGE_VALUE,
    // MAX_TEXTURE_MAX_ANISOTROPY_EXT and POLYGON_OFFSET_CLAMP_EXT
    0x84ff,
    0x8e1b,
  ],
  uint: [c.STENCIL_VALUE_MASK, c.STENCIL_WRITEMASK, c.STENCIL_BACK_VALUE_MASK, c.STENCIL_BACK_WRITEMASK],
  long: [
    c.MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS,
    c.MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS,
    c.MAX_ELEMENT_INDEX,
    c.MAX_SERVER_WAIT_TIMEOUT,
    c.MAX_UNIFORM_BLOCK_SIZE,
    // TIMESTAMP_EXT
    0x8e28,
  ],
  bool: [
    c.BLEND,
    c.CULL_FACE,
    c.DEPTH_TEST,
    c.DEPTH_WRITEMASK,
    c.DITHER,
    c.POLYGON_OFFSET_FILL,
    c.RASTERIZER_DISCARD,
    c.SAMPLE_ALPHA_TO_COVERAGE,
    c.SAMPLE_COVERAGE,
    c.SAMPLE_COVERAGE_INVERT,
    c.SCISSOR_TEST,
    c.STENCIL_TEST,
    c.TRANSFORM_FEEDBACK_ACTIVE,
    c.TRANSFORM_FEEDBACK_PAUSED,
    // GPU_DISJOINT_EXT
    0x8fbb,
  ],
  string: [
    c.RENDERER,
    c.SHADING_LANGUAGE_VERSION,
    c.VENDOR,
    c.VERSION,
    // UNMASKED_VENDOR_WEBGL and UNMASKED_RENDERER_WEBGL
    0x9245,
    0x9246,
  ],
  ints2: [c.MAX_VIEWPORT_DIMS],
  ints4: [c.SCISSOR_BOX, c.VIEWPORT],
  floats2: [c.ALIASED_LINE_WIDTH_RANGE, c.ALIASED_POINT_SIZE_RANGE, c.DEPTH_RANGE],
  floats4: [c.BLEND_COLOR, c.COLOR_CLEAR_VALUE],
  bools4: [c.COLOR_WRITEMASK],
  buffer: [
    c.ARRAY_BUFFER_BINDING,
    c.COPY_READ_BUFFER_BINDING,
    c.COPY_WRITE_BUFFER_BINDING,
    c.ELEMENT_ARRAY_BUFFER_BINDING,
    c.PIXEL_PACK_BUFFER_BINDING,
    c.PIXEL_UNPACK_BUFFER_BINDING,
    c.TRANSFORM_FEEDBACK_BUFFER_BINDING,
    c.UNIFORM_BUFFER_BINDING,
  ],
  framebuffer: [c.DRAW_FRAMEBUFFER_BINDING, c.READ_FRAMEBUFFER_BINDING],
  program: [c.CURRENT_PROGRAM],
  renderbuffer: [c.RENDERBUFFER_BINDING],
  sampler: [c.SAMPLER_BINDING],
  texture: [c.TEXTURE_BINDING_2D, c.TEXTURE_BINDING_2D_ARRAY, c.TEXTURE_BINDING_3D, c.TEXTURE_BINDING_CUBE_MAP],
  transformFeedback: [c.TRANSFORM_FEEDBACK_BINDING],
  vertexArray: [c.VERTEX_ARRAY_BINDING],
};

export const kindOf = new Map<number, Kind>();
for (const [kind, names] of Object.entries(kinds) as [Kind, readonly number[]][])
  for (const name of names) kindOf.set(name, kind);
