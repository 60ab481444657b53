import { constants as c } from '../../gl/webgl2/constants.ts';
import { creations } from '../encode/webgl-commands.ts';
import type { WebGl } from '../webgl.ts';
import type { BufferSettings } from './buffer-settings.ts';
import type { BufferObserver } from './buffers.ts';
import type { PixelStore } from './pixel-unpack.ts';
import type { CurrentAttribute, Shadows } from './shadows.ts';
import type { TextureObserver } from './textures.ts';

/** Looks at a call that has returned. */
export type Observer = (args: readonly unknown[], result: unknown) => void;

export interface Observed {
  readonly gl: WebGl;
  readonly version: 1 | 2;
  readonly shadows: Shadows;
  readonly textures: TextureObserver;
  readonly buffers: BufferObserver;
  readonly store: PixelStore;
  readonly bufferSettings: BufferSettings;
}

const n = Number;

function programObservers({ shadows }: Observed): Record<string, Observer> {
  return {
    shaderSource: ([handle, source]) => {
      const shader = shadows.of('shader', handle);
      if (shader) shader.source = String(source);
    },
    compileShader: ([handle]) => {
      const shader = shadows.of('shader', handle);
      if (shader) shader.compiled = shader.source;
    },
    attachShader: ([handle, attached]) => {
      const shader = shadows.of('shader', attached);
      if (shader) shadows.of('program', handle)?.attached.add(shader);
    },
    detachShader: ([handle, attached]) => {
      const shader = shadows.of('shader', attached);
      if (shader) shadows.of('program', handle)?.attached.delete(shader);
    },
    transformFeedbackVaryings: ([handle, names, mode]) => {
      const program = shadows.of('program', handle);
      if (program) program.varyings = { names: Array.from(names as ArrayLike<unknown>, String), mode: n(mode) };
    },
    linkProgram: ([handle]) => {
      const program = shadows.of('program', handle);
      if (!program) return;
      const shaders = [...program.attached].map(({ type, compiled }) => ({ type, source: compiled ?? '' }));
      program.linked = { shaders, varyings: program.varyings };
    },
    getUniformLocation: ([handle, name], result) => {
      const program = shadows.of('program', handle);
      if (program && typeof result === 'object' && result !== null) shadows.addLocation(result, program, String(name));
    },
  };
}

function textureObservers({ gl, shadows, textures }: Observed): Record<string, Observer> {
  return {
    bindTexture: ([target, texture]) => textures.bind(n(target), texture),
    texStorage2D: ([target, levels, format, width, height]) =>
      textures.storage(n(target), n(levels), n(format), n(width), n(height), 1),
    texStorage3D: ([target, levels, format, width, height, depth]) =>
      textures.storage(n(target), n(levels), n(format), n(width), n(height), n(depth)),
    copyTexImage2D: ([target, level, format, , , width, height]) =>
      textures.copyImage(n(target), n(level), n(format), n(width), n(height)),
    copyTexSubImage2D: ([target, level]) => textures.written(n(target), n(level)),
    copyTexSubImage3D: ([target, level]) => textures.written(n(target), n(level)),
    texParameteri: ([target, name, value]) => textures.parameter(n(target), n(name), n(value)),
    texParameterf: ([target, name, value]) => textures.parameter(n(target), n(name), n(value)),
    generateMipmap: ([target]) => textures.generateMipmap(n(target)),
    framebufferTexture2D: ([, , imageTarget, texture, level]) => textures.attached(n(imageTarget), texture, n(level)),
    framebufferTextureLayer: ([, , texture, level]) => textures.attached(0, texture, n(level)),
    framebufferTextureMultiview: ([, , texture, level]) => textures.attached(0, texture, n(level)),
    deleteTexture: ([handle]) => {
      const texture = shadows.of('texture', handle);
      // A framebuffer that is not bound keeps what is attached to it.
      if (texture && texture.rendered.size === 0) texture.images.clear();
    },
    renderbufferStorage: ([, format, width, height]) => renderbuffer(0, n(format), n(width), n(height)),
    renderbufferStorageMultisample: ([, samples, format, width, height]) =>
      renderbuffer(n(samples), n(format), n(width), n(height)),
  };

  function renderbuffer(samples: number, internalformat: number, width: number, height: number): void {
    const shadow = shadows.of('renderbuffer', gl.getParameter(c.RENDERBUFFER_BINDING));
    if (shadow && width >= 0 && height >= 0)
      shadow.storage = { levels: 1, internalformat, width, height, depth: 1, samples };
  }
}

function bufferObservers({ gl, version, shadows, buffers }: Observed): Record<string, Observer> {
  const feedback = ([target, , buffer]: readonly unknown[]) => {
    if (target === c.TRANSFORM_FEEDBACK_BUFFER) buffers.written(buffer);
  };
  return {
    bufferData: (args) => buffers.data(args),
    bufferSubData: (args) => buffers.subData(args),
    copyBufferSubData: (args) => buffers.copy(args),
    bindBufferBase: feedback,
    bindBufferRange: feedback,
    readPixels: () => {
      if (version === 2) buffers.written(gl.getParameter(c.PIXEL_PACK_BUFFER_BINDING));
    },
    beginTransformFeedback: ([primitive]) => {
      const bound = shadows.of('transformFeedback', gl.getParameter(c.TRANSFORM_FEEDBACK_BINDING));
      if (bound) bound.primitive = n(primitive);
      else shadows.defaultFeedbackPrimitive = n(primitive);
    },
  };
}

/** Current values of attributes that no array feeds. Programs set them often: values are looked at when needed. */
function attributeObservers({ gl, shadows }: Observed): Record<string, Observer> {
  const count = n(gl.getParameter(c.MAX_VERTEX_ATTRIBS));
  const all: Record<string, Observer> = {};
  // Attributes that a program does not have are -1, which GL refuses.
  const set = (index: unknown, value: CurrentAttribute, components: number) => {
    if (n(index) >= 0 && n(index) < count && value.values.length === components)
      shadows.currentAttributes.set(n(index), value);
  };
  for (const kind of ['f', 'i', 'ui'] as const)
    for (const components of kind === 'f' ? [1, 2, 3, 4] : [4]) {
      const method = kind === 'f' ? `vertexAttrib${components}f` : `vertexAttribI4${kind}`;
      all[method] = (args) => {
        set(args[0], { kind, values: args.slice(1, 1 + components) as number[] }, components);
      };
      // The list is the program's own and may change: it is copied.
      all[`${method}v`] = ([index, list]) => {
        set(index, { kind, values: Array.from(list as ArrayLike<number>).slice(0, components) }, components);
      };
    }
  return all;
}

/** The pixel-store settings that WebGL 1 has. */
const webgl1Store: ReadonlySet<number> = new Set([
  c.PACK_ALIGNMENT,
  c.UNPACK_ALIGNMENT,
  c.UNPACK_FLIP_Y_WEBGL,
  c.UNPACK_PREMULTIPLY_ALPHA_WEBGL,
  c.UNPACK_COLORSPACE_CONVERSION_WEBGL,
]);

/** What to do after each method that changes what the recorder must know, by core name. Draws are not among them. */
export function observers(observed: Observed): Readonly<Record<string, Observer>> {
  const { shadows, store, version } = observed;
  const all: Record<string, Observer> = {
    ...programObservers(observed),
    ...textureObservers(observed),
    ...bufferObservers(observed),
    ...attributeObservers(observed),
    ...observed.bufferSettings.observers(),
    pixelStorei: ([name, value]) => {
      if (version === 2 || webgl1Store.has(n(name))) store.set(n(name), value);
    },
  };
  for (const [method, kind] of Object.entries(creations))
    all[method] = ([type], result) => {
      if (typeof result === 'object' && result !== null) shadows.add(kind, result, n(type));
    };
  return all;
}
