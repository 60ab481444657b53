import { constants as c } from '../../gl/webgl2/constants.ts';
import { components } from '../../model/texel-sizes.ts';
import { blockOf } from '../../model/texture-formats.ts';
import type { WebGl } from '../webgl.ts';
import { bytesOf, type PixelStore, unpackPixels } from './pixel-unpack.ts';
import type { Shadows } from './shadows.ts';

/** RGBA texels of an image source, top row first, one byte a component, not premultiplied. */
export interface SourcePixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array | Uint8ClampedArray;
}
/** Looks into an image source (a DOM element, say); undefined leaves it to reading the texture back. */
export type PixelsOf = (source: unknown) => SourcePixels | undefined;

/** A texture upload, whichever method and arguments it came by. */
export interface Upload {
  readonly target: number;
  readonly level: number;
  /** The image's format for a definition, 0 for a sub-image. */
  readonly internalformat: number;
  readonly sub: boolean;
  readonly volume: boolean;
  readonly compressed: boolean;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly format: number;
  readonly type: number;
  /**
   * Tight texels; null for a definition without contents; a number is an offset into the bound PIXEL_UNPACK_BUFFER
   * (`texels` then holds what is known of it); undefined when only the GPU knows what arrives.
   */
  readonly texels: Uint8Array | null | undefined;
  readonly bufferOffset: number | undefined;
  /** Bytes of a compressed upload. */
  readonly imageBytes?: number;
  /** The image, video or canvas that it comes from, where that also gives the size. */
  readonly source?: unknown;
}

const uploadMethods = /^(compressed)?[tT]ex(Sub)?Image([23])D$/;
export const isUpload = (method: string): boolean => uploadMethods.test(method);

const isView = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value);
const int = (value: unknown): number => Math.trunc(Number(value)) || 0;
const elementBytes = (view: ArrayBufferView): number => (view as Uint8Array).BYTES_PER_ELEMENT ?? 1;

interface ImageLike {
  readonly width?: number;
  readonly height?: number;
  readonly videoWidth?: number;
  readonly videoHeight?: number;
  readonly naturalWidth?: number;
  readonly naturalHeight?: number;
  readonly displayWidth?: number;
  readonly displayHeight?: number;
  readonly data?: unknown;
}

function sizeOf(source: unknown): { width: number; height: number } {
  const image = (source ?? {}) as ImageLike;
  return {
    width: image.videoWidth ?? image.naturalWidth ?? image.displayWidth ?? image.width ?? 0,
    height: image.videoHeight ?? image.naturalHeight ?? image.displayHeight ?? image.height ?? 0,
  };
}

/** Turns the arguments of any texture upload into one shape; texels as GL gets them. */
export class UploadParser {
  readonly #gl: WebGl;
  readonly #version: 1 | 2;
  readonly #store: PixelStore;
  readonly #shadows: Shadows;
  readonly #pixelsOf: PixelsOf;

  constructor(gl: WebGl, version: 1 | 2, store: PixelStore, shadows: Shadows, pixelsOf: PixelsOf) {
    this.#gl = gl;
    this.#version = version;
    this.#store = store;
    this.#shadows = shadows;
    this.#pixelsOf = pixelsOf;
  }

  parse(method: string, args: readonly unknown[]): Upload {
    const [, compressed, subText, dimensions] = uploadMethods.exec(method) as RegExpExecArray;
    const sub = subText !== undefined;
    const volume = dimensions === '3';
    const target = int(args[0]);
    const level = int(args[1]);
    let at = 2;
    const next = () => int(args[at++]);
    const internalformat = sub ? 0 : next();
    const [x, y] = sub ? [next(), next()] : [0, 0];
    const z = sub && volume ? next() : 0;
    const head = { target, level, internalformat, sub, volume, compressed: compressed !== undefined, x, y, z };
    // The short forms take their size from an image source.
    if (!compressed && !volume && args.length <= (sub ? 7 : 6)) {
      const [format, type] = [next(), next()];
      const source = args[at];
      const size = { ...sizeOf(source), depth: 1 };
      return {
        ...head,
        ...size,
        format,
        type,
        texels: this.#ofImage(source, size, format, type),
        bufferOffset: undefined,
        source,
      };
    }
    const width = next();
    const height = next();
    const depth = volume ? next() : 1;
    const box = { width, height, depth };
    if (!sub) at++;
    if (compressed) return { ...head, ...box, ...this.#compressed(args, at, sub) };
    const [format, type] = [next(), next()];
    return { ...head, ...box, format, type, ...this.#ofArguments(args, at, box, format, type, volume) };
  }

  #boundBuffer(): Uint8Array | null | undefined {
    if (this.#version === 1) return undefined;
    const bound = this.#gl.getParameter(c.PIXEL_UNPACK_BUFFER_BINDING);
    const shadow = this.#shadows.of('buffer', bound);
    return bound ? (shadow && !shadow.onGpu ? shadow.data : null) : undefined;
  }

  #compressed(args: readonly unknown[], at: number, sub: boolean) {
    const format = sub ? int(args[at++]) : int(args[2]);
    const source = args[at];
    if (isView(source)) {
      const size = elementBytes(source);
      const start = int(args[at + 1]) * size;
      const length = int(args[at + 2]) * size || source.byteLength - start;
      return { format, type: 0, texels: bytesOf(source).slice(start, start + length), bufferOffset: undefined };
    }
    const offset = int(args[at + 1]);
    const texels = this.#boundBuffer()?.slice(offset, offset + int(source));
    return { format, type: 0, texels, bufferOffset: offset, imageBytes: int(source) };
  }

  #ofArguments(
    args: readonly unknown[],
    at: number,
    box: { width: number; height: number; depth: number },
    format: number,
    type: number,
    volume: boolean,
  ): Pick<Upload, 'texels' | 'bufferOffset'> {
    const source = args[at];
    if (source === null || source === undefined) return { texels: null, bufferOffset: undefined };
    if (typeof source === 'number') {
      const data = this.#boundBuffer();
      const texels = data ? unpackPixels(data, source, box, format, type, this.#store, volume) : undefined;
      return { texels, bufferOffset: source };
    }
    const premultiplied =
      this.#store.get(c.UNPACK_PREMULTIPLY_ALPHA_WEBGL) && (components(format) === 4 || format === c.LUMINANCE_ALPHA);
    // How an implementation rounds a premultiplied component is its own business: the texture is read back.
    if (premultiplied || !(isView(source) || source instanceof ArrayBuffer))
      return { texels: undefined, bufferOffset: undefined };
    const view = isView(source) ? source : new Uint8Array(source);
    const start = int(args[at + 1]) * elementBytes(view);
    return { texels: unpackPixels(view, start, box, format, type, this.#store, volume), bufferOffset: undefined };
  }

  #ofImage(
    source: unknown,
    box: { width: number; height: number; depth: number },
    format: number,
    type: number,
  ): Uint8Array | undefined {
    if (format !== c.RGBA || type !== c.UNSIGNED_BYTE || this.#store.get(c.UNPACK_PREMULTIPLY_ALPHA_WEBGL))
      return undefined;
    const pixels = this.#pixelsOf(source);
    if (pixels?.width !== box.width || pixels.height !== box.height) return undefined;
    // Image rows are tight whatever the program set for its arrays.
    const flip = this.#store.get(c.UNPACK_FLIP_Y_WEBGL);
    const rowBytes = box.width * 4;
    const texels = new Uint8Array(rowBytes * box.height);
    for (let row = 0; row < box.height; row++)
      texels.set(
        pixels.rgba.subarray(row * rowBytes, (row + 1) * rowBytes),
        (flip ? box.height - 1 - row : row) * rowBytes,
      );
    return texels;
  }
}

/** headless-gl's image sources: `{ width, height, data }` with RGBA bytes, as ImageData has. */
export const pixelsOfImageData: PixelsOf = (source) => {
  const { width, height, data } = (source ?? {}) as ImageLike;
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (!width || !height || !isBytes || data.length !== width * height * 4) return undefined;
  return { width, height, rgba: data };
};

/** Bytes that a compressed image takes; undefined when the format's blocks are not known. */
export function compressedBytes(
  internalformat: number,
  width: number,
  height: number,
  depth: number,
): number | undefined {
  const block = blockOf(internalformat);
  return block && Math.ceil(width / block[0]) * Math.ceil(height / block[1]) * block[2] * depth;
}
