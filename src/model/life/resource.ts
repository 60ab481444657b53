/** What a capture's calls make of GPU memory: resources, and what happens to them. */
import { GL } from '../gl-constants.ts';
import type { StorageShape, TextureShape } from '../texture-shapes.ts';

export type BufferUse = 'vertex' | 'index' | 'uniform' | 'storage';

export interface BufferResource {
  readonly class: 'buffer';
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  /** How often its contents are said to change. */
  readonly changes: 'never' | 'seldom' | 'often';
  /** All uses in the whole capture; at least one. */
  readonly uses: readonly BufferUse[];
}

export interface RenderbufferResource {
  readonly class: 'renderbuffer';
  readonly id: number;
  readonly name: string;
  readonly internalFormat: number;
  readonly width: number;
  readonly height: number;
  /** 0 when not multisampled. */
  readonly samples: number;
}

/** One image of a texture; a face each of a cube map. */
export interface TextureImage {
  /** The target that it is specified by. */
  readonly target: number;
  readonly level: number;
  readonly internalFormat: number;
  /** Of the upload; 0 when there was none. */
  readonly format: number;
  readonly type: number;
  readonly width: number;
  readonly height: number;
  /** Slices or layers. */
  readonly depth: number;
}

export interface TextureResource {
  readonly class: 'texture';
  readonly id: number;
  readonly name: string;
  /** The images it has when it is first used. */
  readonly images: readonly TextureImage[];
  /** 0 when not multisampled. */
  readonly samples: number;
  /** False for a view of another texture's memory. */
  readonly owns: boolean;
}

export type LifeResource = BufferResource | RenderbufferResource | TextureResource;

/** What a call causes. Sizes in bytes. */
export type LifeEvent =
  | { readonly kind: 'create' | 'release'; readonly resource: LifeResource }
  /** A live texture gets other images. */
  | { readonly kind: 'change'; readonly resource: TextureResource }
  /** Data from client memory; `level` is 0 for buffers. */
  | {
      readonly kind: 'upload';
      readonly resource: BufferResource | TextureResource;
      readonly level: number;
      readonly sizeBytes: number;
    }
  /** Pixels into client memory; of the canvas when `source` is null. */
  | {
      readonly kind: 'readback';
      readonly source: TextureResource | RenderbufferResource | null;
      readonly sizeBytes: number;
    }
  /** The canvas gets another size, in pixels. */
  | { readonly kind: 'canvas'; readonly width: number; readonly height: number };

const mostLevels = 32;
const shrink = (size: number, level: number): number => Math.max(1, Math.floor(size / 2 ** level));

function storedImages(target: number, storage: StorageShape): TextureImage[] {
  const faces =
    target === GL.TEXTURE_CUBE_MAP
      ? Array.from({ length: 6 }, (_, face) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + face)
      : [target];
  const levels = Array.from({ length: Math.min(Math.max(0, storage.levels), mostLevels) }, (_, level) => level);
  // A one-dimensional array has its layers as height.
  const isRow = target === GL.TEXTURE_1D_ARRAY;
  return levels.flatMap((level) =>
    faces.map((face) => ({
      target: face,
      level,
      internalFormat: storage.internalFormat,
      format: 0,
      type: 0,
      width: shrink(storage.width, level),
      height: isRow ? 1 : shrink(storage.height, level),
      depth: isRow ? storage.height : target === GL.TEXTURE_3D ? shrink(storage.depth, level) : storage.depth,
    })),
  );
}

/** Every image of a texture, by level and then as they were specified. */
export function textureImages(shape: TextureShape): TextureImage[] {
  if (shape.storage) return storedImages(shape.target, shape.storage);
  const isRow = shape.target === GL.TEXTURE_1D_ARRAY;
  return [...shape.images.values()]
    .map(({ target, level, internalFormat, format, type, width, height, depth }) => ({
      target,
      level,
      internalFormat,
      format,
      type,
      width,
      height: isRow ? 1 : height,
      depth: isRow ? height : depth,
    }))
    .sort((a, b) => a.level - b.level);
}

const sameList = (a: readonly TextureImage[], b: readonly TextureImage[]): boolean =>
  a.length === b.length &&
  a.every((image, index) => {
    const other = b[index];
    return (Object.keys(image) as (keyof TextureImage)[]).every((key) => image[key] === other[key]);
  });

/** Whether two textures have the same images. */
export const sameTexture = (a: TextureResource, b: Pick<TextureResource, 'images' | 'samples'>): boolean =>
  a.samples === b.samples && sameList(a.images, b.images);

/** Whether one resource is in every way what the other is. */
export function sameResource(a: LifeResource, b: LifeResource): boolean {
  if (a === b) return true;
  if (a.class === 'texture') return b.class === 'texture' && a.owns === b.owns && sameTexture(a, b);
  return (Object.keys(a) as (keyof LifeResource)[]).every((key) => a[key] === b[key]);
}
