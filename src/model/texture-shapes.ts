/** Follows how textures are laid out: GL itself cannot tell the format of an upload. */
import type { Bindings } from './bindings.ts';
import type { Call } from './call.ts';
import { baseName, bindingTarget, GL } from './gl-constants.ts';
import { firstObject, numberNamed } from './named-arguments.ts';
import { perSignature } from './per-signature.ts';
import type { Signature } from './signature.ts';

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

const half = (size: number, levels: number): number => Math.max(1, size >> levels);

const isCube = (target: number): boolean => target === GL.TEXTURE_CUBE_MAP;
/** Targets whose third dimension is layers, which do not shrink from level to level. */
const isVolume = (target: number): boolean => target === GL.TEXTURE_3D;

type Kind = 'delete' | 'image' | 'multisample' | 'storage' | 'mipmap' | 'view';

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^DeleteTextures$/, 'delete'],
  [/^(Compressed|Copy)?(Multi)?(Tex|Texture)Image[123]D$/, 'image'],
  [/^(Multi)?(Tex|Texture)Image[23]DMultisample$/, 'multisample'],
  [/^(Tex|Texture)Storage[123]D(Multisample)?$/, 'storage'],
  [/^Generate(Multi)?(Tex|Texture)?Mipmap$/, 'mipmap'],
  [/^TextureView$/, 'view'],
];

const kindFor = perSignature((signature): Kind | null => {
  const base = baseName(signature.name);
  return kinds.find(([pattern]) => pattern.test(base))?.[1] ?? null;
});

/** The texture that a command works on: the one it names, else the one bound to its target (of its unit); 0 for none. */
export function textureOf(call: Call, bindings: Bindings): number {
  const named = firstObject(call, 'texture');
  if (named !== undefined) return named;
  const unit = numberNamed(call, 'texunit');
  return bindings.texture(numberNamed(call, 'target') ?? 0, unit === undefined ? undefined : unit - GL.TEXTURE0);
}

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

  /** Whether calls of this signature can change shapes; others need not be observed. */
  static follows(signature: Signature): boolean {
    return kindFor(signature) !== null;
  }

  /** To be called with each call, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const kind = kindFor(call.signature);
    if (kind === null) return;
    if (kind === 'delete') {
      const bound = [bindings.drawFramebuffer, bindings.readFramebuffer];
      // What a framebuffer holds that is not bound lives on without its name.
      for (const id of [call.args[1]].flat().map(Number))
        if (bindings.framebuffersWith('texture', id).every((each) => bound.includes(each))) this.#shapes.delete(id);
      return;
    }
    const id = textureOf(call, bindings);
    if (id === 0) return;
    if (kind === 'mipmap') {
      this.#mipmap(id);
      return;
    }
    if (kind === 'view') {
      this.#view(call.args.map(Number));
      return;
    }
    const target = numberNamed(call, 'target') ?? bindings.textureTargets.get(id) ?? GL.TEXTURE_2D;
    const shape = this.#of(id, bindingTarget(target));
    if (kind === 'image') this.#image(shape, target, call);
    else shape.storage = this.#storage(call);
  }

  #of(id: number, target: number): Mutable {
    let shape = this.#shapes.get(id);
    if (!shape) {
      shape = { target, images: new Map(), storage: null };
      this.#shapes.set(id, shape);
    }
    return shape;
  }

  #image(shape: Mutable, target: number, call: Call): void {
    const level = numberNamed(call, 'level') ?? 0;
    shape.images.set(`${target}/${level}`, {
      target,
      level,
      internalFormat: numberNamed(call, 'internalformat') ?? 0,
      width: numberNamed(call, 'width') ?? 1,
      height: numberNamed(call, 'height') ?? 1,
      depth: numberNamed(call, 'depth') ?? 1,
      format: numberNamed(call, 'format') ?? 0,
      type: numberNamed(call, 'type') ?? 0,
      compressedBytes: numberNamed(call, 'imageSize') ?? null,
    });
  }

  #storage(call: Call): StorageShape {
    return {
      levels: numberNamed(call, 'levels') ?? 1,
      internalFormat: numberNamed(call, 'internalformat') ?? 0,
      width: numberNamed(call, 'width') ?? 1,
      height: numberNamed(call, 'height') ?? 1,
      depth: numberNamed(call, 'depth') ?? 1,
      samples: numberNamed(call, 'samples') ?? 0,
      fixedLocations: numberNamed(call, 'fixedsamplelocations') ?? 0,
    };
  }

  /** A view has storage of its own shape, though it is another texture's. */
  #view([id, target, original, internalFormat, level, levels, , layers]: number[]): void {
    const storage = this.#shapes.get(original)?.storage;
    if (!storage) return;
    const isLayered =
      target === GL.TEXTURE_1D_ARRAY || target === GL.TEXTURE_2D_ARRAY || target === GL.TEXTURE_CUBE_MAP_ARRAY;
    this.#of(id, target).storage = {
      ...storage,
      internalFormat,
      levels: Math.min(levels, storage.levels - level),
      width: half(storage.width, level),
      height: half(storage.height, level),
      depth: isVolume(target)
        ? half(storage.depth, level)
        : isLayered
          ? Math.min(layers, Math.max(1, storage.depth))
          : 1,
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
