import { Bindings } from '../../model/bindings.ts';
import type { Argument, Call } from '../../model/call.ts';
import type { Manifest } from '../../model/capture.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { extensionOfCommand, extensionOfFormat, extensionOfTarget, floatBits } from './needed-extensions.ts';

const TEXTURE_MAG_FILTER = 0x2800;
const TEXTURE_MIN_FILTER = 0x2801;
const NEAREST = 0x2600;
const NEAREST_MIPMAP_NEAREST = 0x2700;
const isNearest = (filter: number | undefined) => filter === NEAREST || filter === NEAREST_MIPMAP_NEAREST;

const n = (value: Argument): number => Math.max(0, Number(value));
const sizeLimits: ReadonlyMap<number, string> = new Map([
  [GL.TEXTURE_3D, 'GL_MAX_3D_TEXTURE_SIZE'],
  [GL.TEXTURE_CUBE_MAP, 'GL_MAX_CUBE_MAP_TEXTURE_SIZE'],
]);
const indexedLimits: ReadonlyMap<number, string> = new Map([
  [GL.UNIFORM_BUFFER, 'GL_MAX_UNIFORM_BUFFER_BINDINGS'],
  [GL.TRANSFORM_FEEDBACK_BUFFER, 'GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS'],
]);

/**
 * What a capture's calls need beyond core OpenGL ES, found out by looking at the calls and not at what the program asked
 * for: programs ask for every extension there is.
 */
export class Needs {
  readonly #bindings = new Bindings();
  readonly #extensions = new Set<string>();
  readonly #limits = new Map<string, number>();
  /** Textures that hold 32-bit floats, by id. */
  readonly #floatTextures = new Set<number>();
  /** What lets a texture be drawn into, by id. */
  readonly #targets = new Map<number, string>();
  readonly #filters = new Map<number, Map<number, number>>();

  /** To be called with every call in order. */
  observe(call: Call): void {
    const { args, signature } = call;
    const name = baseName(signature.name);
    this.#need(extensionOfCommand(name, args));
    if (/^(Compressed|Copy)?Tex(Image|Storage)[23]D$/.test(name)) this.#image(name, args);
    else if (/^TexParameter[if]$/.test(name)) this.#filter(args);
    else if (/^FramebufferTexture(2D|Layer)$/.test(name)) this.#attach(args, n(args[name.endsWith('2D') ? 3 : 2]));
    else if (name.startsWith('RenderbufferStorage')) this.#renderbuffer(name, args);
    else this.#index(name, args);
    if (/^Bind(Texture|Sampler)$/.test(name) && n(args[1]) !== 0)
      this.#least(
        'GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS',
        1 + (name === 'BindSampler' ? n(args[0]) : this.#bindings.activeUnit),
      );
    this.#bindings.apply(call);
  }

  #need(extension: string | undefined): void {
    if (extension) this.#extensions.add(extension);
  }

  #least(limit: string, value: number): void {
    if (value > (this.#limits.get(limit) ?? 0)) this.#limits.set(limit, value);
  }

  #image(name: string, a: readonly Argument[]): void {
    const target = n(a[0]);
    const volume = name.endsWith('3D');
    const [width, height, depth] = name.startsWith('Copy')
      ? [n(a[5]), n(a[6]), 1]
      : [n(a[3]), n(a[4]), volume ? n(a[5]) : 1];
    const cube = target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
    const limit = sizeLimits.get(cube ? GL.TEXTURE_CUBE_MAP : target) ?? 'GL_MAX_TEXTURE_SIZE';
    const isVolume = target === GL.TEXTURE_3D;
    this.#least(limit, Math.max(width, height, isVolume ? depth : 0));
    if (volume && !isVolume) this.#least('GL_MAX_ARRAY_TEXTURE_LAYERS', depth);
    this.#need(extensionOfFormat(n(a[2])));
    const type = /^TexImage/.test(name) ? n(a[a.length - 2]) : 0;
    const texture = this.#bindings.texture(target);
    const extension = extensionOfTarget(n(a[2]), type);
    if (n(a[1]) === 0 || name.includes('Storage')) {
      this.#floatTextures.delete(texture);
      this.#targets.delete(texture);
    }
    if (floatBits(n(a[2]), type) === 32) this.#floatTextures.add(texture);
    if (extension) this.#targets.set(texture, extension);
  }

  #filter(a: readonly Argument[]): void {
    if (n(a[1]) !== TEXTURE_MIN_FILTER && n(a[1]) !== TEXTURE_MAG_FILTER) return;
    const id = this.#bindings.texture(n(a[0]));
    const filters = this.#filters.get(id) ?? new Map();
    this.#filters.set(id, filters.set(n(a[1]), n(a[2])));
  }

  #attach(a: readonly Argument[], texture: number): void {
    const point = n(a[1]);
    if (point < GL.COLOR_ATTACHMENT0 || point > GL.COLOR_ATTACHMENT31 || texture === 0) return;
    this.#least('GL_MAX_COLOR_ATTACHMENTS', point - GL.COLOR_ATTACHMENT0 + 1);
    this.#need(this.#targets.get(texture));
  }

  #renderbuffer(name: string, a: readonly Argument[]): void {
    const [samples, format, width, height] = name.includes('Multisample')
      ? a.slice(1).map(n)
      : [0, ...a.slice(1).map(n)];
    this.#least('GL_MAX_SAMPLES', samples);
    this.#least('GL_MAX_RENDERBUFFER_SIZE', Math.max(width, height));
    this.#need(extensionOfFormat(format));
    this.#need(extensionOfTarget(format, 0));
  }

  #index(name: string, a: readonly Argument[]): void {
    if (name === 'EnableVertexAttribArray') this.#least('GL_MAX_VERTEX_ATTRIBS', n(a[0]) + 1);
    else if (name === 'DrawBuffers') this.#least('GL_MAX_DRAW_BUFFERS', n(a[0]));
    else if (/^BindBuffer(Base|Range)$/.test(name)) {
      const limit = indexedLimits.get(n(a[0]));
      if (limit && n(a[2]) !== 0) this.#least(limit, n(a[1]) + 1);
    }
  }

  /** Textures of 32-bit floats that the program filters. One whose filters it never set is not sampled. */
  #filtersFloats(): boolean {
    return [...this.#floatTextures].some((id) => {
      const filters = this.#filters.get(id);
      return filters && !(isNearest(filters.get(TEXTURE_MIN_FILTER)) && isNearest(filters.get(TEXTURE_MAG_FILTER)));
    });
  }

  /** What the calls so far need. */
  requires(): Manifest['requires'] {
    if (this.#filtersFloats()) this.#need('GL_OES_texture_float_linear');
    return {
      extensions: [...this.#extensions].sort(),
      limits: Object.fromEntries([...this.#limits].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}
