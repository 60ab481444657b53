import type { ObjectClass } from '../../model/signature.ts';

/** An object handle: its GL name is hidden, so that programs see what a browser shows them. */
class WebGLObject {
  #id: number;
  #deleted = false;

  constructor(id: number) {
    this.#id = id;
  }

  /** The GL name (for a sync its address); 0 for null. */
  static idOf(object: WebGLObject | null | undefined): number {
    return object ? object.#id : 0;
  }

  static isDeleted(object: WebGLObject): boolean {
    return object.#deleted;
  }

  static markDeleted(object: WebGLObject): void {
    object.#deleted = true;
  }
}

export class WebGLBuffer extends WebGLObject {}
export class WebGLFramebuffer extends WebGLObject {}
export class WebGLProgram extends WebGLObject {}
export class WebGLQuery extends WebGLObject {}
export class WebGLRenderbuffer extends WebGLObject {}
export class WebGLSampler extends WebGLObject {}
export class WebGLShader extends WebGLObject {}
export class WebGLSync extends WebGLObject {}
export class WebGLTexture extends WebGLObject {}
export class WebGLTransformFeedback extends WebGLObject {}
export class WebGLVertexArrayObject extends WebGLObject {}

/** A uniform's place in one program. */
export class WebGLUniformLocation {
  #program: WebGLProgram;
  #index: number;
  #name: string;

  constructor(program: WebGLProgram, index: number, name: string) {
    this.#program = program;
    this.#index = index;
    this.#name = name;
  }

  static read(location: WebGLUniformLocation): { program: WebGLProgram; index: number; name: string } {
    return { program: location.#program, index: location.#index, name: location.#name };
  }
}

export interface WebGLActiveInfo {
  readonly name: string;
  readonly size: number;
  readonly type: number;
}

export const { idOf, isDeleted, markDeleted } = WebGLObject;
export const readLocation = WebGLUniformLocation.read;

export interface Handles {
  buffer: WebGLBuffer;
  framebuffer: WebGLFramebuffer;
  program: WebGLProgram;
  query: WebGLQuery;
  renderbuffer: WebGLRenderbuffer;
  sampler: WebGLSampler;
  shader: WebGLShader;
  sync: WebGLSync;
  texture: WebGLTexture;
  transformFeedback: WebGLTransformFeedback;
  vertexArray: WebGLVertexArrayObject;
}
export type HandleClass = keyof Handles & ObjectClass;

const handleClasses = {
  buffer: WebGLBuffer,
  framebuffer: WebGLFramebuffer,
  program: WebGLProgram,
  query: WebGLQuery,
  renderbuffer: WebGLRenderbuffer,
  sampler: WebGLSampler,
  shader: WebGLShader,
  sync: WebGLSync,
  texture: WebGLTexture,
  transformFeedback: WebGLTransformFeedback,
  vertexArray: WebGLVertexArrayObject,
} as const;

/** The handles of one context by GL name, so that state queries return the very object that was bound. */
export class HandleTable {
  readonly #maps = new Map<HandleClass, Map<number, WebGLObject>>();

  add<K extends HandleClass>(kind: K, id: number): Handles[K] {
    const handle = new handleClasses[kind](id);
    const map = this.#maps.get(kind) ?? new Map<number, WebGLObject>();
    this.#maps.set(kind, map.set(id, handle));
    return handle;
  }

  /** Null for 0 and for names that the context made for itself. */
  get<K extends HandleClass>(kind: K, id: number): Handles[K] | null {
    return (this.#maps.get(kind)?.get(id) as Handles[K] | undefined) ?? null;
  }
}
