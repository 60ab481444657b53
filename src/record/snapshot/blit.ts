import { constants as c } from '../../gl/webgl2/constants.ts';
import { type Layout, layoutOf } from '../../model/texture-formats.ts';
import type { Image, TextureShadow } from '../observe/shadows.ts';
import type { Target } from '../read-back/gl-guard.ts';
import type { GlReader } from '../read-back/gl-reader.ts';
import { readImage } from './texture.ts';

/** One aspect of an image without a texture: what gpuprofRenderbufferContents and gpuprofCanvasContents store. */
export interface Aspect {
  /** GL_COLOR, GL_DEPTH or GL_STENCIL. */
  readonly aspect: number;
  readonly format: number;
  readonly type: number;
  readonly pixels: Uint8Array;
}

/** The aspects that a format has, as glClear's bits. */
export function bits(internalformat: number): number {
  if (internalformat === c.STENCIL_INDEX8) return c.STENCIL_BUFFER_BIT;
  const { numbers } = layoutOf(internalformat, 0, 0);
  if (numbers === 'depth') return c.DEPTH_BUFFER_BIT;
  return numbers === 'depthStencil' ? c.DEPTH_BUFFER_BIT | c.STENCIL_BUFFER_BIT : c.COLOR_BUFFER_BIT;
}

export function attachmentOf(internalformat: number): number {
  if (internalformat === c.STENCIL_INDEX8) return c.STENCIL_ATTACHMENT;
  const mask = bits(internalformat);
  if (mask === c.COLOR_BUFFER_BIT) return c.COLOR_ATTACHMENT0;
  return mask === c.DEPTH_BUFFER_BIT ? c.DEPTH_ATTACHMENT : c.DEPTH_STENCIL_ATTACHMENT;
}

/** Colour contents are stored in few layouts, wide enough for every format (capture/FORMAT.md). */
export function contentsLayout(native: Layout): Layout {
  const { numbers, type } = native;
  if (numbers === 'depth' || numbers === 'depthStencil') return native;
  if (numbers === 'int') return { format: c.RGBA_INTEGER, type: c.INT, numbers };
  if (numbers === 'uint') return { format: c.RGBA_INTEGER, type: c.UNSIGNED_INT, numbers };
  if (numbers === 'float' || numbers === 'snorm') return { format: c.RGBA, type: c.FLOAT, numbers: 'float' };
  const wide = type === c.UNSIGNED_INT_2_10_10_10_REV ? type : c.UNSIGNED_BYTE;
  return { format: c.RGBA, type: wide, numbers, srgb: native.srgb };
}

/** Splits a depth-stencil layout's texels into its two aspects. */
function split(layout: Layout, texels: Uint8Array): Aspect[] {
  const view = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
  const wide = layout.type === c.FLOAT_32_UNSIGNED_INT_24_8_REV;
  const count = texels.length / (wide ? 8 : 4);
  const depth = new Float32Array(count);
  const stencil = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const word = view.getUint32(wide ? index * 8 + 4 : index * 4, true);
    depth[index] = wide ? view.getFloat32(index * 8, true) : (word >>> 8) / 0xffffff;
    stencil[index] = word & 255;
  }
  return [
    { aspect: c.DEPTH, format: c.DEPTH_COMPONENT, type: c.FLOAT, pixels: new Uint8Array(depth.buffer) },
    { aspect: c.STENCIL, format: c.RED_INTEGER, type: c.UNSIGNED_BYTE, pixels: stencil },
  ];
}

/** Depth is always stored as 32-bit floats: they hold any depth, and no format limits what they are drawn into. */
function asFloats(layout: Layout, texels: Uint8Array): Uint8Array {
  if (layout.type === c.FLOAT) return texels;
  const depth =
    layout.type === c.UNSIGNED_SHORT
      ? Float32Array.from(new Uint16Array(texels.buffer), (value) => value / 0xffff)
      : Float32Array.from(new Uint32Array(texels.buffer), (value) => (value >>> 8) / 0xffffff);
  return new Uint8Array(depth.buffer);
}

function aspectsOf(layout: Layout, texels: Uint8Array): Aspect[] {
  if (layout.numbers === 'depthStencil') return split(layout, texels);
  if (layout.numbers === 'depth')
    return [{ aspect: c.DEPTH, format: c.DEPTH_COMPONENT, type: c.FLOAT, pixels: asFloats(layout, texels) }];
  return [{ aspect: c.COLOR, format: layout.format, type: layout.type, pixels: texels }];
}

/** A texture of the recorder's own as a shadow, so that the texture reader takes it. */
function temporary(handle: object, image: Image): TextureShadow {
  const { internalformat, width, height } = image;
  const storage = { levels: 1, internalformat, width, height, depth: 1 };
  return {
    kind: 'texture',
    handle,
    id: 0,
    capture: 0,
    target: c.TEXTURE_2D,
    storage,
    images: new Map(),
    baseLevel: 0,
    maxLevel: 1000,
    rendered: new Set(),
  };
}

/**
 * Copies what is bound for reading (a framebuffer whose images have this format) into a texture by a blit, which also
 * resolves samples, and reads that. Undefined when the formats turn out not to match. WebGL 2 only.
 */
export function readByBlit(
  target: Target,
  reader: GlReader,
  internalformat: number,
  width: number,
  height: number,
  bindSource: () => void,
): Aspect[] | undefined {
  const read = readImageByBlit(target, reader, internalformat, width, height, bindSource, contentsLayout);
  return read && aspectsOf(read.layout, read.texels);
}

/** As {@link readByBlit}, in the layout that `layoutFor` chooses. */
export function readImageByBlit(
  target: Target,
  reader: GlReader,
  internalformat: number,
  width: number,
  height: number,
  bindSource: () => void,
  layoutFor: (native: Layout) => Layout,
): { layout: Layout; texels: Uint8Array } | undefined {
  const { gl } = target;
  const texture = gl.createTexture();
  const framebuffer = gl.createFramebuffer();
  const image = { width, height, depth: 1, internalformat, format: 0, type: 0, texels: null, onGpu: true };
  try {
    gl.bindTexture(c.TEXTURE_2D, texture);
    gl.texStorage2D(c.TEXTURE_2D, 1, internalformat, width, height);
    gl.bindFramebuffer(c.DRAW_FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(c.DRAW_FRAMEBUFFER, attachmentOf(internalformat), c.TEXTURE_2D, texture, 0);
    bindSource();
    while (gl.getError() !== c.NO_ERROR);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, bits(internalformat), c.NEAREST);
    if (gl.getError() !== c.NO_ERROR) return undefined;
    return readImage({ target, reader }, temporary(texture, image), c.TEXTURE_2D, 0, image, layoutFor);
  } finally {
    gl.deleteFramebuffer(framebuffer);
    gl.deleteTexture(texture);
  }
}

const aspectNames = [
  [c.COLOR_BUFFER_BIT, c.COLOR, 'colour'],
  [c.DEPTH_BUFFER_BIT, c.DEPTH, 'depth'],
  [c.STENCIL_BUFFER_BIT, c.STENCIL, 'stencil'],
] as const;

/** Names of the aspects of a mask that were not read. */
export function missingFrom(aspects: readonly Aspect[], mask: number): string[] {
  return aspectNames.flatMap(([bit, aspect, name]) =>
    (mask & bit) !== 0 && !aspects.some((found) => found.aspect === aspect) ? [name] : [],
  );
}

/** Whether all pixels are equal, as a clear leaves them: then so are the samples of each. */
export function isPlain({ pixels }: Aspect, count: number): boolean {
  const size = pixels.length / count;
  return pixels.every((byte, index) => byte === pixels[index % size]);
}
