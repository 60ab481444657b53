/**
 * Bytes that images take: components of the internal format in whole bytes (OpenGL ES 3.2 table 8.10, OpenGL 4.6 table
 * 8.12), 4 for 24 bits of depth, blocks for compressed formats. Drivers may pad them; a capture cannot tell.
 */
import { components, texelBytes } from '../texel-sizes.ts';
import { blockOf, layoutOf } from '../texture-formats.ts';

/** Formats that {@link layoutOf} does not know, or uploads in more bytes than they are kept in. */
const keptBytes = new Map<number, number>();
const kept = (bytes: number, formats: readonly number[]) => {
  for (const format of formats) keptBytes.set(format, bytes);
};
// ALPHA8 LUMINANCE8 INTENSITY8 ALPHA4 LUMINANCE4 INTENSITY4 LUMINANCE4_ALPHA4 LUMINANCE6_ALPHA2 R3_G3_B2 RGBA2 SLUMINANCE8.
kept(1, [0x803c, 0x8040, 0x804b, 0x803b, 0x803f, 0x804a, 0x8043, 0x8044, 0x2a10, 0x8055, 0x8c47]);
// STENCIL_INDEX1 STENCIL_INDEX4 SR8_EXT.
kept(1, [0x8d46, 0x8d47, 0x8fbd]);
// R16F ALPHA16 LUMINANCE16 INTENSITY16 ALPHA16F LUMINANCE16F INTENSITY16F LUMINANCE8_ALPHA8 RGB4 RGB5 STENCIL_INDEX16.
kept(2, [0x822d, 0x803e, 0x8042, 0x804d, 0x881c, 0x881e, 0x881d, 0x8045, 0x804f, 0x8050, 0x8d49]);
// SLUMINANCE8_ALPHA8 SRG8_EXT.
kept(2, [0x8c45, 0x8fbe]);
// RG16F R11F_G11F_B10F RGB9_E5 RGB10 LUMINANCE16_ALPHA16 LUMINANCE_ALPHA16F ALPHA32F LUMINANCE32F INTENSITY32F BGRA8.
kept(4, [0x822f, 0x8c3a, 0x8c3d, 0x8052, 0x8048, 0x881f, 0x8816, 0x8818, 0x8817, 0x93a1]);
// DEPTH_COMPONENT32, and unsized DEPTH_COMPONENT and DEPTH_STENCIL where no upload names a type.
kept(4, [0x81a7, 0x1902, 0x84f9]);
kept(6, [0x881b]); // RGB16F
kept(6, [0x8053, 0x805a]); // RGB12 RGBA12
kept(8, [0x881a, 0x8819]); // RGBA16F LUMINANCE_ALPHA32F

/** For formats that are not known. */
const usualBytes = 4;

/** The most an amount can be and stay exact; absurd sizes in bad captures end here. */
const mostBytes = Number.MAX_SAFE_INTEGER;

/** A product of sizes as an amount: 0 for what is no size, never beyond {@link mostBytes}. */
export const amount = (bytes: number): number => (bytes > 0 ? Math.min(Math.floor(bytes), mostBytes) : 0);

/** Bytes of one texel of an uncompressed internal format; `format` and `type` are its upload's, 0 when there was none. */
export function keptTexelBytes(internalFormat: number, format = 0, type = 0): number {
  const uploaded = texelBytes(format, type);
  // Unsized formats keep what was uploaded.
  if (uploaded > 0 && (components(internalFormat) > 0 || internalFormat <= 4)) return uploaded;
  const known = keptBytes.get(internalFormat);
  if (known !== undefined) return known;
  const layout = layoutOf(internalFormat, format, type);
  return texelBytes(layout.format, layout.type) || components(internalFormat) || usualBytes;
}

export interface ImageLike {
  readonly internalFormat: number;
  readonly width: number;
  readonly height: number;
  /** Slices or layers. */
  readonly depth: number;
  readonly format?: number;
  readonly type?: number;
  readonly compressedBytes?: number | null;
}

/** Bytes of an image, or of a part of one of that size. */
export function imageBytes(image: ImageLike): number {
  if (image.compressedBytes != null) return amount(image.compressedBytes);
  const [width, height, depth] = [image.width, image.height, image.depth].map((side) => Math.max(0, side));
  const block = blockOf(image.internalFormat);
  if (block) return amount(Math.ceil(width / block[0]) * Math.ceil(height / block[1]) * block[2] * depth);
  return amount(width * height * depth * keptTexelBytes(image.internalFormat, image.format, image.type));
}
