/** The GL enum values that the model itself reasons about (Khronos registry, gl.xml). */
export const GL = {
  COLOR_BUFFER_BIT: 0x4000,
  DEPTH_BUFFER_BIT: 0x100,
  STENCIL_BUFFER_BIT: 0x400,
  NONE: 0,
  BACK: 0x405,
  TEXTURE0: 0x84c0,
  TEXTURE_1D: 0xde0,
  TEXTURE_2D: 0xde1,
  TEXTURE_3D: 0x806f,
  TEXTURE_2D_MULTISAMPLE: 0x9100,
  TEXTURE_2D_MULTISAMPLE_ARRAY: 0x9102,
  TEXTURE_CUBE_MAP: 0x8513,
  TEXTURE_CUBE_MAP_POSITIVE_X: 0x8515,
  TEXTURE_CUBE_MAP_NEGATIVE_Z: 0x851a,
  ARRAY_BUFFER: 0x8892,
  ELEMENT_ARRAY_BUFFER: 0x8893,
  PIXEL_PACK_BUFFER: 0x88eb,
  PIXEL_UNPACK_BUFFER: 0x88ec,
  UNIFORM_BUFFER: 0x8a11,
  TRANSFORM_FEEDBACK_BUFFER: 0x8c8e,
  COPY_READ_BUFFER: 0x8f36,
  COPY_WRITE_BUFFER: 0x8f37,
  DRAW_INDIRECT_BUFFER: 0x8f3f,
  DISPATCH_INDIRECT_BUFFER: 0x90ee,
  SHADER_STORAGE_BUFFER: 0x90d2,
  ATOMIC_COUNTER_BUFFER: 0x92c0,
  QUERY_BUFFER: 0x9192,
  FRAMEBUFFER: 0x8d40,
  READ_FRAMEBUFFER: 0x8ca8,
  DRAW_FRAMEBUFFER: 0x8ca9,
  COLOR_ATTACHMENT0: 0x8ce0,
  COLOR_ATTACHMENT31: 0x8cff,
  DEPTH_ATTACHMENT: 0x8d00,
  STENCIL_ATTACHMENT: 0x8d20,
  DEPTH_STENCIL_ATTACHMENT: 0x821a,
  RENDERBUFFER: 0x8d41,
  COLOR: 0x1800,
  DEPTH: 0x1801,
  STENCIL: 0x1802,
  DEPTH_STENCIL: 0x84f9,
  READ_ONLY: 0x88b8,
  DEPTH_TEST: 0xb71,
  STENCIL_TEST: 0xb90,
  SCISSOR_TEST: 0xc11,
  RASTERIZER_DISCARD: 0x8c89,
  PRIMITIVE_RESTART: 0x8f9d,
  PRIMITIVE_RESTART_FIXED_INDEX: 0x8d69,
  TEXTURE_RECTANGLE: 0x84f5,
  TEXTURE_1D_ARRAY: 0x8c18,
  TEXTURE_2D_ARRAY: 0x8c1a,
  TEXTURE_CUBE_MAP_ARRAY: 0x9009,
  TEXTURE_BUFFER: 0x8c2a,
  TEXTURE_EXTERNAL: 0x8d65,
  TEXTURE_MIN_FILTER: 0x2801,
  TEXTURE_BASE_LEVEL: 0x813c,
  TEXTURE_MAX_LEVEL: 0x813d,
  RED: 0x1903,
  LUMINANCE_ALPHA: 0x190a,
  NEAREST: 0x2600,
  LINEAR: 0x2601,
  NEAREST_MIPMAP_LINEAR: 0x2702,
} as const;

/** Of the commands of ATI and AMD only these are as those without a suffix. */
const suffix = /(?:ARB|EXT|OES|ANGLE|KHR|APPLE|NV|MESA|(?<=DrawBuffers|OpSeparate)ATI|(?<=Indirect)AMD)$/;

/** A command's name without `gl` and without an extension's suffix: `DrawElementsInstanced` for the ANGLE, ARB and EXT forms. */
export const baseName = (name: string): string => name.replace(/^gl/, '').replace(suffix, '');

/** A cube map's faces are uploaded and attached one by one but bound as one texture. */
export const bindingTarget = (target: number): number =>
  target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z ? GL.TEXTURE_CUBE_MAP : target;

/** Base names of commands that draw, glBegin apart. */
export const drawCommand =
  /^((Multi)?(Draw(Range)?(Arrays|Elements|TransformFeedback|Mesh)|ModeDraw)|DrawTexs?[isfx]|DrawPixels|Bitmap|Rect[dfisx]|EvalMesh|CallLists?$)/;
