import type { Bindings } from '../../model/bindings.ts';
import { GL } from '../../model/gl-constants.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import { bindIndexed } from './containers.ts';

const e = glEnums('GL_TRANSFORM_FEEDBACK');

/** The bindings as they were, free of later changes. */
export type BindingsCopy = Pick<
  Bindings,
  | 'assemblyPrograms'
  | 'buffers'
  | 'indexedBuffers'
  | 'activeUnit'
  | 'textures'
  | 'textureTargets'
  | 'samplers'
  | 'images'
  | 'drawFramebuffer'
  | 'readFramebuffer'
  | 'framebuffers'
  | 'renderbuffer'
  | 'program'
  | 'pipeline'
  | 'pipelineActive'
  | 'pipelineStages'
  | 'vertexArray'
  | 'transformFeedback'
  | 'transformFeedbacks'
>;

export function copyBindings(b: Bindings): BindingsCopy {
  return structuredClone({
    assemblyPrograms: b.assemblyPrograms,
    buffers: b.buffers,
    indexedBuffers: b.indexedBuffers,
    activeUnit: b.activeUnit,
    textures: b.textures,
    textureTargets: b.textureTargets,
    samplers: b.samplers,
    images: b.images,
    drawFramebuffer: b.drawFramebuffer,
    readFramebuffer: b.readFramebuffer,
    framebuffers: b.framebuffers,
    renderbuffer: b.renderbuffer,
    program: b.program,
    pipeline: b.pipeline,
    pipelineActive: b.pipelineActive,
    pipelineStages: b.pipelineStages,
    vertexArray: b.vertexArray,
    transformFeedback: b.transformFeedback,
    transformFeedbacks: b.transformFeedbacks,
  });
}

const keys = (...maps: (ReadonlyMap<number, unknown> | undefined)[]): number[] => [
  ...new Set(maps.flatMap((map) => [...(map?.keys() ?? [])])),
];

/** Binds everything as before the frame, wherever the frame or the snapshot's own work (on unit 0) may have changed it. */
export function restoreBindings(
  state: ReplayState,
  before: BindingsCopy,
  after: BindingsCopy,
  touchedTargets: Iterable<number>,
): void {
  const { gl, scratch } = state.context;
  const { names } = state.objects;
  const touched = new Map([...touchedTargets].map((target) => [target, 0]));
  for (const unit of keys(before.textures, after.textures, new Map([[0, null]]))) {
    gl.glActiveTexture(GL.TEXTURE0 + unit);
    const [from, to] = [before.textures.get(unit), after.textures.get(unit)];
    for (const target of keys(from, to, unit === 0 ? touched : undefined))
      gl.glBindTexture(target, names.texture[from?.get(target) ?? 0]);
  }
  gl.glActiveTexture(GL.TEXTURE0 + before.activeUnit);
  for (const unit of keys(before.samplers, after.samplers))
    gl.glBindSampler(unit, names.sampler[before.samplers.get(unit) ?? 0]);
  for (const unit of keys(before.images, after.images)) {
    const image = before.images.get(unit);
    // Bound by glBindImageTextures, which takes the texture's own format.
    if (image?.format === 0) {
      scratch.u32[0] = names.texture[image.texture];
      gl.glBindImageTextures(unit, 1, scratch.address);
    } else if (image)
      gl.glBindImageTexture(
        unit,
        names.texture[image.texture],
        image.level,
        image.layered ? 1 : 0,
        image.layer,
        image.access,
        image.format,
      );
    else gl.glBindImageTexture(unit, 0, 0, 0, 0, GL.READ_ONLY, after.images.get(unit)?.format || 0x8058);
  }
  gl.glBindVertexArray(names.vertexArray[before.vertexArray]);
  if (state.context.find('glBindTransformFeedback'))
    gl.glBindTransformFeedback(e.GL_TRANSFORM_FEEDBACK, names.transformFeedback[before.transformFeedback]);
  for (const target of keys(before.indexedBuffers, after.indexedBuffers)) {
    const [from, to] = [before.indexedBuffers.get(target), after.indexedBuffers.get(target)];
    for (const index of keys(from, to)) bindIndexed(state, target, index, from?.get(index));
  }
  const own = new Map(
    [GL.ARRAY_BUFFER, GL.PIXEL_PACK_BUFFER, GL.PIXEL_UNPACK_BUFFER, GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER].map(
      (t) => [t, 0],
    ),
  );
  for (const target of keys(before.buffers, after.buffers, own))
    gl.glBindBuffer(target, names.buffer[before.buffers.get(target) ?? 0]);
  gl.glBindRenderbuffer(GL.RENDERBUFFER, names.renderbuffer[before.renderbuffer]);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, names.framebuffer[before.drawFramebuffer]);
  gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, names.framebuffer[before.readFramebuffer]);
  gl.glUseProgram(names.program[before.program]);
  for (const target of keys(before.assemblyPrograms, after.assemblyPrograms))
    gl.glBindProgramARB(target, names.assemblyProgram[before.assemblyPrograms.get(target) ?? 0]);
  if (before.pipeline || after.pipeline || after.pipelineStages.size > 0)
    gl.glBindProgramPipeline(names.programPipeline[before.pipeline]);
}
