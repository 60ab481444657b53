/** Follows textures and renderbuffers: what each image takes, and which of them a sampler can reach. */
import { inlineWords } from '../argument-values.ts';
import type { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import { baseName, GL } from '../gl-constants.ts';
import { firstData, firstObject, numberNamed } from '../named-arguments.ts';
import type { Signature } from '../signature.ts';
import { type ImageShape, type StorageShape, type TextureShape, TextureShapes, textureOf } from '../texture-shapes.ts';
import { amount, imageBytes, keptTexelBytes } from './image-bytes.ts';

/** All images of one level: a cube map's faces together. */
export interface Level {
  readonly level: number;
  readonly width: number;
  readonly height: number;
  /** Slices, layers or faces. */
  readonly layers: number;
  readonly samples: number;
  readonly internalFormat: number;
  readonly texelBytes: number;
  readonly sizeBytes: number;
}

export interface TextureInfo {
  /** Whose memory it is: a view has that of another. */
  readonly key: string;
  readonly sizeBytes: number;
  readonly levels: readonly Level[];
}

interface Parameters {
  minFilter: number | undefined;
  baseLevel: number;
  maxLevel: number;
}

interface View {
  readonly origin: number;
  readonly storage: StorageShape;
  readonly target: number;
}

interface BufferRange {
  readonly buffer: number;
  readonly offset: number;
  readonly sizeBytes: number | null;
}

const parameter = /^(Tex|Texture|MultiTex|Sampler)Parameter(f|i|Ii|Iui)v?$/;
const bufferTexture = /^(Tex|Texture|MultiTex)Buffer(Range)?$/;
const renderbuffer = /^(Named)?RenderbufferStorage(Multisample)?(Advanced)?$/;
const nothing: TextureInfo = { key: '', sizeBytes: 0, levels: [] };
const mostLevels = 32;

function parameterValue(call: Call): number {
  const one = numberNamed(call, 'param');
  if (one !== undefined) return one;
  const [word = 0] = inlineWords(firstData(call));
  // Whole numbers that came as floats have high bits set; levels and filters have not.
  return word > 0xffffff ? new Float32Array(Uint32Array.of(word).buffer)[0] : word;
}

const shrink = (size: number, level: number): number => Math.max(1, Math.floor(size / 2 ** level));

function storedLevels(target: number, storage: StorageShape): Level[] {
  const { internalFormat } = storage;
  const samples = Math.max(1, storage.samples);
  return Array.from({ length: Math.min(Math.max(0, storage.levels), mostLevels) }, (_, level) => {
    const width = shrink(storage.width, level);
    // A one-dimensional array has its layers as height.
    const isFlat = target === GL.TEXTURE_1D_ARRAY;
    const height = isFlat ? 1 : shrink(storage.height, level);
    const depth = target === GL.TEXTURE_3D ? shrink(storage.depth, level) : Math.max(0, storage.depth);
    const layers = isFlat ? Math.max(0, storage.height) : target === GL.TEXTURE_CUBE_MAP ? 6 : depth;
    const sizeBytes = amount(samples * imageBytes({ internalFormat, width, height, depth: layers }));
    return {
      level,
      width,
      height,
      layers,
      samples,
      internalFormat,
      texelBytes: keptTexelBytes(internalFormat),
      sizeBytes,
    };
  });
}

function specifiedLevels(images: Iterable<ImageShape>): Level[] {
  const levels = new Map<number, Level>();
  for (const image of images) {
    const known = levels.get(image.level);
    levels.set(image.level, {
      level: image.level,
      width: Math.max(0, image.width),
      height: Math.max(0, image.height),
      layers: (known?.layers ?? 0) + Math.max(0, image.depth),
      samples: 1,
      internalFormat: image.internalFormat,
      texelBytes: keptTexelBytes(image.internalFormat, image.format, image.type),
      sizeBytes: amount((known?.sizeBytes ?? 0) + imageBytes(image)),
    });
  }
  return [...levels.values()].sort((a, b) => a.level - b.level);
}

/** Levels that are generated from a compressed one have not its size. */
const generated = (shape: TextureShape): ImageShape[] =>
  [...shape.images.values()].map((image) => {
    const base = shape.images.get(`${image.target}/0`);
    const isCopy = image.level > 0 && image.compressedBytes !== null && image.compressedBytes === base?.compressedBytes;
    return isCopy ? { ...image, compressedBytes: null } : image;
  });

export class Textures {
  readonly #shapes = new TextureShapes();
  readonly #known = new Map<number, TextureInfo>();
  readonly #views = new Map<number, View>();
  readonly #buffers = new Map<number, BufferRange>();
  readonly #parameters = new Map<string, Parameters>();
  readonly #renderbuffers = new Map<number, Level>();

  static follows(signature: Signature): boolean {
    const name = baseName(signature.name);
    const patterns = [parameter, bufferTexture, renderbuffer, /^TextureView$/];
    return TextureShapes.follows(signature) || patterns.some((pattern) => pattern.test(name));
  }

  /** To be called with each call that {@link follows} names, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    if (renderbuffer.test(name)) this.#renderbuffer(call, bindings);
    else if (name.startsWith('SamplerParameter')) this.#parameter(`sampler ${Number(call.args[0])}`, call);
    else if (parameter.test(name)) this.#parameter(`texture ${textureOf(call, bindings)}`, call);
    else if (bufferTexture.test(name))
      this.#buffers.set(textureOf(call, bindings), {
        buffer: numberNamed(call, 'buffer') ?? 0,
        offset: amount(numberNamed(call, 'offset') ?? 0),
        sizeBytes: numberNamed(call, 'size') ?? null,
      });
    else if (name === 'TextureView') this.#view(call);
    // Ids are not used again, and deleted textures live on where they are attached.
    else if (name !== 'DeleteTextures') {
      const id = textureOf(call, bindings);
      this.#shapes.observe(call, bindings);
      this.#known.delete(id);
    }
  }

  #renderbuffer(call: Call, bindings: Bindings): void {
    const number = (name: string) => Math.max(0, numberNamed(call, name) ?? 0);
    const [width, height, internalFormat] = [number('width'), number('height'), number('internalformat')];
    const samples = Math.max(1, number('samples'));
    const texelBytes = keptTexelBytes(internalFormat);
    const sizeBytes = amount(width * height * samples * texelBytes);
    const id = firstObject(call, 'renderbuffer') ?? bindings.renderbuffer;
    this.#renderbuffers.set(id, { level: 0, width, height, layers: 1, samples, internalFormat, texelBytes, sizeBytes });
  }

  #parametersOf(key: string): Parameters {
    let found = this.#parameters.get(key);
    if (!found) {
      found = { minFilter: undefined, baseLevel: 0, maxLevel: 1000 };
      this.#parameters.set(key, found);
    }
    return found;
  }

  #parameter(key: string, call: Call): void {
    const value = Math.max(0, parameterValue(call)) || 0;
    switch (numberNamed(call, 'pname')) {
      case GL.TEXTURE_MIN_FILTER:
        this.#parametersOf(key).minFilter = value;
        break;
      case GL.TEXTURE_BASE_LEVEL:
        this.#parametersOf(key).baseLevel = value;
        break;
      case GL.TEXTURE_MAX_LEVEL:
        this.#parametersOf(key).maxLevel = value;
    }
  }

  #view(call: Call): void {
    const number = (name: string) => Math.max(0, numberNamed(call, name) ?? 0);
    const origin = number('origtexture');
    const shape = this.#storageOf(origin);
    if (!shape) return;
    const { target: of, storage } = shape;
    const owner = this.#views.get(origin)?.origin ?? origin;
    if (owner === number('texture')) return;
    const first = number('minlevel');
    const layers = number('numlayers');
    const target = number('target');
    const isVolume = of === GL.TEXTURE_3D;
    this.#views.set(number('texture'), {
      origin: owner,
      target,
      storage: {
        ...storage,
        levels: Math.min(number('numlevels'), Math.max(0, storage.levels - first)),
        internalFormat: number('internalformat'),
        width: shrink(storage.width, first),
        height: shrink(storage.height, first),
        depth: isVolume ? shrink(storage.depth, first) : layers,
      },
    });
    this.#known.delete(number('texture'));
  }

  #storageOf(id: number): { readonly target: number; readonly storage: StorageShape } | undefined {
    const view = this.#views.get(id);
    if (view) return view;
    const shape = this.#shapes.shape(id);
    return shape?.storage ? { target: shape.target, storage: shape.storage } : undefined;
  }

  /** Sizes of a texture; nothing when it has no images. */
  texture(id: number): TextureInfo {
    let info = this.#known.get(id);
    if (!info) {
      info = this.#measure(id);
      this.#known.set(id, info);
    }
    return info;
  }

  #measure(id: number): TextureInfo {
    const view = this.#views.get(id);
    const shape = this.#shapes.shape(id);
    if (view) {
      const { key, sizeBytes } = this.texture(view.origin);
      return { key, sizeBytes, levels: storedLevels(view.target, view.storage) };
    }
    if (!shape) return nothing;
    const levels = shape.storage ? storedLevels(shape.target, shape.storage) : specifiedLevels(generated(shape));
    return { key: `texture ${id}`, levels, sizeBytes: amount(levels.reduce((sum, level) => sum + level.sizeBytes, 0)) };
  }

  /** The levels that sampling can reach, given the sampler object at the unit (0: none). */
  reachable(id: number, sampler: number, target: number, isFetched: boolean): readonly Level[] {
    const { levels } = this.texture(id);
    const { minFilter, baseLevel, maxLevel } = this.#parametersOf(`texture ${id}`);
    const hasNone = target === GL.TEXTURE_RECTANGLE || target === GL.TEXTURE_EXTERNAL;
    const otherwise = hasNone ? GL.LINEAR : GL.NEAREST_MIPMAP_LINEAR;
    const filter = (sampler ? this.#parametersOf(`sampler ${sampler}`).minFilter : minFilter) ?? otherwise;
    const last = isFetched || (filter !== GL.NEAREST && filter !== GL.LINEAR) ? maxLevel : baseLevel;
    return levels.filter(({ level }) => level >= baseLevel && level <= last);
  }

  /** The level that mipmaps are generated from. */
  baseLevel(id: number): number {
    return this.#parametersOf(`texture ${id}`).baseLevel;
  }

  /** What a buffer texture shows of a buffer. */
  bufferRange(id: number): BufferRange | undefined {
    return this.#buffers.get(id);
  }

  renderbuffer(id: number): Level | undefined {
    return this.#renderbuffers.get(id);
  }
}
