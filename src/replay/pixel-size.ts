/** Bytes of client pixels, tightly packed, by format and type (OpenGL ES 3.2 tables 8.2 and 8.5, OpenGL 4.6 table 8.7). */
import { glEnum } from './constants.ts';

const components = new Map<number, number>();
const typeBytes = new Map<number, number>();
const packedBytes = new Map<number, number>();

const one =
  'RED RED_INTEGER GREEN BLUE ALPHA LUMINANCE DEPTH_COMPONENT STENCIL_INDEX COLOR_INDEX GREEN_INTEGER BLUE_INTEGER';
const counts: Record<number, string> = {
  1: one,
  2: 'RG RG_INTEGER LUMINANCE_ALPHA DEPTH_STENCIL',
  3: 'RGB RGB_INTEGER BGR BGR_INTEGER SRGB_EXT',
  4: 'RGBA RGBA_INTEGER BGRA BGRA_INTEGER ABGR_EXT SRGB_ALPHA_EXT',
};
for (const [count, names] of Object.entries(counts))
  for (const name of names.split(' ')) components.set(glEnum(`GL_${name}`), Number(count));
const sizes: Record<number, string> = {
  1: 'BYTE UNSIGNED_BYTE',
  2: 'SHORT UNSIGNED_SHORT HALF_FLOAT HALF_FLOAT_OES',
  4: 'INT UNSIGNED_INT FLOAT',
};
for (const [size, names] of Object.entries(sizes))
  for (const name of names.split(' ')) typeBytes.set(glEnum(`GL_${name}`), Number(size));
const packed: Record<number, string> = {
  1: 'UNSIGNED_BYTE_3_3_2 UNSIGNED_BYTE_2_3_3_REV',
  2: 'UNSIGNED_SHORT_5_6_5 UNSIGNED_SHORT_5_6_5_REV UNSIGNED_SHORT_4_4_4_4 UNSIGNED_SHORT_4_4_4_4_REV UNSIGNED_SHORT_5_5_5_1 UNSIGNED_SHORT_1_5_5_5_REV',
  4: 'UNSIGNED_INT_8_8_8_8 UNSIGNED_INT_8_8_8_8_REV UNSIGNED_INT_10_10_10_2 UNSIGNED_INT_2_10_10_10_REV UNSIGNED_INT_24_8 UNSIGNED_INT_10F_11F_11F_REV UNSIGNED_INT_5_9_9_9_REV',
  8: 'FLOAT_32_UNSIGNED_INT_24_8_REV',
};
for (const [size, names] of Object.entries(packed))
  for (const name of names.split(' ')) packedBytes.set(glEnum(`GL_${name}`), Number(size));

/** Bytes of one pixel, or undefined for a format or type that GL does not know. */
export function pixelBytes(format: number, type: number): number | undefined {
  const whole = packedBytes.get(type);
  if (whole !== undefined) return whole;
  const count = components.get(format);
  const size = typeBytes.get(type);
  return count === undefined || size === undefined ? undefined : count * size;
}

/** Bytes of one index of glDrawElements, or undefined. */
export function indexBytes(type: number): number | undefined {
  return { 0x1401: 1, 0x1403: 2, 0x1405: 4 }[type];
}

/** Bytes of one vertex component of glVertexAttribPointer; packed and unknown types count 4 and 8. */
export function componentBytes(type: number): number {
  return typeBytes.get(type) ?? packedBytes.get(type) ?? 8;
}
