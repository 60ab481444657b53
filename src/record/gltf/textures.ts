import type { Texture, TextureInfo } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';
import type { WebGl2 } from '../../gl/webgl2-context.ts';
import { memoryHint } from '../../model/memory-limit.ts';
import { modelLimits } from './checker.ts';
import { decodeImage, type Image, nameOf } from './images.ts';

type TextureHandle = ReturnType<WebGl2['createTexture']>;
type Sampler = ReturnType<WebGl2['createSampler']>;

const LINEAR_MIPMAP_LINEAR = 9987;
const LINEAR = 9729;

/** A model's textures and samplers on the GPU, each made once. Images must be decoded before they are used. */
export class TextureStore {
  readonly #gl: WebGl2;
  readonly #images = new Map<Texture, Image>();
  readonly #textures = new Map<string, TextureHandle>();
  readonly #samplers = new Map<string, Sampler>();
  readonly #numbers = new Map<Texture, number>();

  constructor(gl: WebGl2) {
    this.#gl = gl;
  }

  /** Decodes what `textures` hold; one after another, so that memory stays within one image's worth above the result. */
  async decode(textures: Iterable<Texture>): Promise<void> {
    const limit = this.#gl.getParameter(this.#gl.MAX_TEXTURE_SIZE) as number;
    let total = 0;
    for (const texture of textures) {
      if (this.#images.has(texture)) continue;
      const image = await decodeImage(texture, limit);
      total += image.width * image.height;
      if (total > modelLimits.totalPixels)
        throw new GpuprofError(
          'bad-input',
          `the model's textures, up to ${nameOf(texture)}, have ${total} pixels; at most ${modelLimits.totalPixels}`,
          { hint: memoryHint },
        );
      this.#numbers.set(texture, this.#images.size);
      this.#images.set(texture, image);
    }
  }

  /** The texture with its mipmaps; colours are stored as sRGB so that sampling makes them linear. */
  texture(texture: Texture, isColor: boolean): TextureHandle {
    const gl = this.#gl;
    const key = `${this.#numbers.get(texture)} ${isColor}`;
    const present = this.#textures.get(key);
    if (present) return present;
    const { width, height, pixels } = this.#images.get(texture) as Image;
    const made = gl.createTexture();
    this.#textures.set(key, made);
    gl.bindTexture(gl.TEXTURE_2D, made);
    const format = isColor ? gl.SRGB8_ALPHA8 : gl.RGBA8;
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.generateMipmap(gl.TEXTURE_2D);
    return made;
  }

  sampler(info: TextureInfo): Sampler {
    const gl = this.#gl;
    const parameters = [
      [gl.TEXTURE_MIN_FILTER, info.getMinFilter() ?? LINEAR_MIPMAP_LINEAR],
      [gl.TEXTURE_MAG_FILTER, info.getMagFilter() ?? LINEAR],
      [gl.TEXTURE_WRAP_S, info.getWrapS()],
      [gl.TEXTURE_WRAP_T, info.getWrapT()],
    ] as const;
    const key = parameters.join(' ');
    const present = this.#samplers.get(key);
    if (present) return present;
    const made = gl.createSampler();
    this.#samplers.set(key, made);
    for (const [name, value] of parameters) gl.samplerParameteri(made, name, value);
    return made;
  }
}
