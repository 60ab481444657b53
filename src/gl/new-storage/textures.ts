/**
 * What new images of textures hold in WebGL: zeros, and depth 1, as browsers have it. GL leaves there whatever was in the
 * memory before.
 */
import { bindingTarget, GL } from '../../model/gl-constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { blockOf, HALF_FLOAT_OES, type Layout, layoutOf } from '../../model/texture-formats.ts';
import type { GlContext } from '../context.ts';
import { addressOf, Scratch } from '../native.ts';

/** An image that a call has just given the texture bound to its target. Sizes in texels. */
export interface NewImage {
  /** A cube map's face where only that is new, else the target the texture is bound to. */
  readonly target: number;
  readonly level: number;
  readonly internalFormat: number;
  /** As the image was specified; 0 where the call has none. */
  readonly format: number;
  readonly type: number;
  readonly width: number;
  readonly height: number;
  /** Slices or layers; 1 for flat images. */
  readonly depth: number;
}

const TEXTURE_2D_ARRAY = 0x8c1a;
const HALF_FLOAT = 0x140b;
const UNSIGNED_SHORT = 0x1403;
const UNSIGNED_INT = 0x1405;
const UNSIGNED_INT_24_8 = 0x84fa;
const PIXEL_UNPACK_BUFFER_BINDING = 0x88ef;
/** UNPACK_ROW_LENGTH, SKIP_ROWS, SKIP_PIXELS, ALIGNMENT, SKIP_IMAGES, IMAGE_HEIGHT, and what packs tightly. */
const unpackNames = [0x0cf2, 0x0cf3, 0x0cf4, 0x0cf5, 0x806d, 0x806e] as const;
const tight: ReadonlyMap<number, number> = new Map(unpackNames.map((name) => [name, name === 0x0cf5 ? 1 : 0]));
const bindingNames: ReadonlyMap<number, number> = new Map([
  [GL.TEXTURE_2D, 0x8069],
  [GL.TEXTURE_3D, 0x806a],
  [GL.TEXTURE_CUBE_MAP, 0x8514],
  [TEXTURE_2D_ARRAY, 0x8c1d],
]);

/** GL's name of the texture bound to a target of WebGL's on the active unit; undefined for a face. */
export function boundTexture(context: GlContext, target: number): number | undefined {
  const binding = bindingNames.get(target);
  return binding === undefined ? undefined : context.integer(binding);
}

/** Most bytes that one upload of new contents takes, whatever size a capture asks for. */
const bandBytes = 4 * 2 ** 20;

/** Writes texels of depth 1 (and stencil 0); others stay zero. */
function fill(bytes: Uint8Array, { format, type, numbers }: Layout): void {
  if (numbers !== 'depth' && numbers !== 'depthStencil') return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = texelBytes(format, type);
  for (let at = 0; at + size <= bytes.length; at += size)
    if (type === UNSIGNED_SHORT) view.setUint16(at, 0xffff, true);
    else if (type === UNSIGNED_INT) view.setUint32(at, 0xffffffff, true);
    else if (type === UNSIGNED_INT_24_8) view.setUint32(at, 0xffffff00, true);
    else if (size >= 4) view.setFloat32(at, 1, true);
}

function layoutIn({ api }: GlContext, { internalFormat, format, type }: NewImage): Layout {
  const layout = layoutOf(internalFormat, format, type);
  return api === 'gl' && layout.type === HALF_FLOAT_OES ? { ...layout, type: HALF_FLOAT } : layout;
}

const isVolume = (target: number): boolean => target === GL.TEXTURE_3D || target === TEXTURE_2D_ARRAY;

/** Uploads with no unpack buffer bound and tightly packed pixels. */
function uploading(context: GlContext, work: () => void): void {
  const { gl } = context;
  const buffer = context.integer(PIXEL_UNPACK_BUFFER_BINDING);
  const before = unpackNames.map((name) => [name, context.integer(name)] as const);
  if (buffer !== 0) gl.glBindBuffer(GL.PIXEL_UNPACK_BUFFER, 0);
  for (const [name, value] of before) if (value !== tight.get(name)) gl.glPixelStorei(name, tight.get(name)!);
  work();
  for (const [name, value] of before) if (value !== tight.get(name)) gl.glPixelStorei(name, value);
  if (buffer !== 0) gl.glBindBuffer(GL.PIXEL_UNPACK_BUFFER, buffer);
}

/** Covers an image by bands of whole rows of `unit` texels' height, of `rowBytes` each. */
function inBands(
  { width, height, depth }: NewImage,
  unit: number,
  rowBytes: number,
  upload: (box: { y: number; z: number; width: number; height: number }, sizeBytes: number) => void,
): void {
  const rows = Math.max(1, Math.floor(bandBytes / rowBytes));
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y += rows * unit) {
      const band = Math.min(rows * unit, height - y);
      upload({ y, z, width, height: band }, Math.ceil(band / unit) * rowBytes);
    }
}

function uploadTexels(context: GlContext, image: NewImage, layout: Layout): void {
  const { gl } = context;
  const { target, level } = image;
  const { format, type } = layout;
  const rowBytes = image.width * texelBytes(format, type);
  if (rowBytes === 0) return;
  const texels = new Uint8Array(Math.max(256, Math.min(rowBytes * image.height, Math.max(rowBytes, bandBytes))));
  fill(texels, layout);
  const address = addressOf(texels);
  uploading(context, () =>
    inBands(image, 1, rowBytes, ({ y, z, width, height }) => {
      if (isVolume(target)) gl.glTexSubImage3D(target, level, 0, y, z, width, height, 1, format, type, address);
      else gl.glTexSubImage2D(target, level, 0, y, width, height, format, type, address);
    }),
  );
}

function uploadBlocks(
  context: GlContext,
  image: NewImage,
  [blockWidth, blockHeight, blockBytes]: readonly [number, number, number],
): void {
  const { gl } = context;
  const { target, level, internalFormat: format } = image;
  const rowBytes = Math.ceil(image.width / blockWidth) * blockBytes;
  const zeros = new Uint8Array(
    Math.max(256, Math.min(Math.ceil(image.height / blockHeight) * rowBytes, Math.max(rowBytes, bandBytes))),
  );
  const address = addressOf(zeros);
  uploading(context, () =>
    inBands(image, blockHeight, rowBytes, ({ y, z, width, height }, sizeBytes) => {
      if (isVolume(target))
        gl.glCompressedTexSubImage3D(target, level, 0, y, z, width, height, 1, format, sizeBytes, address);
      else gl.glCompressedTexSubImage2D(target, level, 0, y, width, height, format, sizeBytes, address);
    }),
  );
}

/** Gives a new image what WebGL says it holds. Changes no state. */
export function clearNewImage(context: GlContext, image: NewImage): void {
  if (!(image.width > 0 && image.height > 0 && image.depth > 0)) return;
  const block = blockOf(image.internalFormat);
  if (block) {
    uploadBlocks(context, image, block);
    return;
  }
  const layout = layoutIn(context, image);
  if (layout.format === 0) return;
  const clear = context.find('glClearTexImage');
  const texture = boundTexture(context, image.target);
  // A face alone cannot be cleared so: until its cube map is whole GL refuses.
  if (!clear || texture === undefined) {
    uploadTexels(context, image, layout);
    return;
  }
  const texel = new Scratch(16);
  fill(texel.u8.subarray(0, texelBytes(layout.format, layout.type)), layout);
  clear(texture, image.level, layout.format, layout.type, texel.address);
}

/** Gives all levels, faces and layers of new immutable storage what WebGL says they hold. Changes no state. */
export function clearNewStorage(
  context: GlContext,
  storage: Omit<NewImage, 'level' | 'format' | 'type'> & { readonly levels: number },
): void {
  const { target, internalFormat } = storage;
  const faces =
    target === GL.TEXTURE_CUBE_MAP && (blockOf(internalFormat) || !context.find('glClearTexImage'))
      ? [0, 1, 2, 3, 4, 5].map((face) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + face)
      : [target];
  for (let level = 0; level < Math.min(storage.levels, 32); level++) {
    const half = (size: number) => (size > 0 ? Math.max(1, size >> level) : 0);
    for (const face of faces)
      clearNewImage(context, {
        target: face,
        level,
        internalFormat,
        format: 0,
        type: 0,
        width: half(storage.width),
        height: half(storage.height),
        depth: bindingTarget(target) === GL.TEXTURE_3D ? half(storage.depth) : storage.depth,
      });
  }
}
