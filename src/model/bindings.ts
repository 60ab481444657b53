import type { BindingCommand } from './binding/binding-command.ts';
import { bindingCommand } from './binding/commands.ts';
import type { Call } from './call.ts';
import type { CallStream } from './call-stream.ts';
import { DisplayLists } from './display-lists.ts';
import { getOrAdd } from './get-or-add.ts';
import { bindingTarget, GL } from './gl-constants.ts';
import { perSignature } from './per-signature.ts';
import type { Signature } from './signature.ts';

/** What hangs on one attachment point. `layer` is null when all layers are attached (`glFramebufferTexture`). */
export interface Attachment {
  readonly kind: 'texture' | 'renderbuffer';
  readonly id: number;
  readonly level: number;
  readonly layer: number | null;
  /** The texture target the call named (a cube map's face, say); 0 when it names none. */
  readonly textureTarget: number;
}

export interface FramebufferBindings {
  /** By attachment point; depth and stencil apart, also when attached together. */
  readonly attachments: Map<number, Attachment>;
  drawBuffers: readonly number[];
  readBuffer: number;
}

export interface IndexedBuffer {
  readonly buffer: number;
  readonly offset: number;
  /** In bytes; null for the whole buffer. */
  readonly sizeBytes: number | null;
}

export interface VertexArrayBindings {
  elementBuffer: number;
  /** Buffer at each vertex buffer binding point. */
  readonly buffers: Map<number, number>;
  /** Binding point of each attribute, where it is not the attribute's own index. */
  readonly attributeBinding: Map<number, number>;
  readonly enabled: Set<number>;
}

export interface TransformFeedbackBindings {
  readonly buffers: Map<number, IndexedBuffer>;
  active: boolean;
  paused: boolean;
}

export interface ImageUnit {
  readonly texture: number;
  readonly level: number;
  readonly layered: boolean;
  readonly layer: number;
  readonly access: number;
  readonly format: number;
}

const multisampled: ReadonlySet<number> = new Set([GL.TEXTURE_2D_MULTISAMPLE, GL.TEXTURE_2D_MULTISAMPLE_ARRAY]);

const commandFor = perSignature(({ name }): BindingCommand | null => bindingCommand(name) ?? null);

/**
 * Follows what is bound where through a stream of calls. All ids are capture-local; 0 is "none" (for framebuffers the
 * canvas, for vertex arrays and transform feedbacks the default object). Only reads calls: knows nothing of GL errors, so
 * a call that GL would refuse is believed. Calls it does not know change nothing.
 */
export class Bindings {
  /** Buffers by generic binding target, except the element array's, which belongs to the vertex array: {@link buffer}. */
  readonly buffers = new Map<number, number>();
  /** By target, then index; transform feedback's belong to its object. */
  readonly indexedBuffers = new Map<number, Map<number, IndexedBuffer>>();
  /** From 0, not from GL_TEXTURE0. */
  activeUnit = 0;
  /** By unit, then target. */
  readonly textures = new Map<number, Map<number, number>>();
  /** The target each texture was first bound or created with. */
  readonly textureTargets = new Map<number, number>();
  readonly samplers = new Map<number, number>();
  readonly images = new Map<number, ImageUnit>();
  drawFramebuffer = 0;
  readFramebuffer = 0;
  readonly framebuffers = new Map<number, FramebufferBindings>();
  renderbuffer = 0;
  /** Samples of each multisampled renderbuffer. */
  readonly renderbufferSamples = new Map<number, number>();
  program = 0;
  pipeline = 0;
  /** Program of each pipeline that `glUniform*` sets (`glActiveShaderProgram`). */
  readonly pipelineActive = new Map<number, number>();
  /** Programs of each pipeline by stage bit. */
  readonly pipelineStages = new Map<number, Map<number, number>>();
  vertexArray = 0;
  readonly vertexArrays = new Map<number, VertexArrayBindings>();
  transformFeedback = 0;
  readonly transformFeedbacks = new Map<number, TransformFeedbackBindings>();
  /** Assembly programs (GL_ARB_vertex_program and GL_ARB_fragment_program) by target. */
  readonly assemblyPrograms = new Map<number, number>();
  /** The target each of them was bound to. */
  readonly assemblyTargets = new Map<number, number>();
  /** Rises with every call that can change bindings. */
  version = 0;
  /** Whether the next call is between glBegin and glEnd. */
  insideBegin = false;
  readonly lists = new DisplayLists();
  /** What glPushAttrib and glPushClientAttrib saved, with what puts it back; the last one on top. */
  readonly attributeStack: (() => void)[] = [];
  readonly clientAttributeStack: (() => void)[] = [];
  /** The fewest entries that both stacks together have had; whoever wants to know sets it first. */
  attributeFloor = 0;
  private readonly queries = new Map<string, number>();

  /** What takes effect with a call: for a call of display lists what is in them, for one that is compiled nothing. */
  effects(call: Call, effect: (call: Call) => void): void {
    this.lists.follow(call, effect);
  }

  apply(call: Call): void {
    this.lists.follow(call, this.applyEffect);
  }

  /** As {@link apply} for a call that {@link effects} has given. */
  readonly applyEffect = (call: Call): void => {
    const command = commandFor(call.signature);
    if (command === null) return;
    this.version++;
    command(this, call.args);
  };

  /** Whether calls of this signature can change bindings; others need not be decoded for {@link apply}. */
  static follows(signature: Signature): boolean {
    return commandFor(signature) !== null || DisplayLists.follows(signature);
  }

  /** Whether a framebuffer other than the canvas has multisampled attachments. */
  isMultisampled(framebuffer: number): boolean {
    for (const { kind, id } of this.framebuffer(framebuffer).attachments.values()) {
      const target = this.textureTargets.get(id);
      if (kind === 'renderbuffer' ? this.renderbufferSamples.has(id) : target !== undefined && multisampled.has(target))
        return true;
    }
    return false;
  }

  /** The buffer bound to a generic target. */
  buffer(target: number): number {
    if (target === GL.ELEMENT_ARRAY_BUFFER) return this.vertexArrayBindings().elementBuffer;
    return this.buffers.get(target) ?? 0;
  }

  indexed(target: number): Map<number, IndexedBuffer> {
    if (target === GL.TRANSFORM_FEEDBACK_BUFFER) return this.transformFeedbackBindings().buffers;
    return getOrAdd(this.indexedBuffers, target, () => new Map());
  }

  /** The texture bound to a target (a cube map's face means the cube map) of a unit; the active unit when not given. */
  texture(target: number, unit = this.activeUnit): number {
    return this.textures.get(unit)?.get(bindingTarget(target)) ?? 0;
  }

  framebuffer(id: number): FramebufferBindings {
    return getOrAdd(this.framebuffers, id, () => ({
      attachments: new Map(),
      drawBuffers: [id === 0 ? GL.BACK : GL.COLOR_ATTACHMENT0],
      readBuffer: id === 0 ? GL.BACK : GL.COLOR_ATTACHMENT0,
    }));
  }

  /** The framebuffer bound to GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER (both the draw one) or GL_READ_FRAMEBUFFER. */
  boundFramebuffer(target: number): number {
    return target === GL.READ_FRAMEBUFFER ? this.readFramebuffer : this.drawFramebuffer;
  }

  /** The framebuffers that have it attached, deleted ones among them. */
  framebuffersWith(kind: Attachment['kind'], id: number): number[] {
    return [...this.framebuffers]
      .filter(([, { attachments }]) => [...attachments.values()].some((each) => each.kind === kind && each.id === id))
      .map(([framebuffer]) => framebuffer);
  }

  vertexArrayBindings(id = this.vertexArray): VertexArrayBindings {
    return getOrAdd(this.vertexArrays, id, () => ({
      elementBuffer: 0,
      buffers: new Map(),
      attributeBinding: new Map(),
      enabled: new Set(),
    }));
  }

  /** The buffer a vertex attribute of the current vertex array reads; 0 for client memory or none. */
  attributeBuffer(attribute: number): number {
    const array = this.vertexArrayBindings();
    return array.buffers.get(array.attributeBinding.get(attribute) ?? attribute) ?? 0;
  }

  transformFeedbackBindings(id = this.transformFeedback): TransformFeedbackBindings {
    return getOrAdd(this.transformFeedbacks, id, () => ({ buffers: new Map(), active: false, paused: false }));
  }

  /** The program whose uniforms `glUniform*` sets and which draws: the current one, else the pipeline's. */
  activeProgram(): number {
    return this.program || (this.pipelineActive.get(this.pipeline) ?? 0);
  }

  /** The program that an action runs: the current one, else the pipeline's for `stageBit`, else any of its stages. */
  drawingProgram(stageBit = 2): number {
    if (this.program) return this.program;
    const stages = this.pipelineStages.get(this.pipeline);
    return stages?.get(stageBit) ?? stages?.values().next().value ?? 0;
  }

  activeQuery(target: number, index = 0): number {
    return this.queries.get(`${target}/${index}`) ?? 0;
  }

  /** All queries between begin and end. */
  activeQueries(): readonly number[] {
    return [...this.queries.values()];
  }

  setActiveQuery(target: number, index: number, query: number): void {
    if (query) this.queries.set(`${target}/${index}`, query);
    else this.queries.delete(`${target}/${index}`);
  }
}

/** Applies every call of a stream; those that change no bindings are not decoded. */
export function followCalls(bindings: Bindings, calls: CallStream): void {
  const relevant = calls.signatures.map((signature) => Bindings.follows(signature));
  for (let index = 0; index < calls.length; index++)
    if (relevant[calls.words[calls.starts[index]]]) bindings.apply(calls.call(index));
}
