import { constants as c } from '../../gl/webgl2/constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';

/** The pixel-store settings, as the program last set them. */
export class PixelStore {
  readonly #values = new Map<number, number>();

  /** What GL would refuse changes nothing. */
  set(pname: number, value: unknown): void {
    const number = Math.trunc(Number(value)) || 0;
    const isAlignment = pname === c.UNPACK_ALIGNMENT || pname === c.PACK_ALIGNMENT;
    if (isAlignment ? [1, 2, 4, 8].includes(number) : number >= 0) this.#values.set(pname, number);
  }

  get(pname: number): number {
    return this.#values.get(pname) ?? (pname === c.UNPACK_ALIGNMENT || pname === c.PACK_ALIGNMENT ? 4 : 0);
  }
}

export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/**
 * The texels of a typed-array upload, tightly packed, bottom row first as GL takes them: a copy.
 * `byteOffset` is where the program said its data begins. Undefined when the array is too short, which GL refuses.
 */
export function unpackPixels(
  view: ArrayBufferView,
  byteOffset: number,
  box: Box,
  format: number,
  type: number,
  store: PixelStore,
  volume: boolean,
): Uint8Array | undefined {
  const source = bytesOf(view);
  const texel = texelBytes(format, type);
  const alignment = store.get(c.UNPACK_ALIGNMENT);
  const rowBytes = box.width * texel;
  const stride = Math.ceil(((store.get(c.UNPACK_ROW_LENGTH) || box.width) * texel) / alignment) * alignment;
  const imageRows = (volume && store.get(c.UNPACK_IMAGE_HEIGHT)) || box.height;
  const skipped =
    (volume ? store.get(c.UNPACK_SKIP_IMAGES) * imageRows * stride : 0) +
    store.get(c.UNPACK_SKIP_ROWS) * stride +
    store.get(c.UNPACK_SKIP_PIXELS) * texel;
  const rows = box.height * box.depth;
  const target = new Uint8Array(rowBytes * rows);
  if (target.length === 0) return target;
  const start = byteOffset + skipped;
  const lastRow = start + ((box.depth - 1) * imageRows + box.height - 1) * stride;
  if (texel === 0 || lastRow + rowBytes > source.length) return undefined;
  const flip = store.get(c.UNPACK_FLIP_Y_WEBGL) !== 0;
  for (let image = 0; image < box.depth; image++)
    for (let row = 0; row < box.height; row++) {
      const at = start + (image * imageRows + row) * stride;
      const to = (image * box.height + (flip ? box.height - 1 - row : row)) * rowBytes;
      target.set(source.subarray(at, at + rowBytes), to);
    }
  return target;
}
