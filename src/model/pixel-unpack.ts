/** How GL reads pixel rectangles from client memory: the `GL_UNPACK_*` settings, in pixels, rows and images. */
export interface UnpackLayout {
  readonly alignment: number;
  readonly rowLength: number;
  readonly imageHeight: number;
  readonly skipPixels: number;
  readonly skipRows: number;
  readonly skipImages: number;
}

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

const roundUp = (value: number, alignment: number): number => Math.ceil(value / alignment) * alignment;

/** Where the rows of a pixel rectangle lie in client memory, in bytes. */
interface Rows {
  readonly start: number;
  readonly rowBytes: number;
  readonly stride: number;
  readonly imageStride: number;
}

function rowsOf(box: Box, bitsPerPixel: number, layout: UnpackLayout, isVolume: boolean): Rows {
  const bytes = (pixels: number) => Math.ceil((pixels * bitsPerPixel) / 8);
  const stride = roundUp(bytes(layout.rowLength || box.width), layout.alignment);
  const imageStride = stride * ((isVolume && layout.imageHeight) || box.height);
  const images = isVolume ? layout.skipImages * imageStride : 0;
  const start = images + layout.skipRows * stride + Math.floor((layout.skipPixels * bitsPerPixel) / 8);
  return { start, rowBytes: bytes(box.width), stride, imageStride };
}

/**
 * The texels of an upload, tightly packed, in the order of their rows; `flip` turns each image upside down. The bytes are
 * the source's own where they are tight there already, else a copy. Undefined when the source is too short, or its rows overlap.
 */
export function unpackTexels(
  source: Uint8Array,
  box: Box,
  texelBytes: number,
  layout: UnpackLayout,
  { isVolume = false, flip = false } = {},
): Uint8Array | undefined {
  const { start, rowBytes, stride, imageStride } = rowsOf(box, texelBytes * 8, layout, isVolume);
  const rows = box.height * box.depth;
  if (rowBytes * rows === 0) return new Uint8Array();
  const lastRow = start + (box.depth - 1) * imageStride + (box.height - 1) * stride;
  // Rows that overlap would make much of little.
  const overlap = stride < rowBytes || imageStride < stride * box.height;
  if (texelBytes === 0 || overlap || lastRow + rowBytes > source.length) return undefined;
  const isTight = stride === rowBytes && (box.depth === 1 || imageStride === stride * box.height);
  if (isTight && !flip) return source.subarray(start, start + rowBytes * rows);
  const target = new Uint8Array(rowBytes * rows);
  for (let image = 0; image < box.depth; image++)
    for (let row = 0; row < box.height; row++) {
      const at = start + image * imageStride + row * stride;
      const to = (image * box.height + (flip ? box.height - 1 - row : row)) * rowBytes;
      target.set(source.subarray(at, at + rowBytes), to);
    }
  return target;
}

/** As {@link unpackTexels} for a bitmap of one bit a pixel; rows take whole bytes, their highest bits first. */
export function unpackBitmap(
  source: Uint8Array,
  box: Box,
  layout: UnpackLayout,
  isLowestBitFirst: boolean,
): Uint8Array | undefined {
  const { start, rowBytes, stride } = rowsOf(box, 1, layout, false);
  if (rowBytes * box.height === 0) return new Uint8Array();
  const shift = layout.skipPixels % 8;
  const lastByte = start + (box.height - 1) * stride + Math.floor((shift + box.width - 1) / 8);
  if (stride < rowBytes || lastByte >= source.length) return undefined;
  const target = new Uint8Array(rowBytes * box.height);
  for (let row = 0; row < box.height; row++)
    for (let x = 0; x < box.width; x++) {
      const from = shift + x;
      const byte = source[start + row * stride + (from >> 3)];
      const bit = isLowestBitFirst ? (byte >> (from & 7)) & 1 : (byte >> (7 - (from & 7))) & 1;
      target[row * rowBytes + (x >> 3)] |= bit << (7 - (x & 7));
    }
  return target;
}

/** A copy with the bytes of every element of `elementBytes` in the opposite order. */
export function swapBytes(source: Uint8Array, elementBytes: number): Uint8Array {
  const swapped = source.slice();
  for (let at = 0; at + elementBytes <= swapped.length; at += elementBytes)
    swapped.subarray(at, at + elementBytes).reverse();
  return swapped;
}
