/** Everything a frame changes, kept as it was before the frame, so that every run starts alike. */
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import { doInternalWork } from '../internal-work.ts';
import type { ProgramsSnapshot } from '../programs.ts';
import { type BindingsCopy, copyBindings, restoreBindings } from './bindings.ts';
import { type Saved, saveBuffer } from './buffers.ts';
import { saveFramebuffer, saveTransformFeedback, saveVertexArray } from './containers.ts';
import { saveFixedState } from './fixed-state.ts';
import type { FrameChanges } from './frame-changes.ts';
import { type ImageCopier, makeCopier } from './image-copy.ts';
import { saveProgram } from './programs.ts';
import { saveRenderbuffer } from './renderbuffers.ts';
import type { TextureShape } from './texture-shapes.ts';
import { hasContents, saveParameters, saveTexture } from './textures.ts';
import { type AttributeKinds, saveVertexAttributes } from './vertex-attributes.ts';

const e = glEnums('GL_TRANSFORM_FEEDBACK_ACTIVE');

/** What was known when the frame began. */
export interface FrameStart {
  readonly names: Readonly<Record<ObjectClass, Uint32Array>>;
  readonly bindings: BindingsCopy;
  readonly programs: ProgramsSnapshot;
  readonly attributeKinds: ReturnType<AttributeKinds['copy']>;
  readonly shape: (texture: number) => TextureShape | undefined;
  /** The texture's layout at the frame's end. */
  readonly shapeAfter: (texture: number) => TextureShape | undefined;
}

/** Fills a texture again by the uploads that filled it (texture-uploads.ts). */
export type Reload = (texture: number) => Promise<Saved>;

const deleters: Readonly<Partial<Record<ObjectClass, string>>> = {
  buffer: 'Buffers',
  framebuffer: 'Framebuffers',
  programPipeline: 'ProgramPipelines',
  query: 'Queries',
  renderbuffer: 'Renderbuffers',
  sampler: 'Samplers',
  texture: 'Textures',
  transformFeedback: 'TransformFeedbacks',
  vertexArray: 'VertexArrays',
};

function deleteObject({ gl }: GlContext, list: Scratch, objectClass: ObjectClass, name: number): void {
  if (objectClass === 'program') gl.glDeleteProgram(name);
  else if (objectClass === 'shader') gl.glDeleteShader(name);
  else if (deleters[objectClass]) {
    list.u32[0] = name;
    gl[`glDelete${deleters[objectClass]}`](1, list.address);
  }
}

export class Snapshot {
  readonly #state: ReplayState;
  readonly #changes: FrameChanges;
  readonly #start: FrameStart;
  readonly #end: BindingsCopy;
  readonly #copier: ImageCopier;
  readonly #contents: Saved[] = [];
  readonly #programs: Saved[] = [];
  readonly #containers: Saved[] = [];
  readonly #targets = new Set<number>();
  readonly #list = new Scratch(8);
  #fixedState: () => void = () => {};
  #vertexAttributes: () => void = () => {};

  /**
   * GL must be in the state before the frame, and the bindings of `state` in that at its end. Throws GpuprofError
   * `missing-feature` naming what this context cannot put back.
   */
  static async take(state: ReplayState, changes: FrameChanges, start: FrameStart, reload: Reload): Promise<Snapshot> {
    const snapshot = new Snapshot(state, changes, start);
    const reloaded = snapshot.#save();
    for (const id of reloaded) snapshot.#contents.push(await reload(id));
    return snapshot;
  }

  private constructor(state: ReplayState, changes: FrameChanges, start: FrameStart) {
    this.#state = state;
    this.#changes = changes;
    this.#start = start;
    this.#end = copyBindings(state.bindings);
    this.#copier = makeCopier(state.context);
  }

  /** Returns the textures that must be reloaded. */
  #save(): number[] {
    const { context, objects, bindings, canvas } = this.#state;
    const { names } = objects;
    const reloaded: number[] = [];
    this.#fixedState = saveFixedState(context);
    if (this.#changes.setsVertexAttributes)
      this.#vertexAttributes = saveVertexAttributes(context, this.#start.attributeKinds);
    const live = (objectClass: ObjectClass) =>
      [...this.#changes.written(objectClass)].filter((id) => id !== 0 && names[objectClass][id] !== 0);
    const zero = (objectClass: ObjectClass) => (this.#changes.written(objectClass).has(0) ? [0] : []);
    doInternalWork(context, () => {
      for (const id of live('buffer')) this.#contents.push(saveBuffer(this.#state, names.buffer[id]));
      for (const id of live('texture')) {
        const shape = this.#start.shape(id);
        if (!hasContents(shape)) continue;
        this.#targets.add(shape.target);
        const saved = saveTexture(this.#state, this.#copier, names.texture[id], shape, this.#start.shapeAfter(id));
        if (saved) this.#contents.push(saved);
        else reloaded.push(id);
      }
      const renderbuffers = live('renderbuffer').map((id) => names.renderbuffer[id]);
      if (this.#changes.written('framebuffer').has(0)) {
        renderbuffers.push(canvas.color);
        if (canvas.hasDepth || canvas.hasStencil) renderbuffers.push(canvas.depthStencil);
      }
      for (const name of renderbuffers) {
        const saved = saveRenderbuffer(this.#state, this.#copier, name);
        if (saved) this.#contents.push(saved);
      }
      for (const id of new Set([...live('texture'), ...this.#changes.textureParameters])) {
        const target = this.#start.shape(id)?.target ?? bindings.textureTargets.get(id);
        const name = names.texture[id];
        if (target === undefined || name === 0 || target === 0x9100 || target === 0x9102 || target === 0x8c2a) continue;
        this.#targets.add(target);
        this.#containers.push(
          saveParameters(this.#state, 'Tex', target, () => void context.gl.glBindTexture(target, name)),
        );
      }
      for (const id of live('sampler'))
        this.#containers.push(saveParameters(this.#state, 'Sampler', names.sampler[id], () => {}));
      for (const id of live('program')) {
        const saved = saveProgram(this.#state, names.program[id]);
        if (saved) this.#programs.push(saved);
      }
      for (const id of [...zero('vertexArray'), ...live('vertexArray')])
        this.#containers.push(saveVertexArray(this.#state, names.vertexArray[id]));
    });
    const start = this.#start.bindings;
    for (const id of [...zero('framebuffer'), ...live('framebuffer')])
      this.#containers.push(
        saveFramebuffer(
          this.#state,
          id,
          start.framebuffers.get(id) ?? bindings.framebuffer(id),
          bindings.framebuffer(id),
        ),
      );
    for (const id of [...zero('transformFeedback'), ...live('transformFeedback')])
      this.#containers.push(
        saveTransformFeedback(
          this.#state,
          id,
          start.transformFeedbacks.get(id)?.buffers ?? new Map(),
          bindings.transformFeedbackBindings(id).buffers,
        ),
      );
    return reloaded;
  }

  /** Puts everything back. Leaves GL as it was before the frame. */
  restore(): void {
    const { context, objects, programs } = this.#state;
    const { gl } = context;
    if (this.#changes.written('transformFeedback').size > 0 && context.integer(e.GL_TRANSFORM_FEEDBACK_ACTIVE) !== 0)
      gl.glEndTransformFeedback();
    objects.replaceWith(this.#start.names, (objectClass, name) => deleteObject(context, this.#list, objectClass, name));
    doInternalWork(context, () => {
      for (const saved of this.#contents) saved.restore();
      for (const id of this.#changes.compiledShaders) programs.restoreShader(id, this.#start.programs);
      for (const id of this.#changes.linkedPrograms) programs.relink(id, this.#start.programs);
      for (const saved of this.#programs) saved.restore();
    });
    for (const saved of this.#containers) saved.restore();
    restoreBindings(this.#state, this.#start.bindings, this.#end, this.#targets);
    this.#vertexAttributes();
    this.#fixedState();
  }

  destroy(): void {
    for (const saved of [...this.#contents, ...this.#programs, ...this.#containers]) saved.destroy();
    this.#copier.destroy();
  }
}
