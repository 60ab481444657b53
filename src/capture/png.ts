import { inflateSync } from 'node:zlib';
import { decode, encode, hasPngSignature } from 'fast-png';
import { GpuprofError } from '../errors.ts';

/** RGBA, 8 bits a channel, top row first. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** As many pixels as the largest canvas a capture can have. */
const maxSide = 16384;

export function encodePng({ width, height, data }: Image): Uint8Array {
  return encode({ width, height, data, channels: 4, depth: 8 });
}

/**
 * Decodes a PNG of any colour type and depth to RGBA8 (16-bit samples keep their high byte).
 * Throws `bad-input` for what is no PNG, is damaged, or is larger than 16384 pixels a side.
 */
export function decodePng(bytes: Uint8Array): Image {
  const { width, height } = sizeOf(bytes);
  if (width < 1 || height < 1 || width > maxSide || height > maxSide)
    throw new GpuprofError('bad-input', `PNG of ${width}x${height} pixels; at most ${maxSide} a side`);
  try {
    checkInflatedSize(bytes, (width * 8 + 8) * (height + 8));
    const png = decode(bytes, { checkCrc: true });
    return { width, height, data: toRgba(png) };
  } catch (error) {
    throw new GpuprofError('bad-input', `damaged PNG: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the size before anything is allocated for it: the header is the first chunk (PNG 11.2.2). */
function sizeOf(bytes: Uint8Array): { width: number; height: number } {
  if (bytes.length < 33 || !hasPngSignature(bytes)) throw new GpuprofError('bad-input', 'not a PNG');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(12) !== 0x49484452) throw new GpuprofError('bad-input', 'not a PNG: no IHDR');
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** fast-png inflates whatever the data chunks hold, so a bomb is found before it does. */
function checkInflatedSize(bytes: Uint8Array, maxBytes: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === 0x49444154) parts.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  inflateSync(Buffer.concat(parts), { maxOutputLength: maxBytes });
}

function toRgba(png: ReturnType<typeof decode>): Uint8Array {
  const { width, height, depth, channels, data, palette, transparency } = png;
  if (channels === 4 && depth === 8) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const colors = channels === 1 ? palette : undefined;
  const out = new Uint8Array(width * height * 4);
  const scale = depth < 8 && !colors ? 255 / (2 ** depth - 1) : 1;
  const perByte = depth < 8 ? 8 / depth : 1;
  const rowLength = depth < 8 ? Math.ceil((width * channels) / perByte) : width * channels;
  const sample = (x: number, y: number, channel: number): number => {
    if (depth >= 8) return data[y * rowLength + x * channels + channel];
    const bit = 8 - depth * ((x % perByte) + 1);
    return (data[y * rowLength + Math.floor(x / perByte)] >> bit) & (2 ** depth - 1);
  };
  const byte = (value: number): number => (depth === 16 ? value >> 8 : Math.round(value * scale));
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const first = sample(x, y, 0);
      if (colors) {
        const [r, g, b, a = 255] = colors[first] ?? [0, 0, 0];
        out.set([r, g, b, a], at);
        continue;
      }
      const color = channels >= 3;
      const key = color ? [first, sample(x, y, 1), sample(x, y, 2)] : [first];
      const see = transparency ? key.every((value, index) => value === transparency[index]) : false;
      out[at] = byte(first);
      out[at + 1] = color ? byte(key[1]) : out[at];
      out[at + 2] = color ? byte(key[2]) : out[at];
      if (channels === 2 || channels === 4) out[at + 3] = byte(sample(x, y, channels - 1));
      else out[at + 3] = see ? 0 : 255;
    }
  return out;
}
