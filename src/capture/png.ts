import { inflateSync } from 'node:zlib';
import { decode, encode, hasPngSignature } from 'fast-png';
import { GpuprofError } from '../errors.ts';
import { shareOfMemory, tooLarge } from '../model/memory-limit.ts';

/** RGBA, 8 bits a channel, top row first. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** As many pixels as the largest canvas a capture can have. */
const maxSide = 16384;
/** Colour type of truecolour with alpha (PNG 11.2.2). */
const rgba = 6;

export function encodePng({ width, height, data }: Image): Uint8Array {
  return encode({ width, height, data, channels: 4, depth: 8 });
}

/**
 * Decodes a PNG of the kind that captures and screenshots hold: RGBA, 8 bits a channel.
 * Throws `bad-input` for any other, for what is damaged, and for more than 16384 pixels a side or a quarter of the memory
 * limit.
 */
export function decodePng(bytes: Uint8Array): Image {
  const { width, height } = sizeOf(bytes);
  if (width < 1 || height < 1 || width > maxSide || height > maxSide)
    throw new GpuprofError('bad-input', `PNG of ${width}x${height} pixels; at most ${maxSide} a side`);
  const mostBytes = shareOfMemory(1 / 4);
  const sizeBytes = width * height * 4;
  if (sizeBytes > mostBytes)
    throw tooLarge('bad-input', `PNG of ${width}x${height} pixels, which are`, sizeBytes, mostBytes);
  try {
    checkInflatedSize(bytes, (width * 4 + 8) * (height + 8));
    const { data } = decode(bytes, { checkCrc: true });
    return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  } catch (error) {
    throw new GpuprofError('bad-input', `damaged PNG: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the size before anything is allocated for it: the header is the first chunk (PNG 11.2.2). */
function sizeOf(bytes: Uint8Array): { width: number; height: number } {
  if (bytes.length < 33 || !hasPngSignature(bytes)) throw new GpuprofError('bad-input', 'not a PNG');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(12) !== 0x49484452) throw new GpuprofError('bad-input', 'not a PNG: no IHDR');
  const [depth, colors] = bytes.subarray(24);
  if (depth !== 8 || colors !== rgba)
    throw new GpuprofError('bad-input', 'a PNG that is not RGBA with 8 bits a channel');
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
