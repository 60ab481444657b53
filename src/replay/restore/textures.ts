import { GpuprofError } from '../../errors.ts';
import { Scratch } from '../../gl/native.ts';
import { GL } from '../../model/gl-constants.ts';
import { layoutOf } from '../../model/texture-formats.ts';
import { type ImageShape, imagesOf, type TextureShape } from '../../model/texture-shapes.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import { desktopFormats } from '../desktop-formats.ts';
import type { Saved } from './buffers.ts';
import type { ImageCopier } from './image-copy.ts';

const e = glEnums(
  'GL_TEXTURE_MIN_FILTER',
  'GL_TEXTURE_MAG_FILTER',
  'GL_TEXTURE_MAX_LEVEL',
  'GL_NEAREST',
  'GL_TEXTURE_WRAP_S',
  'GL_TEXTURE_WRAP_T',
  'GL_TEXTURE_WRAP_R',
  'GL_TEXTURE_BASE_LEVEL',
  'GL_TEXTURE_MIN_LOD',
  'GL_TEXTURE_MAX_LOD',
  'GL_TEXTURE_COMPARE_MODE',
  'GL_TEXTURE_COMPARE_FUNC',
  'GL_TEXTURE_SWIZZLE_R',
  'GL_TEXTURE_SWIZZLE_G',
  'GL_TEXTURE_SWIZZLE_B',
  'GL_TEXTURE_SWIZZLE_A',
  'GL_DEPTH_STENCIL_TEXTURE_MODE',
  'GL_TEXTURE_MAX_ANISOTROPY',
  'GL_TEXTURE_SRGB_DECODE_EXT',
  'GL_TEXTURE_LOD_BIAS',
  'GL_TEXTURE_BORDER_COLOR',
  'GL_DEPTH_COMPONENT',
  'GL_ALPHA',
  'GL_RGB',
  'GL_RGBA',
  'GL_LUMINANCE',
  'GL_LUMINANCE_ALPHA',
  'GL_UNSIGNED_BYTE',
  'GL_TEXTURE_BUFFER',
);

const integerParameters = [
  e.GL_TEXTURE_MIN_FILTER,
  e.GL_TEXTURE_MAG_FILTER,
  e.GL_TEXTURE_WRAP_S,
  e.GL_TEXTURE_WRAP_T,
  e.GL_TEXTURE_WRAP_R,
  e.GL_TEXTURE_BASE_LEVEL,
  e.GL_TEXTURE_MAX_LEVEL,
  e.GL_TEXTURE_COMPARE_MODE,
  e.GL_TEXTURE_COMPARE_FUNC,
  e.GL_TEXTURE_SWIZZLE_R,
  e.GL_TEXTURE_SWIZZLE_G,
  e.GL_TEXTURE_SWIZZLE_B,
  e.GL_TEXTURE_SWIZZLE_A,
  e.GL_DEPTH_STENCIL_TEXTURE_MODE,
  e.GL_TEXTURE_SRGB_DECODE_EXT,
];
const floatParameters = [
  e.GL_TEXTURE_MIN_LOD,
  e.GL_TEXTURE_MAX_LOD,
  e.GL_TEXTURE_MAX_ANISOTROPY,
  e.GL_TEXTURE_LOD_BIAS,
];

/** Keeps a texture's or a sampler's parameters; which ones there are is found out by asking. */
export function saveParameters(
  { context }: ReplayState,
  kind: 'Tex' | 'Sampler',
  object: number,
  before: () => void,
): Saved {
  const { gl, scratch } = context;
  const own = new Scratch(64);
  const restores: (() => void)[] = [];
  const [get, set] = [gl[`glGet${kind}Parameteriv`], gl[`gl${kind}Parameteri`]];
  const [getFloat, setFloat] = [gl[`glGet${kind}Parameterfv`], gl[`gl${kind}Parameterf`]];
  before();
  for (const name of integerParameters) {
    get(object, name, scratch.address);
    const value = scratch.i32[0];
    if (gl.glGetError() === 0) restores.push(() => void set(object, name, value));
  }
  for (const name of floatParameters) {
    getFloat(object, name, scratch.address);
    const value = scratch.f32[0];
    if (gl.glGetError() === 0) restores.push(() => void setFloat(object, name, value));
  }
  getFloat(object, e.GL_TEXTURE_BORDER_COLOR, own.address);
  if (gl.glGetError() === 0)
    restores.push(() => void gl[`gl${kind}Parameterfv`](object, e.GL_TEXTURE_BORDER_COLOR, own.address));
  const usable = restores.filter((restore) => {
    restore();
    return gl.glGetError() === 0;
  });
  return {
    restore() {
      before();
      for (const restore of usable) restore();
    },
    destroy() {},
  };
}

/** Internal formats that are formats too. */
const unsized: ReadonlySet<number> = new Set([
  e.GL_DEPTH_COMPONENT,
  e.GL_ALPHA,
  e.GL_RGB,
  e.GL_LUMINANCE,
  e.GL_LUMINANCE_ALPHA,
]);

/** A layout that goes with the internal format of an image that was copied, not uploaded: OpenGL ES takes no other. */
const copiedLayout = (internalFormat: number) =>
  layoutOf(internalFormat, unsized.has(internalFormat) ? internalFormat : e.GL_RGBA, e.GL_UNSIGNED_BYTE);

/** Specifies an image anew, without contents, in the bound texture. */
function specify({ context, esOnDesktop }: ReplayState, image: ImageShape): void {
  const { gl } = context;
  const flat = image.target !== GL.TEXTURE_3D && image.target !== 0x8c1a && image.target !== 0x9009;
  const { target, level, width, height, depth } = image;
  const { internalFormat, type: known } = esOnDesktop ? desktopFormats(image, context) : image;
  if (image.compressedBytes !== null) {
    const zeros = new Scratch(image.compressedBytes);
    if (flat)
      gl.glCompressedTexImage2D(target, level, internalFormat, width, height, 0, image.compressedBytes, zeros.address);
    else
      gl.glCompressedTexImage3D(
        target,
        level,
        internalFormat,
        width,
        height,
        depth,
        0,
        image.compressedBytes,
        zeros.address,
      );
    return;
  }
  const { format, type } = image.format ? { format: image.format, type: known } : copiedLayout(internalFormat);
  if (target === GL.TEXTURE_1D) gl.glTexImage1D(target, level, internalFormat, width, 0, format, type, 0);
  else if (flat) gl.glTexImage2D(target, level, internalFormat, width, height, 0, format, type, 0);
  else gl.glTexImage3D(target, level, internalFormat, width, height, depth, 0, format, type, 0);
}

/** Lets the bound texture be copied, whatever its parameters: glCopyImageSubData wants complete textures. */
function complete({ context: { gl } }: ReplayState, { target, images }: TextureShape): void {
  const levels = [...images.values()].map(({ level }) => level);
  gl.glTexParameteri(target, e.GL_TEXTURE_MIN_FILTER, e.GL_NEAREST);
  gl.glTexParameteri(target, e.GL_TEXTURE_BASE_LEVEL, Math.min(...levels));
  gl.glTexParameteri(target, e.GL_TEXTURE_MAX_LEVEL, Math.max(...levels));
}

/** Makes a texture of the same layout for the copy. */
function allocate(state: ReplayState, shape: TextureShape, name: number): void {
  const { gl } = state.context;
  gl.glBindTexture(shape.target, name);
  const s = shape.storage;
  if (!s) {
    for (const image of shape.images.values()) specify(state, image);
    complete(state, shape);
  } else if (s.samples > 0) {
    const { samples, internalFormat, width, height, depth, fixedLocations } = s;
    if (shape.target === 0x9102)
      gl.glTexStorage3DMultisample(shape.target, samples, internalFormat, width, height, depth, fixedLocations);
    else gl.glTexStorage2DMultisample(shape.target, samples, internalFormat, width, height, fixedLocations);
  } else if (shape.target === GL.TEXTURE_1D) gl.glTexStorage1D(shape.target, s.levels, s.internalFormat, s.width);
  else if (shape.target === GL.TEXTURE_3D || shape.target === 0x8c1a || shape.target === 0x9009)
    gl.glTexStorage3D(shape.target, s.levels, s.internalFormat, s.width, s.height, s.depth);
  else gl.glTexStorage2D(shape.target, s.levels, s.internalFormat, s.width, s.height);
}

/** Whether a texture has contents of its own to keep. */
export const hasContents = (shape: TextureShape | undefined): shape is TextureShape =>
  shape !== undefined && shape.target !== e.GL_TEXTURE_BUFFER && (shape.storage !== null || shape.images.size > 0);

/**
 * Keeps a copy of all images of a texture, but not its parameters: it changes those of mutable ones. Returns null when this context cannot copy the format inside the GPU: such a
 * texture can only be filled by uploads, and is restored by making them again. `isSpecifiedAgain` tells of an image of
 * mutable storage whether its layout must be put back too.
 */
export function saveTexture(
  state: ReplayState,
  copier: ImageCopier,
  id: number,
  shape: TextureShape,
  isSpecifiedAgain: (key: string, image: ImageShape) => boolean,
): Saved | null {
  const { gl } = state.context;
  const { texture: names } = state.objects.names;
  const own = new Scratch(64);
  gl.glGenTextures(1, own.address);
  const copy = own.u32[0];
  allocate(state, shape, copy);
  const bindComplete = () => {
    if (shape.storage) return;
    gl.glBindTexture(shape.target, names[id]);
    complete(state, shape);
  };
  bindComplete();
  const places = imagesOf(shape).filter(({ width, height, depth }) => width > 0 && height > 0 && depth > 0);
  const end = (from: number, { target, level }: { target: number; level: number }) => ({ name: from, target, level });
  const accepted = places.every((place) => copier.accepts(end(names[id], place), end(copy, place)));
  if (!accepted) {
    gl.glDeleteTextures(1, own.address);
    if ((shape.storage?.samples ?? 0) > 0)
      throw new GpuprofError(
        'missing-feature',
        `the frame draws into a multisampled texture, which ${state.context.renderer} (${state.context.versionText}) cannot restore`,
        { hint: 'it needs glCopyImageSubData: use --driver egl' },
      );
    return null;
  }
  for (const place of places) copier.copy(end(names[id], place), end(copy, place), place);
  const respecified = shape.storage
    ? []
    : [...shape.images].filter(([key, image]) => isSpecifiedAgain(key, image)).map(([, image]) => image);
  return {
    restore() {
      bindComplete();
      for (const image of respecified) specify(state, image);
      for (const place of places) copier.copy(end(copy, place), end(names[id], place), place);
    },
    destroy() {
      gl.glDeleteTextures(1, own.address);
    },
  };
}
