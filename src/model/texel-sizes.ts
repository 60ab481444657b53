/**
 * Bytes of pixels in client memory and of what they are made of, by GL format and type (OpenGL ES 3.2 tables 8.2 and 8.5,
 * OpenGL 4.6 table 8.7).
 */

const componentsOf = new Map<number, number>();
const count = (components: number, formats: readonly number[]) => {
  for (const format of formats) componentsOf.set(format, components);
};
// COLOR_INDEX STENCIL_INDEX DEPTH_COMPONENT RED GREEN BLUE ALPHA LUMINANCE; {RED,GREEN,BLUE}_INTEGER.
count(1, [0x1900, 0x1901, 0x1902, 0x1903, 0x1904, 0x1905, 0x1906, 0x1909, 0x8d94, 0x8d95, 0x8d96]);
// LUMINANCE_ALPHA RG RG_INTEGER DEPTH_STENCIL.
count(2, [0x190a, 0x8227, 0x8228, 0x84f9]);
// RGB BGR SRGB_EXT RGB_INTEGER BGR_INTEGER.
count(3, [0x1907, 0x80e0, 0x8c40, 0x8d98, 0x8d9a]);
// RGBA ABGR_EXT BGRA SRGB_ALPHA_EXT RGBA_INTEGER BGRA_INTEGER.
count(4, [0x1908, 0x8000, 0x80e1, 0x8c42, 0x8d99, 0x8d9b]);

const componentBytes = new Map<number, number>([
  [0x1400, 1], // BYTE
  [0x1401, 1], // UNSIGNED_BYTE
  [0x1402, 2], // SHORT
  [0x1403, 2], // UNSIGNED_SHORT
  [0x1404, 4], // INT
  [0x1405, 4], // UNSIGNED_INT
  [0x1406, 4], // FLOAT
  [0x140b, 2], // HALF_FLOAT
  [0x8d61, 2], // HALF_FLOAT_OES
]);

/** Types that hold a whole pixel. */
const packedBytes = new Map<number, number>([
  [0x8032, 1], // UNSIGNED_BYTE_3_3_2
  [0x8362, 1], // UNSIGNED_BYTE_2_3_3_REV
  [0x8033, 2], // UNSIGNED_SHORT_4_4_4_4
  [0x8034, 2], // UNSIGNED_SHORT_5_5_5_1
  [0x8363, 2], // UNSIGNED_SHORT_5_6_5
  [0x8364, 2], // UNSIGNED_SHORT_5_6_5_REV
  [0x8365, 2], // UNSIGNED_SHORT_4_4_4_4_REV
  [0x8366, 2], // UNSIGNED_SHORT_1_5_5_5_REV
  [0x8035, 4], // UNSIGNED_INT_8_8_8_8
  [0x8036, 4], // UNSIGNED_INT_10_10_10_2
  [0x8367, 4], // UNSIGNED_INT_8_8_8_8_REV
  [0x8368, 4], // UNSIGNED_INT_2_10_10_10_REV
  [0x84fa, 4], // UNSIGNED_INT_24_8
  [0x8c3b, 4], // UNSIGNED_INT_10F_11F_11F_REV
  [0x8c3e, 4], // UNSIGNED_INT_5_9_9_9_REV
  [0x8dad, 8], // FLOAT_32_UNSIGNED_INT_24_8_REV
]);

/** Components of a pixel of this format; 0 for a format that GL does not know. */
export const components = (format: number): number => componentsOf.get(format) ?? 0;

/** Bytes of one component of this type, or of all that a packed type holds; 0 for a type that GL does not know. */
export const typeBytes = (type: number): number => componentBytes.get(type) ?? packedBytes.get(type) ?? 0;

/** Bytes of one pixel; 0 for a format and type that make none. */
export const texelBytes = (format: number, type: number): number =>
  packedBytes.get(type) ?? components(format) * (componentBytes.get(type) ?? 0);

/** Bytes of one index of glDrawElements, or undefined. */
export const indexBytes = (type: number): number | undefined =>
  type === 0x1401 || type === 0x1403 || type === 0x1405 ? componentBytes.get(type) : undefined;
