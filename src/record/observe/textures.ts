import { constants as c } from '../../gl/webgl2/constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { blockOf } from '../../model/texture-formats.ts';
import type { WebGl } from '../webgl.ts';
import { type Image, imageKey, type Shadows, type TextureShadow } from './shadows.ts';
import type { Upload } from './uploads.ts';

const bindings = new Map<number, number>([
  [c.TEXTURE_2D, c.TEXTURE_BINDING_2D],
  [c.TEXTURE_CUBE_MAP, c.TEXTURE_BINDING_CUBE_MAP],
  [c.TEXTURE_3D, c.TEXTURE_BINDING_3D],
  [c.TEXTURE_2D_ARRAY, c.TEXTURE_BINDING_2D_ARRAY],
]);
/** Texture targets and their binding queries. */
export const textureTargets: ReadonlyMap<number, number> = bindings;

export const isFace = (imageTarget: number): boolean =>
  imageTarget >= c.TEXTURE_CUBE_MAP_POSITIVE_X && imageTarget <= c.TEXTURE_CUBE_MAP_NEGATIVE_Z;
const faces = [0, 1, 2, 3, 4, 5].map((face) => c.TEXTURE_CUBE_MAP_POSITIVE_X + face);

/** Copies a tight box of rows into a larger tight image; sizes in texels or blocks of `unit` bytes. */
function overlay(
  image: Uint8Array,
  width: number,
  height: number,
  part: Uint8Array,
  box: number[],
  unit: number,
): void {
  const [x, y, z, partWidth, partHeight, partDepth] = box;
  const rowBytes = partWidth * unit;
  for (let layer = 0; layer < partDepth; layer++)
    for (let row = 0; row < partHeight; row++) {
      const from = (layer * partHeight + row) * rowBytes;
      image.set(part.subarray(from, from + rowBytes), (((z + layer) * height + y + row) * width + x) * unit);
    }
}

/** Keeps texture shadows up to date with what the program does; called after each call has returned. */
export class TextureObserver {
  readonly #gl: WebGl;
  readonly #shadows: Shadows;

  constructor(gl: WebGl, shadows: Shadows) {
    this.#gl = gl;
    this.#shadows = shadows;
  }

  /** The texture that a call with this target works on. */
  bound(target: number): TextureShadow | undefined {
    const binding = bindings.get(isFace(target) ? c.TEXTURE_CUBE_MAP : target);
    return binding === undefined ? undefined : this.#shadows.of('texture', this.#gl.getParameter(binding));
  }

  bind(target: number, texture: unknown): void {
    const shadow = this.#shadows.of('texture', texture);
    if (shadow?.target === 0 && this.bound(target) === shadow) shadow.target = target;
  }

  /** Whether the bound texture has such an image. */
  has(target: number, level: number, like: Partial<Image>): boolean {
    const image = this.bound(target)?.images.get(imageKey(target, level));
    return image !== undefined && (Object.keys(like) as (keyof Image)[]).every((key) => image[key] === like[key]);
  }

  /** Whether an upload defines an image of another shape than the bound texture has there. */
  redefines({ sub, target, level, internalformat, width, height, depth, format, type, compressed }: Upload): boolean {
    const shape = { internalformat, width, height, depth, format: compressed ? 0 : format, type };
    return !sub && !this.has(target, level, shape);
  }

  /** Whether the bound texture has a level below its first one, of half its size. */
  hasLevels(target: number): boolean {
    const imageTarget = target === c.TEXTURE_CUBE_MAP ? faces[0] : target;
    const texture = this.bound(target);
    const first = texture?.images.get(imageKey(imageTarget, texture.baseLevel));
    if (!texture || !first) return false;
    const half = { width: Math.max(1, first.width >> 1), height: Math.max(1, first.height >> 1) };
    return this.has(imageTarget, texture.baseLevel + 1, { ...half, internalformat: first.internalformat });
  }

  upload(upload: Upload): void {
    const texture = this.bound(upload.target);
    if (!texture) return;
    if (upload.sub) this.#uploadPart(texture, upload);
    else if (!texture.storage && upload.width >= 0 && upload.height >= 0) this.#define(texture, upload);
  }

  #define(texture: TextureShadow, upload: Upload): void {
    const key = imageKey(upload.target, upload.level);
    const { width, height, depth, internalformat, format, type, texels } = upload;
    texture.images.set(key, {
      width,
      height,
      depth,
      internalformat,
      format: upload.compressed ? 0 : format,
      type,
      texels: texture.rendered.has(key) ? null : (texels ?? null),
      onGpu: texels === undefined,
    });
  }

  /** The image at a level; of immutable storage it is made when first asked for. */
  image(texture: TextureShadow, imageTarget: number, level: number): Image | undefined {
    const key = imageKey(imageTarget, level);
    const known = texture.images.get(key);
    const { storage } = texture;
    if (known || !storage || level >= storage.levels) return known;
    const image: Image = {
      width: Math.max(1, storage.width >> level),
      height: Math.max(1, storage.height >> level),
      depth: imageTarget === c.TEXTURE_3D ? Math.max(1, storage.depth >> level) : storage.depth,
      internalformat: storage.internalformat,
      format: 0,
      type: 0,
      texels: null,
      onGpu: false,
    };
    texture.images.set(key, image);
    return image;
  }

  #uploadPart(texture: TextureShadow, upload: Upload): void {
    const image = this.image(texture, upload.target, upload.level);
    const { x, y, z, width, height, depth } = upload;
    const fits =
      image &&
      Math.min(x, y, z) >= 0 &&
      x + width <= image.width &&
      y + height <= image.height &&
      z + depth <= image.depth;
    if (!image || !fits || image.onGpu || texture.rendered.has(imageKey(upload.target, upload.level))) return;
    if (!image.texels && !upload.compressed && image.format === 0) {
      image.format = upload.format;
      image.type = upload.type;
    }
    const sameLayout = upload.compressed || (image.format === upload.format && image.type === upload.type);
    const unit = upload.compressed
      ? blockOf(image.internalformat)
      : ([1, 1, texelBytes(image.format, image.type)] as const);
    if (!upload.texels || !sameLayout || !unit) {
      image.onGpu = true;
      image.texels = null;
      return;
    }
    const columns = Math.ceil(image.width / unit[0]);
    const rows = Math.ceil(image.height / unit[1]);
    image.texels ??= new Uint8Array(columns * rows * image.depth * unit[2]);
    const box = [x / unit[0], y / unit[1], z, Math.ceil(width / unit[0]), Math.ceil(height / unit[1]), depth];
    overlay(image.texels, columns, rows, upload.texels, box, unit[2]);
  }

  storage(target: number, levels: number, internalformat: number, width: number, height: number, depth: number): void {
    const texture = this.bound(target);
    if (!texture || texture.storage) return;
    texture.images.clear();
    texture.storage = { levels, internalformat, width, height, depth };
  }

  /** copyTexImage2D. */
  copyImage(target: number, level: number, internalformat: number, width: number, height: number): void {
    const texture = this.bound(target);
    if (!texture || texture.storage) return;
    const image = { width, height, depth: 1, internalformat, format: internalformat, type: c.UNSIGNED_BYTE };
    texture.images.set(imageKey(target, level), { ...image, texels: null, onGpu: true });
  }

  /** The GPU wrote into an image. */
  written(target: number, level: number): void {
    const texture = this.bound(target);
    const image = texture && this.image(texture, target, level);
    if (!image) return;
    image.onGpu = true;
    image.texels = null;
  }

  parameter(target: number, name: number, value: number): void {
    if (name !== c.TEXTURE_BASE_LEVEL && name !== c.TEXTURE_MAX_LEVEL) return;
    const texture = this.bound(target);
    if (!texture || value < 0) return;
    if (name === c.TEXTURE_BASE_LEVEL) texture.baseLevel = value;
    else texture.maxLevel = value;
  }

  generateMipmap(target: number): void {
    const texture = this.bound(target);
    if (!texture) return;
    const { baseLevel: base, maxLevel: last } = texture;
    for (const imageTarget of target === c.TEXTURE_CUBE_MAP ? faces : [target]) {
      const first = this.image(texture, imageTarget, base);
      if (!first) continue;
      let { width, height, depth } = first;
      const volume = target === c.TEXTURE_3D;
      for (let level = base + 1; level <= last && (width > 1 || height > 1 || (volume && depth > 1)); level++) {
        [width, height] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
        if (volume) depth = Math.max(1, depth >> 1);
        if (texture.storage && level >= texture.storage.levels) break;
        const { internalformat, format, type } = first;
        texture.images.set(imageKey(imageTarget, level), {
          width,
          height,
          depth,
          internalformat,
          format,
          type,
          texels: null,
          onGpu: true,
        });
      }
    }
  }

  /** From when an image is attached to a framebuffer the GPU may write it. */
  attached(imageTarget: number, handle: unknown, level: number): void {
    const texture = this.#shadows.of('texture', handle);
    if (!texture) return;
    const key = imageKey(imageTarget || texture.target, level);
    texture.rendered.add(key);
    const image = texture.images.get(key);
    if (image) image.texels = null;
  }
}
