import { constants as c } from '../../gl/webgl2/constants.ts';
import { components, texelBytes } from '../../model/texel-sizes.ts';
import { HALF_FLOAT_OES, type Layout } from '../../model/texture-formats.ts';

/** What reading back gives: four 32-bit components a texel; floats for all but integer formats. */
export type Values = Float32Array | Int32Array | Uint32Array;

const bits = new DataView(new ArrayBuffer(4));

/** A float that came from a half, back to its 16 bits (exact; others round to the nearest). */
function halfBits(value: number): number {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x47800000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | Math.round(Math.abs(value) * 2 ** 24);
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
  return sign | Math.min((rounded - 0x38000000) >>> 13, 0x7c00);
}

function toSrgb(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Which of red, green, blue and alpha a format's components are. */
function channelsOf(format: number): readonly number[] {
  if (format === c.ALPHA) return [3];
  if (format === c.LUMINANCE_ALPHA) return [0, 3];
  return [0, 1, 2, 3].slice(0, components(format));
}

type Writer = (view: DataView, at: number, values: Values, from: number) => void;

const unit = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), 1) * most);

/** Depth as GL takes it from 32-bit integers: the top 24 bits count, and are repeated below. */
function depth32(value: number): number {
  const top = unit(value, 0xffffff);
  return (top * 256 + (top >>> 16)) >>> 0;
}

const packed = new Map<number, Writer>([
  [
    c.UNSIGNED_SHORT_5_6_5,
    (view, at, v, i) =>
      view.setUint16(at, (unit(v[i], 31) << 11) | (unit(v[i + 1], 63) << 5) | unit(v[i + 2], 31), true),
  ],
  [
    c.UNSIGNED_SHORT_4_4_4_4,
    (view, at, v, i) =>
      view.setUint16(
        at,
        (unit(v[i], 15) << 12) | (unit(v[i + 1], 15) << 8) | (unit(v[i + 2], 15) << 4) | unit(v[i + 3], 15),
        true,
      ),
  ],
  [
    c.UNSIGNED_SHORT_5_5_5_1,
    (view, at, v, i) =>
      view.setUint16(
        at,
        (unit(v[i], 31) << 11) | (unit(v[i + 1], 31) << 6) | (unit(v[i + 2], 31) << 1) | unit(v[i + 3], 1),
        true,
      ),
  ],
  [c.UNSIGNED_INT_24_8, (view, at, v, i) => view.setUint32(at, unit(v[i], 0xffffff) * 256 + v[i + 1], true)],
  [
    c.FLOAT_32_UNSIGNED_INT_24_8_REV,
    (view, at, v, i) => {
      view.setFloat32(at, v[i], true);
      view.setUint32(at + 4, v[i + 1], true);
    },
  ],
]);

function write1010102(numbers: Layout['numbers']): Writer {
  const field = (value: number, most: number) => (numbers === 'uint' ? value : unit(value, most));
  return (view, at, v, i) =>
    view.setUint32(
      at,
      field(v[i], 1023) +
        field(v[i + 1], 1023) * 2 ** 10 +
        field(v[i + 2], 1023) * 2 ** 20 +
        field(v[i + 3], 3) * 2 ** 30,
      true,
    );
}

function componentWriter(
  { type, numbers, srgb }: Layout,
  alpha: boolean,
): (view: DataView, at: number, value: number) => void {
  if (type === c.FLOAT) return (view, at, value) => view.setFloat32(at, value, true);
  if (type === c.HALF_FLOAT || type === HALF_FLOAT_OES)
    return (view, at, value) => view.setUint16(at, halfBits(value), true);
  if (numbers === 'snorm' && type === c.SHORT)
    return (view, at, value) => view.setInt16(at, Math.round(Math.max(value, -1) * 32767), true);
  if (numbers === 'snorm') return (view, at, value) => view.setInt8(at, Math.round(Math.max(value, -1) * 127));
  if (numbers === 'unorm' && srgb && !alpha) return (view, at, value) => view.setUint8(at, unit(toSrgb(value), 255));
  if ((numbers === 'unorm' || numbers === 'depth') && type === c.UNSIGNED_SHORT)
    return (view, at, value) => view.setUint16(at, unit(value, 65535), true);
  if (numbers === 'unorm') return (view, at, value) => view.setUint8(at, unit(value, 255));
  if (numbers === 'depth') return (view, at, value) => view.setUint32(at, depth32(value), true);
  if (type === c.BYTE || type === c.UNSIGNED_BYTE) return (view, at, value) => view.setUint8(at, value & 255);
  if (type === c.SHORT || type === c.UNSIGNED_SHORT)
    return (view, at, value) => view.setUint16(at, value & 65535, true);
  return (view, at, value) => view.setUint32(at, value >>> 0, true);
}

/**
 * Writes texels read back (four components each) in an upload layout, so that uploading them gives the same texels.
 * A depth-stencil texel has depth first and stencil second.
 */
export function encodeTexels(values: Values, layout: Layout, target: Uint8Array, byteOffset: number): void {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  const texel = texelBytes(layout.format, layout.type);
  const count = values.length / 4;
  const whole = layout.type === c.UNSIGNED_INT_2_10_10_10_REV ? write1010102(layout.numbers) : packed.get(layout.type);
  if (whole) {
    for (let index = 0; index < count; index++) whole(view, byteOffset + index * texel, values, index * 4);
    return;
  }
  const channels = channelsOf(layout.format);
  const size = texel / channels.length;
  channels.forEach((channel, place) => {
    const write = componentWriter(layout, channel === 3);
    for (let index = 0; index < count; index++)
      write(view, byteOffset + index * texel + place * size, values[index * 4 + channel]);
  });
}
