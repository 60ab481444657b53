/** Follows how textures are laid out, so that a frame's changes can be undone: GL cannot tell the format of an upload. */
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName, bindingTarget, GL } from '../../model/gl-constants.ts';

/** One image of a mutable texture, as it was specified. */
export interface ImageShape {
  /** The target that specified it: a cube map's face, say. */
  readonly target: number;
  readonly level: number;
  readonly internalFormat: number;
  readonly width: number;
  readonly height: number;
  /** Slices or layers; 1 for flat images. */
  readonly depth: number;
  readonly format: number;
  readonly type: number;
  readonly compressedBytes: number | null;
}

/** Immutable storage, from glTexStorage*. */
export interface StorageShape {
  readonly levels: number;
  readonly internalFormat: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 when not multisampled. */
  readonly samples: number;
  readonly fixedLocations: number;
}

export interface TextureShape {
  readonly target: number;
  readonly images: ReadonlyMap<string, ImageShape>;
  readonly storage: StorageShape | null;
}

export const sameImage = (a: ImageShape | undefined, b: ImageShape): boolean =>
  a !== undefined && (Object.keys(b) as (keyof ImageShape)[]).every((key) => a[key] === b[key]);

interface Mutable {
  target: number;
  images: Map<string, ImageShape>;
  storage: StorageShape | null;
}

const n = (value: Argument): number => Number(value);
const half = (size: number, levels: number): number => Math.max(1, size >> levels);

const isCube = (target: number): boolean => target === GL.TEXTURE_CUBE_MAP;
/** Targets whose third dimension is layers, which do not shrink from level to level. */
const isVolume = (target: number): boolean => target === GL.TEXTURE_3D;

export class TextureShapes {
  readonly #shapes = new Map<number, Mutable>();

  /** The shape now; unchanged by later calls. */
  shape(id: number): TextureShape | undefined {
    const shape = this.#shapes.get(id);
    return shape && { target: shape.target, images: new Map(shape.images), storage: shape.storage };
  }

  /** All shapes as they are now. */
  copy(): TextureShapes {
    const copied = new TextureShapes();
    for (const [id, { target, images, storage }] of this.#shapes)
      copied.#shapes.set(id, { target, images: new Map(images), storage });
    return copied;
  }

  /** To be called with each call, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    const a = call.args;
    if (/^Delete(Textures)$/.test(name)) for (const id of a[1] as readonly number[]) this.#shapes.delete(id);
    else if (/^(Compressed|Copy)?TexImage[123]D/.test(name)) this.#image(name, a, bindings);
    else if (/^TexStorage[123]D/.test(name)) this.#storage(name, bindingTarget(n(a[0])), bindings.texture(n(a[0])), a);
    else if (/^TextureStorage[123]D/.test(name))
      this.#storage(name, bindings.textureTargets.get(n(a[0])) ?? GL.TEXTURE_2D, n(a[0]), a);
    else if (name === 'GenerateMipmap') this.#mipmap(bindings.texture(n(a[0])));
    else if (name === 'GenerateTextureMipmap') this.#mipmap(n(a[0]));
  }

  #of(id: number, target: number): Mutable {
    let shape = this.#shapes.get(id);
    if (!shape) {
      shape = { target, images: new Map(), storage: null };
      this.#shapes.set(id, shape);
    }
    return shape;
  }

  #image(name: string, a: readonly Argument[], bindings: Bindings): void {
    const target = n(a[0]);
    const id = bindings.texture(target);
    if (id === 0) return;
    const shape = this.#of(id, bindingTarget(target));
    if (name.includes('Multisample')) {
      const depth = name.includes('3D') ? n(a[5]) : 1;
      shape.storage = {
        levels: 1,
        internalFormat: n(a[2]),
        width: n(a[3]),
        height: n(a[4]),
        depth,
        samples: n(a[1]),
        fixedLocations: n(a[a.length - 1]),
      };
      return;
    }
    const level = n(a[1]);
    const common = { target, level, internalFormat: n(a[2]) };
    const key = `${target}/${level}`;
    const flat = { depth: 1, format: 0, type: 0, compressedBytes: null };
    if (name === 'CopyTexImage2D') shape.images.set(key, { ...common, ...flat, width: n(a[5]), height: n(a[6]) });
    else if (name.startsWith('Copy')) return;
    else {
      const dimensions = Number(/([123])D/.exec(name)?.[1]);
      const [width, height, depth] = [0, 1, 2].map((d) => (d < dimensions ? n(a[3 + d]) : 1));
      const after = 3 + dimensions + 1;
      const compressed = name.startsWith('Compressed');
      shape.images.set(key, {
        ...common,
        width,
        height,
        depth,
        format: compressed ? 0 : n(a[after]),
        type: compressed ? 0 : n(a[after + 1]),
        compressedBytes: compressed ? n(a[after]) : null,
      });
    }
  }

  #storage(name: string, target: number, id: number, a: readonly Argument[]): void {
    if (id === 0) return;
    const dimensions = Number(/([123])D/.exec(name)?.[1]);
    const multisample = name.includes('Multisample');
    const [width, height, depth] = [0, 1, 2].map((d) => (d < dimensions ? n(a[3 + d]) : 1));
    this.#of(id, target).storage = {
      levels: multisample ? 1 : n(a[1]),
      internalFormat: n(a[2]),
      width,
      height,
      depth,
      samples: multisample ? n(a[1]) : 0,
      fixedLocations: multisample ? n(a[a.length - 1]) : 0,
    };
  }

  #mipmap(id: number): void {
    const shape = this.#shapes.get(id);
    if (!shape || shape.storage) return;
    for (const base of [...shape.images.values()].filter(({ level }) => level === 0)) {
      const volume = isVolume(shape.target);
      const size = Math.max(base.width, base.height, volume ? base.depth : 1);
      for (let level = 1; size >> level > 0; level++)
        shape.images.set(`${base.target}/${level}`, {
          ...base,
          level,
          width: half(base.width, level),
          height: half(base.height, level),
          depth: volume ? half(base.depth, level) : base.depth,
        });
    }
  }
}

/** One two- or three-dimensional image to copy. */
export interface ImagePlace {
  /** Where a flat image is attached or specified. */
  readonly target: number;
  readonly level: number;
  readonly width: number;
  readonly height: number;
  /** Slices or layers that one copy covers. */
  readonly depth: number;
}

/** Every image a texture has. */
export function imagesOf(shape: TextureShape): ImagePlace[] {
  if (!shape.storage) return [...shape.images.values()];
  const { levels, width, height, depth } = shape.storage;
  const faces = isCube(shape.target)
    ? [0, 1, 2, 3, 4, 5].map((f) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + f)
    : [shape.target];
  const places: ImagePlace[] = [];
  for (let level = 0; level < Math.min(levels, 32); level++)
    for (const target of faces)
      places.push({
        target,
        level,
        width: half(width, level),
        height: shape.target === GL.TEXTURE_1D ? 1 : half(height, level),
        depth: isVolume(shape.target) ? half(depth, level) : depth,
      });
  return places;
}
