import { constants as c } from '../../gl/webgl2/constants.ts';
import { type Box, unpackTexels } from '../../model/pixel-unpack.ts';
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
  isVolume: boolean,
): Uint8Array | undefined {
  const layout = {
    alignment: store.get(c.UNPACK_ALIGNMENT),
    rowLength: store.get(c.UNPACK_ROW_LENGTH),
    imageHeight: store.get(c.UNPACK_IMAGE_HEIGHT),
    skipPixels: store.get(c.UNPACK_SKIP_PIXELS),
    skipRows: store.get(c.UNPACK_SKIP_ROWS),
    skipImages: store.get(c.UNPACK_SKIP_IMAGES),
  };
  const source = bytesOf(view).subarray(byteOffset);
  const flip = store.get(c.UNPACK_FLIP_Y_WEBGL) !== 0;
  const texels = unpackTexels(source, box, texelBytes(format, type), layout, { isVolume, flip });
  return texels && Uint8Array.prototype.slice.call(texels);
}
