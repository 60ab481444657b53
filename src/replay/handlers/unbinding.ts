import { GL } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { Site } from '../compile/site.ts';

type Step = () => void;

/** What deleting an object does to the context's bindings (OpenGL ES 3.2, section 5.1.2), without deleting it. */
export function unbinding(site: Site, objectClass: ObjectClass, id: number): Step {
  const steps = (unbinders[objectClass] ?? (() => []))(site, id);
  return () => {
    for (const step of steps) step();
  };
}

function detach(site: Site, kind: 'texture' | 'renderbuffer', id: number): Step[] {
  const { bindings, context } = site.state;
  const steps: Step[] = [];
  for (const [target, framebuffer] of [
    [GL.DRAW_FRAMEBUFFER, bindings.drawFramebuffer],
    [GL.READ_FRAMEBUFFER, bindings.readFramebuffer],
  ])
    for (const [point, attachment] of bindings.framebuffer(framebuffer).attachments)
      if (framebuffer !== 0 && attachment.kind === kind && attachment.id === id)
        steps.push(() => void context.gl.glFramebufferRenderbuffer(target, point, GL.RENDERBUFFER, 0));
  return steps;
}

const unbinders: Partial<Record<ObjectClass, (site: Site, id: number) => Step[]>> = {
  buffer({ state: { bindings, context } }, id) {
    const { gl } = context;
    const steps: Step[] = [];
    for (const [target, bound] of bindings.buffers) if (bound === id) steps.push(() => void gl.glBindBuffer(target, 0));
    for (const [target, map] of [
      ...bindings.indexedBuffers,
      [GL.TRANSFORM_FEEDBACK_BUFFER, bindings.transformFeedbackBindings().buffers] as const,
    ])
      for (const [index, bound] of map)
        if (bound.buffer === id) steps.push(() => void gl.glBindBufferBase(target, index, 0));
    if (bindings.vertexArrayBindings().elementBuffer === id)
      steps.push(() => void gl.glBindBuffer(GL.ELEMENT_ARRAY_BUFFER, 0));
    return steps;
  },
  texture(site, id) {
    const { bindings, context } = site.state;
    const { gl } = context;
    const active = GL.TEXTURE0 + bindings.activeUnit;
    const steps = detach(site, 'texture', id);
    for (const [unit, targets] of bindings.textures)
      for (const [target, bound] of targets)
        if (bound === id)
          steps.push(() => {
            gl.glActiveTexture(GL.TEXTURE0 + unit);
            gl.glBindTexture(target, 0);
            gl.glActiveTexture(active);
          });
    for (const [unit, image] of bindings.images)
      if (image.texture === id)
        steps.push(() => void gl.glBindImageTexture(unit, 0, 0, 0, 0, GL.READ_ONLY, image.format));
    return steps;
  },
  renderbuffer(site, id) {
    const steps = detach(site, 'renderbuffer', id);
    if (site.state.bindings.renderbuffer === id)
      steps.push(() => void site.state.context.gl.glBindRenderbuffer(GL.RENDERBUFFER, 0));
    return steps;
  },
  framebuffer({ state: { bindings, context, canvas } }, id) {
    const steps: Step[] = [];
    for (const [target, bound] of [
      [GL.DRAW_FRAMEBUFFER, bindings.drawFramebuffer],
      [GL.READ_FRAMEBUFFER, bindings.readFramebuffer],
    ])
      if (bound === id) steps.push(() => void context.gl.glBindFramebuffer(target, canvas.framebuffer));
    return steps;
  },
  vertexArray: ({ state: { bindings, context } }, id) =>
    bindings.vertexArray === id ? [() => void context.gl.glBindVertexArray(0)] : [],
  sampler: ({ state: { bindings, context } }, id) =>
    [...bindings.samplers]
      .filter(([, bound]) => bound === id)
      .map(
        ([unit]) =>
          () =>
            void context.gl.glBindSampler(unit, 0),
      ),
  transformFeedback: ({ state: { bindings, context } }, id) =>
    bindings.transformFeedback === id ? [() => void context.gl.glBindTransformFeedback(0x8e22, 0)] : [],
  programPipeline: ({ state: { bindings, context } }, id) =>
    bindings.pipeline === id ? [() => void context.gl.glBindProgramPipeline(0)] : [],
};
