import { signatureOf } from '../../gl/command-table.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, DataArgument } from '../../model/call.ts';
import { bindingTarget, GL } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { CaptureBuilder } from '../capture-builder.ts';
import { ProgramFacts } from './program-facts.ts';
import { TextureLevels } from './texture-levels.ts';

/** Says why a chunk cannot be expressed; it is left out and listed. */
export class Inexpressible extends Error {}

/** The GL that the captured program spoke. */
export interface Api {
  readonly es: boolean;
  /** `major * 10 + minor`. */
  readonly version: number;
  readonly compatibility: boolean;
}

/** What every chunk's translation shares: the ids of objects, what is bound, and where calls go. */
export class Translation {
  readonly api: Api;
  readonly programs = new ProgramFacts();
  readonly textures = new TextureLevels();
  /** Debug groups that are open. */
  groups = 0;
  /** Whether the setup is over. */
  inFrame = false;
  /** Uses of objects that the capture does not hold. */
  missingObjects = 0;
  /** The framebuffer object that stands for the window of the context that is current; 0 for the canvas. */
  windowFramebuffer = 0;
  /** The vertex array that RenderDoc made of the default one, which a core context does not have; 0 until it is known. */
  defaultVertexArray = 0;
  readonly builder: CaptureBuilder;
  readonly #objects = new Map<number | bigint, { readonly objectClass: ObjectClass; readonly id: number }>();

  constructor(builder: CaptureBuilder, api: Api) {
    this.builder = builder;
    this.api = api;
  }

  get bindings(): Bindings {
    return this.builder.bindings;
  }

  /** A new object of RenderDoc's id. */
  define(resource: number | bigint, objectClass: ObjectClass): number {
    const id = this.builder.newId(objectClass);
    this.#objects.set(resource, { objectClass, id });
    return id;
  }

  /** Makes a resource another name of an object; 0 for the default one (a window's framebuffer). */
  alias(resource: number | bigint, objectClass: ObjectClass, id: number): void {
    this.#objects.set(resource, { objectClass, id });
  }

  /** The capture's id of a resource; 0 for none, and for what the capture does not hold. */
  id(resource: Argument, objectClass?: ObjectClass): number {
    const known = this.#objects.get(resource as number | bigint);
    if (known && (objectClass === undefined || known.objectClass === objectClass)) return known.id;
    if (resource !== 0) this.missingObjects++;
    else if (objectClass === 'framebuffer') return this.windowFramebuffer;
    else if (objectClass === 'vertexArray') return this.defaultVertexArray;
    return 0;
  }

  classOf(resource: number | bigint): ObjectClass | undefined {
    return this.#objects.get(resource)?.objectClass;
  }

  /** Adds a call. */
  call(name: string, args: readonly Argument[], result = 0): void {
    const signature = signatureOf(name);
    if (!signature) throw new Inexpressible('no GL registry knows it');
    this.builder.call(signature, args, result);
  }

  location(program: number, name: string): number {
    if (program === 0) throw new Inexpressible('its program is not there');
    return this.builder.location(program, name);
  }

  /** Bytes that a call reads. */
  data(bytes: Uint8Array | null): DataArgument {
    return bytes === null ? null : this.builder.data(bytes);
  }

  /** A list of numbers that a call reads: always inline, since the replayer looks into lists. */
  list(array: Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array) {
    return { kind: 'inline', bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) } as const;
  }

  /**
   * Runs what needs a buffer bound, giving it a target where it is: one that the program itself has bound it to, as for
   * the call that RenderDoc saw; else one that is put back in a frame.
   */
  withBuffer(buffer: number, action: (target: number) => void): void {
    const bound = this.#targetOf(buffer);
    const target = this.api.es && this.api.version < 30 ? GL.ARRAY_BUFFER : GL.COPY_WRITE_BUFFER;
    if (bound !== undefined) action(bound);
    else this.withBound('glBindBuffer', target, this.bindings.buffer(target), buffer, () => action(target));
  }

  #targetOf(buffer: number): number | undefined {
    for (const [target, bound] of this.bindings.buffers) if (bound === buffer) return target;
    const isElements = buffer !== 0 && this.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) === buffer;
    return isElements ? GL.ELEMENT_ARRAY_BUFFER : undefined;
  }

  withBufferAt(target: number, buffer: number, action: () => void): void {
    this.withBound('glBindBuffer', target, this.bindings.buffer(target), buffer, action);
  }

  withTexture(target: number, texture: number, action: () => void): void {
    const bound = bindingTarget(target);
    this.withBound('glBindTexture', bound, this.bindings.texture(bound), texture, action);
  }

  withVertexArray(vertexArray: number, action: () => void): void {
    this.withBound('glBindVertexArray', null, this.bindings.vertexArray, vertexArray, action);
  }

  withRenderbuffer(renderbuffer: number, action: () => void): void {
    this.withBound('glBindRenderbuffer', GL.RENDERBUFFER, this.bindings.renderbuffer, renderbuffer, action);
  }

  withTransformFeedback(feedback: number, action: () => void): void {
    this.withBound('glBindTransformFeedback', 0x8e22, this.bindings.transformFeedback, feedback, action);
  }

  withProgram(program: number, action: () => void): void {
    this.withBound('glUseProgram', null, this.bindings.program, program, action);
  }

  /** Gives the target where a framebuffer is bound. */
  withFramebuffer(framebuffer: number, action: (target: number) => void): void {
    const { drawFramebuffer: draw, readFramebuffer: read } = this.bindings;
    const target = this.api.es && this.api.version < 30 ? GL.FRAMEBUFFER : GL.DRAW_FRAMEBUFFER;
    if (draw === framebuffer) action(read === framebuffer ? GL.FRAMEBUFFER : GL.DRAW_FRAMEBUFFER);
    else if (read === framebuffer) action(GL.READ_FRAMEBUFFER);
    else this.withBound('glBindFramebuffer', target, draw, framebuffer, () => action(target));
  }

  withDrawFramebuffer(framebuffer: number, action: () => void): void {
    const { drawFramebuffer } = this.bindings;
    this.withBound('glBindFramebuffer', GL.DRAW_FRAMEBUFFER, drawFramebuffer, framebuffer, action);
  }

  withReadFramebuffer(framebuffer: number, action: () => void): void {
    const { readFramebuffer } = this.bindings;
    this.withBound('glBindFramebuffer', GL.READ_FRAMEBUFFER, readFramebuffer, framebuffer, action);
  }

  /** In the setup nothing is put back: the state that the frame begins with is set at its end. */
  private withBound(name: string, target: number | null, before: number, wanted: number, action: () => void): void {
    const bind = (id: number) => this.call(name, target === null ? [id] : [target, id]);
    if (before !== wanted) bind(wanted);
    action();
    if (before !== wanted && this.inFrame) bind(before);
  }
}
