import { texelBytes } from '../../model/texel-sizes.ts';
import { constants as c } from './constants.ts';
import type { Core } from './core.ts';

/** Where the pixels of an image lie in client memory; all in bytes. */
export interface Layout {
  readonly pixel: number;
  readonly row: number;
  readonly image: number;
  readonly first: number;
  /** From the view's start to the last byte that is read or written. */
  readonly end: number;
}

const aligned = (size: number, to: number) => Math.ceil(size / to) * to;

/** The layout that the UNPACK (or PACK) parameters ask for. */
function layout(
  core: Core,
  kind: 'UNPACK' | 'PACK',
  [width, height, depth]: readonly [number, number, number],
  pixel: number,
  is3d: boolean,
): Layout {
  const get = (name: 'ALIGNMENT' | 'ROW_LENGTH' | 'SKIP_PIXELS' | 'SKIP_ROWS') => core.integer(c[`${kind}_${name}`]);
  const row = aligned((get('ROW_LENGTH') || width) * pixel, get('ALIGNMENT'));
  const image = row * ((is3d && core.integer(c.UNPACK_IMAGE_HEIGHT)) || height);
  const skippedImages = is3d ? core.integer(c.UNPACK_SKIP_IMAGES) : 0;
  const first = skippedImages * image + get('SKIP_ROWS') * row + get('SKIP_PIXELS') * pixel;
  const empty = width === 0 || height === 0 || depth === 0;
  const end = empty ? 0 : first + (depth - 1) * image + (height - 1) * row + width * pixel;
  return { pixel, row, image, first, end };
}

/** The layout of an upload, or undefined when format and type make no pixel. */
export function unpackLayout(
  core: Core,
  size: readonly [number, number, number],
  format: number,
  type: number,
  is3d: boolean,
): Layout | undefined {
  const pixel = texelBytes(format, type);
  return pixel === 0 ? undefined : layout(core, 'UNPACK', size, pixel, is3d);
}

/** Bytes that readPixels writes, or undefined when format and type make no pixel. */
export function packedSize(
  core: Core,
  width: number,
  height: number,
  format: number,
  type: number,
): number | undefined {
  const pixel = texelBytes(format, type);
  return pixel === 0 ? undefined : layout(core, 'PACK', [width, height, 1], pixel, false).end;
}

/** Multiplies colour by alpha in one row; formats without alpha stay as they are (WebGL 1.0, 5.14.8). */
function premultiplyRow(row: Uint8Array, format: number, type: number): void {
  const count = format === c.RGBA ? 4 : format === c.LUMINANCE_ALPHA ? 2 : 0;
  if (count === 0) return;
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  if (type === c.UNSIGNED_BYTE)
    for (let at = 0; at + count <= row.length; at += count)
      for (let channel = 0; channel < count - 1; channel++)
        row[at + channel] = Math.round((row[at + channel] * row[at + count - 1]) / 255);
  else if (type === c.FLOAT)
    for (let at = 0; at + count * 4 <= row.length; at += count * 4) {
      const alpha = view.getFloat32(at + (count - 1) * 4, true);
      for (let channel = 0; channel < count - 1; channel++)
        view.setFloat32(at + channel * 4, view.getFloat32(at + channel * 4, true) * alpha, true);
    }
  else if (type === c.UNSIGNED_SHORT_4_4_4_4 || type === c.UNSIGNED_SHORT_5_5_5_1)
    for (let at = 0; at + 2 <= row.length; at += 2) {
      const pixel = view.getUint16(at, true);
      const bits = type === c.UNSIGNED_SHORT_4_4_4_4 ? 4 : 5;
      const alpha = bits === 4 ? (pixel & 15) / 15 : pixel & 1;
      let result = bits === 4 ? pixel & 15 : pixel & 1;
      for (let shift = 16 - bits; shift >= 16 - 3 * bits; shift -= bits)
        result |= Math.round(((pixel >> shift) & ((1 << bits) - 1)) * alpha) << shift;
      view.setUint16(at, result, true);
    }
}

/**
 * The pixels of a 2D upload after UNPACK_FLIP_Y_WEBGL and UNPACK_PREMULTIPLY_ALPHA_WEBGL, in the same layout, so that the
 * other unpack parameters go on meaning the same.
 */
export function unpackPixels(
  source: Uint8Array,
  { row, first, pixel }: Layout,
  [width, height]: readonly [number, number, number],
  options: { flipY: boolean; premultiply: boolean; format: number; type: number },
): Uint8Array {
  const result = new Uint8Array(Math.max(64, source.byteLength));
  for (let y = 0; y < height; y++) {
    const from = first + (options.flipY ? height - 1 - y : y) * row;
    const target = result.subarray(first + y * row, first + y * row + width * pixel);
    target.set(source.subarray(from, from + width * pixel));
    if (options.premultiply) premultiplyRow(target, options.format, options.type);
  }
  return result;
}
