import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Handle } from '../webgl.ts';

/** One level of one face of a texture, with all its layers. */
export interface Image {
  width: number;
  height: number;
  depth: number;
  internalformat: number;
  /** Of the upload that defined it; 0 for a compressed image. */
  format: number;
  type: number;
  /** Tight texels or blocks; null when the contents are zero or are only on the GPU. */
  texels: Uint8Array | null;
  /** The GPU may have written it: contents must be read back. */
  onGpu: boolean;
}

export interface Storage {
  readonly levels: number;
  readonly internalformat: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

interface Base {
  readonly handle: Handle;
  /** Capture-local id in the capture being made; 0 when it is not in it. */
  id: number;
  /** Which capture `id` belongs to. */
  capture: number;
}

export interface TextureShadow extends Base {
  readonly kind: 'texture';
  /** 0 until first bound. */
  target: number;
  storage: Storage | undefined;
  /** By face image target and level, see {@link imageKey}. */
  readonly images: Map<number, Image>;
  /** TEXTURE_BASE_LEVEL and TEXTURE_MAX_LEVEL: headless-gl cannot be asked for them. */
  baseLevel: number;
  maxLevel: number;
  /** Images that have been attached to a framebuffer, by key: from then on the GPU may write them at any time. */
  readonly rendered: Set<number>;
}

export interface BufferShadow extends Base {
  readonly kind: 'buffer';
  /** Null until bufferData. */
  data: Uint8Array | null;
  usage: number;
  onGpu: boolean;
}

export interface RenderbufferShadow extends Base {
  readonly kind: 'renderbuffer';
  storage: (Storage & { readonly samples: number }) | undefined;
}

export interface ShaderShadow extends Base {
  readonly kind: 'shader';
  readonly type: number;
  source: string;
  /** What it was last compiled from; undefined before. */
  compiled: string | undefined;
}

export interface ProgramShadow extends Base {
  readonly kind: 'program';
  readonly attached: Set<ShaderShadow>;
  /** As they were at the last link. */
  linked:
    | { readonly shaders: readonly { type: number; source: string }[]; readonly varyings: Varyings | undefined }
    | undefined;
  varyings: Varyings | undefined;
}

export interface Varyings {
  readonly names: readonly string[];
  readonly mode: number;
}

export interface QueryShadow extends Base {
  readonly kind: 'query';
}
export interface TransformFeedbackShadow extends Base {
  readonly kind: 'transformFeedback';
  /** Of the last beginTransformFeedback. */
  primitive: number;
}
interface PlainShadow<K> extends Base {
  readonly kind: K;
}

export interface CurrentAttribute {
  readonly kind: 'f' | 'i' | 'ui';
  /** As many as the program gave; GL adds 0, 0, 0, 1. */
  readonly values: readonly number[];
}

export type Shadow =
  | TextureShadow
  | BufferShadow
  | RenderbufferShadow
  | ShaderShadow
  | ProgramShadow
  | QueryShadow
  | TransformFeedbackShadow
  | PlainShadow<'framebuffer'>
  | PlainShadow<'sampler'>
  | PlainShadow<'sync'>
  | PlainShadow<'vertexArray'>;

/** The shadow of one class. */
export type ShadowOf<K extends RecordedClass> = Extract<Shadow, { readonly kind: K }>;
export type RecordedClass = Shadow['kind'];

/** One key for a face (its image target) and a level; sorts by face, then level. */
export const imageKey = (imageTarget: number, level: number): number => imageTarget * 64 + level;
export const imageTargetOf = (key: number): number => Math.floor(key / 64);
export const levelOf = (key: number): number => key % 64;

function shadowFor(kind: RecordedClass, handle: Handle, type: number): Shadow {
  const base: Base = { handle, id: 0, capture: 0 };
  switch (kind) {
    case 'texture':
      return {
        ...base,
        kind,
        target: 0,
        storage: undefined,
        images: new Map(),
        baseLevel: 0,
        maxLevel: 1000,
        rendered: new Set(),
      };
    case 'buffer':
      return { ...base, kind, data: null, usage: 0, onGpu: false };
    case 'renderbuffer':
      return { ...base, kind, storage: undefined };
    case 'shader':
      return { ...base, kind, type, source: '', compiled: undefined };
    case 'program':
      return { ...base, kind, attached: new Set(), linked: undefined, varyings: undefined };
    case 'transformFeedback':
      return { ...base, kind, primitive: 0 };
    default:
      return { ...base, kind };
  }
}

/** The shadow of a texture of the recorder's own that has one image. */
export function plainTexture(handle: Handle, image: Image): TextureShadow {
  const texture = shadowFor('texture', handle, 0) as TextureShadow;
  texture.target = c.TEXTURE_2D;
  texture.images.set(imageKey(c.TEXTURE_2D, 0), image);
  return texture;
}

/**
 * What the recorder knows of each object. Shadows hang on the program's own handles, weakly: an object that the program
 * and GL have both let go of takes its shadow with it, so memory grows with live objects only.
 */
export class Shadows {
  readonly #shadows = new WeakMap<Handle, Shadow>();
  /** Told of every new object. */
  onAdd: ((kind: RecordedClass, handle: Handle) => void) | undefined;
  /** Of the last beginTransformFeedback without a transform feedback object. */
  defaultFeedbackPrimitive = 0;
  /** Current values of vertex attributes, by index: GL cannot be asked which type they were set with. */
  readonly currentAttributes = new Map<number, CurrentAttribute>();
  readonly #locations = new WeakMap<Handle, { program: ProgramShadow; name: string }>();

  add(kind: RecordedClass, handle: Handle, type = 0): Shadow {
    const shadow = shadowFor(kind, handle, type);
    this.#shadows.set(handle, shadow);
    this.onAdd?.(kind, handle);
    return shadow;
  }

  get(handle: unknown): Shadow | undefined {
    return typeof handle === 'object' && handle !== null ? this.#shadows.get(handle) : undefined;
  }

  /** The shadow of a handle when it is of this class. */
  of<K extends RecordedClass>(kind: K, handle: unknown): ShadowOf<K> | undefined {
    const shadow = this.get(handle);
    return shadow?.kind === kind ? (shadow as ShadowOf<K>) : undefined;
  }

  addLocation(handle: Handle, program: ProgramShadow, name: string): void {
    this.#locations.set(handle, { program, name });
  }

  location(handle: unknown): { program: ProgramShadow; name: string } | undefined {
    return typeof handle === 'object' && handle !== null ? this.#locations.get(handle) : undefined;
  }
}
