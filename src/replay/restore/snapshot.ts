/** Everything a frame changes, kept as it was before the frame, so that every run starts alike. */
import { GpuprofError } from '../../errors.ts';
import { Bindings } from '../../model/bindings.ts';
import { GL } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';
import { type ImageShape, sameImage, type TextureShape } from '../../model/texture-shapes.ts';
import { emptyLists } from '../checks/display-lists.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import { doInternalWork } from '../internal-work.ts';
import type { ProgramsSnapshot } from '../programs.ts';
import { saveAssemblyProgram } from './assembly-programs.ts';
import { type BindingsCopy, copyBindings, restoreBindings } from './bindings.ts';
import { type Saved, saveBuffer } from './buffers.ts';
import { saveFramebuffer, savePipeline, saveTransformFeedback, saveVertexArray } from './containers.ts';
import { saveFixedState } from './fixed-state.ts';
import type { FrameChanges } from './frame-changes.ts';
import { type ImageCopier, makeCopier } from './image-copy.ts';
import { isCompatibility, LegacyState } from './legacy-state.ts';
import { MadeAnew } from './made-anew.ts';
import { deleteObject } from './object-names.ts';
import { saveProgram } from './programs.ts';
import { saveRenderbuffer } from './renderbuffers.ts';
import { saveSubroutines } from './subroutines.ts';
import { hasContents, saveParameters, saveTexture } from './textures.ts';
import { type AttributeKinds, saveVertexAttributes } from './vertex-attributes.ts';

const onceHint = 'replay it with --no-timing, which plays each frame once';
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
  readonly #anew: MadeAnew;
  #legacy: LegacyState | undefined;
  #fixedState: () => void = () => {};
  #subroutines: (() => void) | undefined;
  #vertexAttributes: () => void = () => {};

  /**
   * GL must be in the state before the frame, and the bindings of `state` in that at its end. Throws GpuprofError
   * `missing-feature` naming what this context cannot put back.
   */
  static async take(state: ReplayState, changes: FrameChanges, start: FrameStart, reload: Reload): Promise<Snapshot> {
    const snapshot = new Snapshot(state, changes, start);
    const reloaded = snapshot.#save();
    for (const id of reloaded) snapshot.#contents.push(await reload(id));
    snapshot.#settle();
    return snapshot;
  }

  private constructor(state: ReplayState, changes: FrameChanges, start: FrameStart) {
    this.#state = state;
    this.#changes = changes;
    this.#start = start;
    this.#end = copyBindings(state.bindings);
    this.#copier = makeCopier(state.context);
    this.#anew = new MadeAnew(state, start.names);
  }

  /** Returns the textures that must be reloaded. */
  #save(): number[] {
    const { context, objects, canvas } = this.#state;
    const { gl } = context;
    const { names } = objects;
    let reloaded: number[] = [];
    for (const list of this.#changes.lostLists())
      throw new GpuprofError(
        'missing-feature',
        `the frame calls display list ${list} and changes or deletes it, which cannot be put back`,
        { hint: onceHint },
      );
    if (isCompatibility(context)) this.#legacy = new LegacyState(context, this.#state.manifest);
    this.#subroutines = saveSubroutines(context, this.#state.manifest);
    this.#fixedState = saveFixedState(context);
    if (this.#changes.setsVertexAttributes)
      this.#vertexAttributes = saveVertexAttributes(context, this.#start.attributeKinds);
    doInternalWork(context, () => {
      for (const id of this.#live('buffer')) {
        if (this.#changes.fixesStorage('buffer', id)) this.#anew.add('buffer', id);
        this.#contents.push(saveBuffer(this.#state, id));
      }
      reloaded = this.#saveTextures();
      for (const id of this.#live('renderbuffer')) {
        const saved = saveRenderbuffer(this.#state, this.#copier, names.renderbuffer[id]);
        if (saved) this.#contents.push(saved);
        else this.#bearAnew('renderbuffer', id, () => gl.glBindRenderbuffer(GL.RENDERBUFFER, names.renderbuffer[id]));
      }
      if (this.#changes.written('framebuffer').has(0))
        for (const name of [
          canvas.color,
          ...(canvas.front === 0 ? [] : [canvas.front]),
          ...(canvas.hasDepth || canvas.hasStencil ? [canvas.depthStencil] : []),
        ]) {
          const saved = saveRenderbuffer(this.#state, this.#copier, name);
          if (saved) this.#contents.push(saved);
        }
      for (const id of this.#live('sampler'))
        this.#containers.push(saveParameters(this.#state, 'Sampler', names.sampler[id], () => {}));
      for (const id of this.#live('program')) {
        const saved = saveProgram(this.#state, names.program[id]);
        if (saved) this.#programs.push(saved);
        const record = this.#start.programs.programs.get(id);
        if (record && !record.linked) this.#anew.add('program', id);
      }
      for (const id of [
        ...this.#zero('vertexArray'),
        ...this.#live('vertexArray', this.#anew.added('buffer').size > 0),
      ])
        this.#containers.push(saveVertexArray(this.#state, names.vertexArray[id]));
    });
    for (const id of this.#live('assemblyProgram')) {
      const target = this.#state.bindings.assemblyTargets.get(id);
      if (target !== undefined) this.#containers.push(saveAssemblyProgram(this.#state, id, target));
    }
    for (const [target, id] of this.#start.bindings.assemblyPrograms)
      gl.glBindProgramARB(target, names.assemblyProgram[id]);
    this.#saveContainers();
    return reloaded;
  }

  /** Objects that the frame changes and that were there before it; with `all` also those that it leaves alone. */
  #live(objectClass: ObjectClass, all = false): number[] {
    const names = this.#state.objects.names[objectClass];
    const ids = all ? names.keys() : this.#changes.written(objectClass);
    return [...ids].filter((id) => id !== 0 && names[id] !== 0 && !this.#anew.isUnborn(objectClass, id));
  }

  /** Has an object made anew, and bound, which makes the name an object that others can hold. */
  #bearAnew(objectClass: ObjectClass, id: number, bind: () => void): void {
    this.#anew.add(objectClass, id);
    this.#contents.push({ restore: bind, destroy() {} });
  }

  /** The target of a texture that was bound before the frame. */
  #targetOf(texture: number): number {
    return this.#start.shape(texture)?.target ?? this.#start.bindings.textureTargets.get(texture) ?? GL.TEXTURE_2D;
  }

  #zero(objectClass: ObjectClass): number[] {
    return this.#changes.written(objectClass).has(0) ? [0] : [];
  }

  #saveTextures(): number[] {
    const { gl } = this.#state.context;
    const { texture: names } = this.#state.objects.names;
    const reloaded: number[] = [];
    const written = this.#live('texture');
    const parameters = [...this.#changes.textureParameters].filter((id) => !this.#anew.isUnborn('texture', id));
    for (const id of new Set([...written, ...parameters])) {
      const target = this.#targetOf(id);
      if (names[id] === 0 || target === 0x9100 || target === 0x9102 || target === 0x8c2a) continue;
      this.#targets.add(target);
      this.#containers.push(saveParameters(this.#state, 'Tex', target, () => void gl.glBindTexture(target, names[id])));
    }
    for (const id of written) {
      const shape = this.#start.shape(id);
      const after = this.#start.shapeAfter(id);
      const isAnew = this.#outgrows(id, shape, after);
      if (isAnew) this.#bearAnew('texture', id, () => gl.glBindTexture(this.#targetOf(id), names[id]));
      if (!hasContents(shape)) continue;
      this.#targets.add(shape.target);
      const isSpecifiedAgain = (key: string, image: ImageShape) => isAnew || !sameImage(after?.images.get(key), image);
      const saved = saveTexture(this.#state, this.#copier, id, shape, isSpecifiedAgain);
      if (saved) this.#contents.push(saved);
      else reloaded.push(id);
    }
    return reloaded;
  }

  /** Whether the frame gives a texture storage or images that cannot be taken away again. */
  #outgrows(id: number, shape: TextureShape | undefined, after: TextureShape | undefined): boolean {
    if (shape?.storage) return false;
    if (this.#changes.fixesStorage('texture', id)) return true;
    if (!this.#changes.specifiedTextures.has(id)) return false;
    if (!after || !this.#changes.existedBefore('texture', id)) return true;
    return after.storage !== null || [...after.images.keys()].some((key) => !shape?.images.has(key));
  }

  #saveContainers(): void {
    const start = this.#start.bindings;
    // What holds an object that is made anew must hold the new one.
    const framebuffers = this.#live('framebuffer', true).filter((framebuffer) =>
      [...(start.framebuffers.get(framebuffer)?.attachments.values() ?? [])].some(({ kind, id }) =>
        this.#anew.added(kind).has(id),
      ),
    );
    const unseen = new Bindings();
    for (const id of new Set([...this.#zero('framebuffer'), ...this.#live('framebuffer'), ...framebuffers]))
      this.#containers.push(
        saveFramebuffer(
          this.#state,
          id,
          start.framebuffers.get(id) ?? unseen.framebuffer(id),
          this.#state.bindings.framebuffer(id),
        ),
      );
    for (const id of this.#live('programPipeline'))
      this.#containers.push(savePipeline(this.#state, id, start, this.#end));
    const feedbacks = [0, ...this.#live('transformFeedback', true)].filter((feedback) =>
      [...(start.transformFeedbacks.get(feedback)?.buffers.values() ?? [])].some(({ buffer }) =>
        this.#anew.added('buffer').has(buffer),
      ),
    );
    for (const id of new Set([...this.#zero('transformFeedback'), ...this.#live('transformFeedback'), ...feedbacks]))
      this.#containers.push(
        saveTransformFeedback(
          this.#state,
          id,
          start.transformFeedbacks.get(id)?.buffers ?? new Map(),
          this.#state.bindings.transformFeedbackBindings(id).buffers,
        ),
      );
  }

  /** Puts everything back. Leaves GL as it was before the frame; `isLast`: nothing will be put back any more. */
  restore(isLast = false): void {
    const { context, objects, programs } = this.#state;
    const { gl } = context;
    if (this.#legacy) {
      // Draw buffers are attributes: they go to the framebuffers that they came from.
      const { drawFramebuffer, readFramebuffer } = this.#start.bindings;
      gl.glBindFramebuffer(
        GL.DRAW_FRAMEBUFFER,
        objects.names.framebuffer[drawFramebuffer] || this.#state.canvas.framebuffer,
      );
      gl.glBindFramebuffer(
        GL.READ_FRAMEBUFFER,
        objects.names.framebuffer[readFramebuffer] || this.#state.canvas.framebuffer,
      );
      this.#legacy.restore();
      emptyLists(context, this.#changes.newLists);
    }
    if (this.#changes.written('transformFeedback').size > 0 && context.integer(e.GL_TRANSFORM_FEEDBACK_ACTIVE) !== 0)
      gl.glEndTransformFeedback();
    objects.replaceWith(this.#start.names, (objectClass, name) => deleteObject(context, objectClass, name));
    this.#anew.restore();
    doInternalWork(context, () => {
      for (const saved of this.#contents) saved.restore();
      for (const id of this.#changes.compiledShaders) programs.restoreShader(id, this.#start.programs);
      for (const id of new Set([...this.#changes.linkedPrograms, ...this.#anew.added('program')]))
        programs.relink(id, this.#start.programs);
      for (const saved of this.#programs) saved.restore();
    });
    gl.glActiveTexture(GL.TEXTURE0);
    for (const saved of this.#containers) saved.restore();
    restoreBindings(this.#state, this.#start.bindings, this.#end, this.#targets);
    this.#subroutines?.();
    this.#vertexAttributes();
    this.#fixedState();
    this.#legacy?.restoreClientUnit();
    if (!isLast) this.#legacy?.save();
    this.#settle();
  }

  /**
   * The frame begins with nothing pending. NVIDIA's driver (580.159) needs it: a buffer that the frame updates while a
   * copy of it is still pending is drawn with its old contents.
   */
  #settle(): void {
    this.#state.context.gl.glFinish();
  }

  destroy(): void {
    this.#legacy?.destroy();
    for (const saved of [...this.#contents, ...this.#programs, ...this.#containers]) saved.destroy();
    this.#copier.destroy();
  }
}
