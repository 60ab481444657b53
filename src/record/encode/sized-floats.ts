const RGB = 0x1907;
const RGBA = 0x1908;
const FLOAT = 0x1406;
const HALF_FLOAT = 0x140b;
const HALF_FLOAT_OES = 0x8d61;
const RGBA32F = 0x8814;
const RGB32F = 0x8815;
const RGBA16F = 0x881a;
const RGB16F = 0x881b;

/**
 * Internal format and type of an image for GL. WebGL 1 names float formats by their type alone, but GL draws only into those
 * with a size, which is what a WebGL implementation passes down.
 */
export function sizedFloats(
  internalformat: number,
  format: number,
  type: number,
): [internalformat: number, type: number] {
  const unsized = internalformat === format;
  if (format !== RGBA && format !== RGB) return [internalformat, type];
  if (type === FLOAT) return [unsized ? (format === RGBA ? RGBA32F : RGB32F) : internalformat, type];
  if (type === HALF_FLOAT_OES) return [unsized ? (format === RGBA ? RGBA16F : RGB16F) : internalformat, HALF_FLOAT];
  return [internalformat, type];
}
