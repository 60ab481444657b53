const RGB = 0x1907;
const RGBA = 0x1908;
const FLOAT = 0x1406;
const HALF_FLOAT = 0x140b;
const HALF_FLOAT_OES = 0x8d61;
const RGBA32F = 0x8814;
const RGB32F = 0x8815;
const RGBA16F = 0x881a;
const RGB16F = 0x881b;
const SRGB_EXT = 0x8c40;
const SRGB8 = 0x8c41;
const SRGB_ALPHA_EXT = 0x8c42;
const SRGB8_ALPHA8 = 0x8c43;

/**
 * Internal format, format and type of an image for GL. WebGL 1 names float formats by their type alone, but GL draws only
 * into those with a size, which is what a WebGL implementation passes down; and EXT_sRGB's formats are in ES 3.0 with
 * other names only.
 */
export function sizedFormat(
  internalformat: number,
  format: number,
  type: number,
): [internalformat: number, format: number, type: number] {
  if (format === SRGB_EXT) return [SRGB8, RGB, type];
  if (format === SRGB_ALPHA_EXT) return [SRGB8_ALPHA8, RGBA, type];
  const unsized = internalformat === format;
  if (format !== RGBA && format !== RGB) return [internalformat, format, type];
  if (type === FLOAT) return [unsized ? (format === RGBA ? RGBA32F : RGB32F) : internalformat, format, type];
  if (type === HALF_FLOAT_OES)
    return [unsized ? (format === RGBA ? RGBA16F : RGB16F) : internalformat, format, HALF_FLOAT];
  return [internalformat, format, type];
}
