import { constants as c } from '../../gl/webgl2/constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { type Layout, layoutOf } from '../../model/texture-formats.ts';
import { addGreyDepth } from '../encode/grey-depth.ts';
import { addOddSizeFilter } from '../encode/odd-sizes.ts';
import { hideAlpha, isOpaqueFloats, opaqueTexels } from '../encode/opaque-floats.ts';
import { sizedFormat } from '../encode/sized-formats.ts';
import { type Image, imageTargetOf, levelOf, type Storage, type TextureShadow } from '../observe/shadows.ts';
import { isFace } from '../observe/textures.ts';
import { compressedBytes } from '../observe/uploads.ts';
import { encodeTexels } from '../read-back/texel-encode.ts';
import { anisotropyDefault, type SnapshotContext } from './snapshot.ts';

type Reading = Pick<SnapshotContext, 'target' | 'reader'>;

/** Parameters and their usual values; those after the first four are WebGL 2's. */
const parameters: readonly (readonly [number, number, 'i' | 'f'])[] = [
  [c.TEXTURE_MIN_FILTER, c.NEAREST_MIPMAP_LINEAR, 'i'],
  [c.TEXTURE_MAG_FILTER, c.LINEAR, 'i'],
  [c.TEXTURE_WRAP_S, c.REPEAT, 'i'],
  [c.TEXTURE_WRAP_T, c.REPEAT, 'i'],
  [c.TEXTURE_WRAP_R, c.REPEAT, 'i'],
  [c.TEXTURE_MIN_LOD, -1000, 'f'],
  [c.TEXTURE_MAX_LOD, 1000, 'f'],
  [c.TEXTURE_BASE_LEVEL, 0, 'i'],
  [c.TEXTURE_MAX_LEVEL, 1000, 'i'],
  [c.TEXTURE_COMPARE_MODE, c.NONE, 'i'],
  [c.TEXTURE_COMPARE_FUNC, c.LEQUAL, 'i'],
];

/** WEBGL_stencil_texturing's, where the program has asked for it. */
const stencilMode = ({ extensions }: SnapshotContext['target']): (typeof parameters)[number][] =>
  extensions.has('webgl_stencil_texturing') ? [[0x90ea, c.DEPTH_COMPONENT, 'i']] : [];

/** Sets parameters that make one level readable, works, and puts them back. The texture is bound. */
function withLevel<T>({ target }: Reading, texture: TextureShadow, level: number, work: () => T): T {
  const { gl, version } = target;
  const textureTarget = texture.target;
  const known = new Map<number, number>([
    [c.TEXTURE_BASE_LEVEL, texture.baseLevel],
    [c.TEXTURE_MAX_LEVEL, texture.maxLevel],
  ]);
  const wanted: [number, number][] = [];
  if (version === 2) {
    wanted.push([c.TEXTURE_BASE_LEVEL, level]);
    // Only where it must: Mesa clamps what is set on immutable storage, and the program would read another value.
    if (texture.maxLevel < level) wanted.push([c.TEXTURE_MAX_LEVEL, level]);
  } else
    wanted.push(
      [c.TEXTURE_MIN_FILTER, level === 0 ? c.NEAREST : c.NEAREST_MIPMAP_NEAREST],
      [c.TEXTURE_MAG_FILTER, c.NEAREST],
      [c.TEXTURE_WRAP_S, c.CLAMP_TO_EDGE],
      [c.TEXTURE_WRAP_T, c.CLAMP_TO_EDGE],
    );
  for (const [name, usual] of stencilMode(target)) wanted.push([name, usual]);
  const before = wanted.map(([name]) => [name, known.get(name) ?? (gl.getTexParameter(textureTarget, name) as number)]);
  for (const [name, value] of wanted) gl.texParameteri(textureTarget, name, value);
  try {
    return work();
  } finally {
    for (const [name, value] of before) gl.texParameteri(textureTarget, name, value);
  }
}

const plainTypes: readonly number[] = [
  c.UNSIGNED_BYTE,
  c.UNSIGNED_SHORT_5_6_5,
  c.UNSIGNED_SHORT_4_4_4_4,
  c.UNSIGNED_SHORT_5_5_5_1,
];
const unattachable: readonly number[] = [c.ALPHA, c.LUMINANCE, c.LUMINANCE_ALPHA];

/** Whether an image can be read through a framebuffer, and is then bound for it. Cheaper than sampling. */
function attach(
  { target: { gl, version }, reader }: Reading,
  texture: TextureShadow,
  imageTarget: number,
  level: number,
  layout: Layout,
): boolean {
  const flat = imageTarget === c.TEXTURE_2D || isFace(imageTarget);
  const plain = layout.numbers === 'unorm' && plainTypes.includes(layout.type) && !unattachable.includes(layout.format);
  if (!flat || !plain || (version === 1 && level > 0)) return false;
  reader.bindEmpty(() =>
    gl.framebufferTexture2D(c.FRAMEBUFFER, c.COLOR_ATTACHMENT0, imageTarget, texture.handle, level),
  );
  if (gl.checkFramebufferStatus(c.FRAMEBUFFER) === c.FRAMEBUFFER_COMPLETE) return true;
  reader.detach();
  return false;
}

/**
 * One image's texels as the GPU has them, in the layout that uploads it, or in another that `layoutFor` chooses.
 * Inside {@link guarded}.
 */
export function readImage(
  context: Reading,
  texture: TextureShadow,
  imageTarget: number,
  level: number,
  image: Image,
  layoutFor: (native: Layout) => Layout = (native) => native,
): { layout: Layout; texels: Uint8Array } {
  const { target, reader } = context;
  const native = layoutOf(image.internalformat, image.format, image.type);
  const layout = layoutFor(native);
  const { width, height, depth } = image;
  const rowBytes = width * texelBytes(layout.format, layout.type);
  const texels = new Uint8Array(rowBytes * height * depth);
  const step = reader.rowsAtOnce(width);
  const { gl } = target;
  const strips = (read: (layer: number, row: number, rows: number) => void) => {
    for (let layer = 0; layer < depth; layer++)
      for (let row = 0; row < height; row += step) read(layer, row, Math.min(step, height - row));
  };
  if (width * height * depth === 0) return { layout, texels };
  if (attach(context, texture, imageTarget, level, native)) {
    strips((_, row, rows) =>
      encodeTexels(reader.readColour(width, rows, 'unorm', row), { ...layout, srgb: false }, texels, row * rowBytes),
    );
    reader.detach();
    return { layout, texels };
  }
  const stencil = layout.numbers === 'depthStencil' ? readStencil(context, texture, level, width, height) : undefined;
  gl.bindTexture(texture.target, texture.handle);
  withLevel(context, texture, level, () =>
    strips((layer, row, rows) => {
      const source = {
        texture: texture.handle,
        target: texture.target,
        imageTarget,
        level,
        width,
        height,
        layer,
        depth,
      };
      const values = reader.sample(source, native.numbers, row, rows);
      if (stencil)
        for (let index = 0; index < width * rows; index++) values[index * 4 + 1] = stencil[row * width + index];
      encodeTexels(values, layout, texels, (layer * height + row) * rowBytes);
      gl.bindTexture(texture.target, texture.handle);
    }),
  );
  return { layout, texels };
}

function readStencil(
  { target: { gl }, reader }: Reading,
  texture: TextureShadow,
  level: number,
  width: number,
  height: number,
): Uint8Array {
  return reader.stencil(width, height, () =>
    gl.framebufferTexture2D(c.FRAMEBUFFER, c.DEPTH_STENCIL_ATTACHMENT, c.TEXTURE_2D, texture.handle, level),
  );
}

/** glTexStorage2D or 3D. */
function addStorage({ calls }: SnapshotContext, target: number, storage: Storage): void {
  const { levels, internalformat, width, height, depth } = storage;
  if (target === c.TEXTURE_3D || target === c.TEXTURE_2D_ARRAY)
    calls.add('glTexStorage3D', [target, levels, internalformat, width, height, depth]);
  else calls.add('glTexStorage2D', [target, levels, internalformat, width, height]);
}

/** Uploads a whole image: a definition, or a sub-image of immutable storage. */
function addImage(
  { calls, target }: SnapshotContext,
  texture: TextureShadow,
  imageTarget: number,
  level: number,
  image: Image,
  format: number,
  type: number,
  given: Uint8Array,
): void {
  const opaque = target.version === 1 && isOpaqueFloats(format, type);
  const texels = opaque ? opaqueTexels(type, given) : given;
  const { width, height, depth, internalformat } = image;
  const volume = texture.target === c.TEXTURE_3D || texture.target === c.TEXTURE_2D_ARRAY;
  const size = volume ? [width, height, depth] : [width, height];
  const offsets = volume ? [0, 0, 0] : [0, 0];
  const suffix = volume ? '3D' : '2D';
  const data = texels.length > 0 ? calls.data(texels) : null;
  if (format === 0) {
    if (texture.storage)
      calls.add(`glCompressedTexSubImage${suffix}`, [
        imageTarget,
        level,
        ...offsets,
        ...size,
        internalformat,
        texels.length,
        data,
      ]);
    else
      calls.add(`glCompressedTexImage${suffix}`, [imageTarget, level, internalformat, ...size, 0, texels.length, data]);
  } else if (texture.storage)
    calls.add(`glTexSubImage${suffix}`, [imageTarget, level, ...offsets, ...size, format, type, data]);
  else {
    const sized = opaque ? sizedFormat(c.RGBA, c.RGBA, type) : sizedFormat(internalformat, format, type);
    calls.add(`glTexImage${suffix}`, [imageTarget, level, sized[0], ...size, 0, sized[1], sized[2], data]);
    if (opaque) hideAlpha(calls, imageTarget);
  }
}

/** Creates the texture with all its images and parameters. WebGL starts textures at zero, GL does not: zeros are stored. */
export function setUpTexture(context: SnapshotContext, texture: TextureShadow): void {
  const { calls } = context;
  const through = context.through.get(texture.handle);
  calls.add('glGenTextures', [1, [texture.id]]);
  if (texture.target === 0) return;
  calls.add('glBindTexture', [texture.target, texture.id]);
  if (texture.storage) {
    addStorage(context, texture.target, texture.storage);
    completeStorage(texture);
  }
  const keys = [...texture.images.keys()].sort((a, b) => a - b);
  for (const key of keys) {
    const image = texture.images.get(key) as Image;
    const [imageTarget, level] = [imageTargetOf(key), levelOf(key)];
    const compressed = compressedBytes(image.internalformat, image.width, image.height, image.depth);
    if (compressed !== undefined || (image.format === 0 && image.texels))
      addImage(context, texture, imageTarget, level, image, 0, 0, image.texels ?? new Uint8Array(compressed ?? 0));
    else if (image.texels)
      addImage(context, texture, imageTarget, level, image, image.format, image.type, image.texels);
    else if ((image.onGpu || texture.rendered.has(key)) && (!through || through.key === key)) {
      const { layout, texels } = through?.image(image) ?? readImage(context, texture, imageTarget, level, image);
      addImage(context, texture, imageTarget, level, image, layout.format, layout.type, texels);
    } else {
      const { format, type } = layoutOf(image.internalformat, image.format, image.type);
      const zeros = new Uint8Array(image.width * image.height * image.depth * texelBytes(format, type));
      addImage(context, texture, imageTarget, level, image, format, type, zeros);
    }
  }
  // A deleted texture cannot be asked for its parameters, nor can anything sample it.
  if (!through) addParameters(context, texture);
}

/** Immutable storage has all its images from the start, also those that nothing was uploaded to. */
function completeStorage(texture: TextureShadow): void {
  const storage = texture.storage as Storage;
  const faces =
    texture.target === c.TEXTURE_CUBE_MAP
      ? [0, 1, 2, 3, 4, 5].map((face) => c.TEXTURE_CUBE_MAP_POSITIVE_X + face)
      : [texture.target];
  for (const imageTarget of faces)
    for (let level = 0; level < storage.levels; level++) {
      const key = imageTarget * 64 + level;
      if (texture.images.has(key)) continue;
      texture.images.set(key, {
        width: Math.max(1, storage.width >> level),
        height: Math.max(1, storage.height >> level),
        depth: texture.target === c.TEXTURE_3D ? Math.max(1, storage.depth >> level) : storage.depth,
        internalformat: storage.internalformat,
        format: 0,
        type: 0,
        texels: null,
        onGpu: false,
      });
    }
}

function addParameters({ calls, target, shadows }: SnapshotContext, texture: TextureShadow): void {
  const { gl, version } = target;
  gl.bindTexture(texture.target, texture.handle);
  for (const [name, usual, kind] of [
    ...parameters.slice(0, version === 2 ? undefined : 4),
    ...anisotropyDefault(target),
    ...stencilMode(target),
  ]) {
    const value = gl.getTexParameter(texture.target, name);
    if (value !== null && value !== undefined && Number(value) !== usual)
      calls.add(`glTexParameter${kind}`, [texture.target, name, Number(value)]);
  }
  if (version === 2) return;
  const [image] = texture.images.values();
  if (image) addGreyDepth(calls, texture.target, image.format);
  addOddSizeFilter(gl, shadows, calls, texture.target);
}
