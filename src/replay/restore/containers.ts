/** Vertex arrays, framebuffers and transform feedbacks: objects that hold references to others. */

import { Scratch } from '../../gl/native.ts';
import type { Attachment, FramebufferBindings, IndexedBuffer } from '../../model/bindings.ts';
import { GL } from '../../model/gl-constants.ts';
import { canvasPoints } from '../canvas-points.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import type { BindingsCopy } from './bindings.ts';
import type { Saved } from './buffers.ts';
import { saveLegacyArrays } from './legacy-arrays.ts';
import { isCompatibility } from './legacy-state.ts';

const e = glEnums(
  'GL_MAX_VERTEX_ATTRIBS',
  'GL_ELEMENT_ARRAY_BUFFER_BINDING',
  'GL_VERTEX_ATTRIB_ARRAY_ENABLED',
  'GL_VERTEX_ATTRIB_ARRAY_SIZE',
  'GL_VERTEX_ATTRIB_ARRAY_TYPE',
  'GL_VERTEX_ATTRIB_ARRAY_NORMALIZED',
  'GL_VERTEX_ATTRIB_ARRAY_INTEGER',
  'GL_VERTEX_ATTRIB_ARRAY_LONG',
  'GL_VERTEX_ATTRIB_ARRAY_STRIDE',
  'GL_VERTEX_ATTRIB_ARRAY_DIVISOR',
  'GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING',
  'GL_VERTEX_ATTRIB_ARRAY_POINTER',
  'GL_VERTEX_ATTRIB_BINDING',
  'GL_VERTEX_ATTRIB_RELATIVE_OFFSET',
  'GL_VERTEX_BINDING_OFFSET',
  'GL_VERTEX_BINDING_STRIDE',
  'GL_VERTEX_BINDING_DIVISOR',
  'GL_VERTEX_BINDING_BUFFER',
  'GL_MAX_VERTEX_ATTRIB_BINDINGS',
  'GL_TRANSFORM_FEEDBACK',
);

/** Keeps the attributes and the element buffer of a vertex array, as GL tells them. */
export function saveVertexArray({ context, objects }: ReplayState, name: number): Saved {
  const { gl, scratch } = context;
  const { buffer: buffers } = objects.names;
  /** By id, since a buffer may be made anew; one that only vertex arrays hold has none. */
  const current = (buffer: number) => {
    const id = buffers.indexOf(buffer);
    return () => (id > 0 ? buffers[id] : buffer);
  };
  gl.glBindVertexArray(name);
  const element = current(context.integer(e.GL_ELEMENT_ARRAY_BUFFER_BINDING));
  const count = context.integer(e.GL_MAX_VERTEX_ATTRIBS);
  const get = (attribute: number, pname: number) => {
    gl.glGetVertexAttribiv(attribute, pname, scratch.address);
    return scratch.i32[0];
  };
  // The default vertex array has no separate formats in ES and in the core profile.
  const separate = name !== 0 && context.find('glBindVertexBuffer') !== undefined;
  const hasDoubles = context.api === 'gl' && context.extensions.has('GL_ARB_vertex_attrib_64bit');
  const steps: (() => void)[] = [];
  for (let at = 0; at < count; at++) {
    const enabled = get(at, e.GL_VERTEX_ATTRIB_ARRAY_ENABLED);
    const size = get(at, e.GL_VERTEX_ATTRIB_ARRAY_SIZE);
    const type = get(at, e.GL_VERTEX_ATTRIB_ARRAY_TYPE);
    const normalized = get(at, e.GL_VERTEX_ATTRIB_ARRAY_NORMALIZED);
    const integer = get(at, e.GL_VERTEX_ATTRIB_ARRAY_INTEGER);
    const double = hasDoubles && get(at, e.GL_VERTEX_ATTRIB_ARRAY_LONG) !== 0;
    steps.push(() => void (enabled ? gl.glEnableVertexAttribArray(at) : gl.glDisableVertexAttribArray(at)));
    if (separate) {
      const binding = get(at, e.GL_VERTEX_ATTRIB_BINDING);
      const relative = get(at, e.GL_VERTEX_ATTRIB_RELATIVE_OFFSET);
      steps.push(() => {
        if (integer) gl.glVertexAttribIFormat(at, size, type, relative);
        else if (double) gl.glVertexAttribLFormat(at, size, type, relative);
        else gl.glVertexAttribFormat(at, size, type, normalized, relative);
        gl.glVertexAttribBinding(at, binding);
      });
      continue;
    }
    const stride = get(at, e.GL_VERTEX_ATTRIB_ARRAY_STRIDE);
    const divisor = get(at, e.GL_VERTEX_ATTRIB_ARRAY_DIVISOR);
    const buffer = current(get(at, e.GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING));
    gl.glGetVertexAttribPointerv(at, e.GL_VERTEX_ATTRIB_ARRAY_POINTER, scratch.address);
    const pointer = Number(scratch.u64[0]);
    steps.push(() => {
      gl.glBindBuffer(GL.ARRAY_BUFFER, buffer());
      if (integer) gl.glVertexAttribIPointer(at, size, type, stride, pointer);
      else if (double) gl.glVertexAttribLPointer(at, size, type, stride, pointer);
      else gl.glVertexAttribPointer(at, size, type, normalized, stride, pointer);
      gl.glVertexAttribDivisor(at, divisor);
    });
  }
  if (separate)
    for (let at = 0; at < context.integer(e.GL_MAX_VERTEX_ATTRIB_BINDINGS); at++) {
      const [bound, stride, divisor] = [
        e.GL_VERTEX_BINDING_BUFFER,
        e.GL_VERTEX_BINDING_STRIDE,
        e.GL_VERTEX_BINDING_DIVISOR,
      ].map((pname) => {
        gl.glGetIntegeri_v(pname, at, scratch.address);
        return scratch.i32[0];
      });
      gl.glGetInteger64i_v(e.GL_VERTEX_BINDING_OFFSET, at, scratch.address);
      const offset = Number(scratch.i64[0]);
      const buffer = current(bound);
      steps.push(() => {
        gl.glBindVertexBuffer(at, buffer(), offset, stride);
        gl.glVertexBindingDivisor(at, divisor);
      });
    }
  if (isCompatibility(context)) steps.push(saveLegacyArrays(context, current));
  return {
    restore() {
      gl.glBindVertexArray(name);
      for (const step of steps) step();
      gl.glBindBuffer(GL.ELEMENT_ARRAY_BUFFER, element());
    },
    destroy() {},
  };
}

function attach({ context, objects }: ReplayState, point: number, attachment: Attachment): void {
  const { gl } = context;
  const target = GL.DRAW_FRAMEBUFFER;
  if (attachment.kind === 'renderbuffer') {
    gl.glFramebufferRenderbuffer(target, point, GL.RENDERBUFFER, objects.names.renderbuffer[attachment.id]);
    return;
  }
  const texture = objects.names.texture[attachment.id];
  const { level, layer, textureTarget } = attachment;
  if (layer === null) gl.glFramebufferTexture(target, point, texture, level);
  else if (textureTarget === 0) gl.glFramebufferTextureLayer(target, point, texture, level, layer);
  else gl.glFramebufferTexture2D(target, point, textureTarget, texture, level);
}

/** Keeps what a framebuffer has attached, from the bindings before the frame; `after` are those at its end. */
export function saveFramebuffer(
  state: ReplayState,
  id: number,
  before: FramebufferBindings,
  after: FramebufferBindings,
): Saved {
  const { gl } = state.context;
  const name = state.objects.names.framebuffer[id];
  const attachments = new Map(before.attachments);
  const points = (buffer: number) => (id === 0 ? canvasPoints(state.canvas, buffer) : [buffer]);
  const drawBuffers = before.drawBuffers.flatMap(points);
  const readBuffer = points(before.readBuffer)[0];
  const list = new Scratch(drawBuffers.length * 4);
  list.u32.set(drawBuffers);
  const attachable = new Set([...attachments.keys(), ...after.attachments.keys()]);
  return {
    restore() {
      gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, name);
      gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, name);
      for (const point of id === 0 ? [] : attachable) {
        const attachment = attachments.get(point);
        if (attachment) attach(state, point, attachment);
        else gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, 0);
      }
      gl.glDrawBuffers(drawBuffers.length, list.address);
      gl.glReadBuffer(readBuffer);
    },
    destroy() {},
  };
}

/** Binds a buffer, or a range of it, to an indexed target. */
export function bindIndexed(
  { context, objects }: ReplayState,
  target: number,
  index: number,
  bound?: IndexedBuffer,
): void {
  const { gl } = context;
  const name = bound ? objects.names.buffer[bound.buffer] : 0;
  if (!bound || bound.sizeBytes === null || name === 0) gl.glBindBufferBase(target, index, name);
  else gl.glBindBufferRange(target, index, name, bound.offset, bound.sizeBytes);
}

/** Keeps the buffers of a transform feedback object. */
export function saveTransformFeedback(
  state: ReplayState,
  id: number,
  before: ReadonlyMap<number, IndexedBuffer>,
  after: ReadonlyMap<number, IndexedBuffer>,
): Saved {
  const { gl } = state.context;
  const name = state.objects.names.transformFeedback[id];
  const indices = new Set([...before.keys(), ...after.keys()]);
  const buffers = new Map(before);
  return {
    restore() {
      gl.glBindTransformFeedback(e.GL_TRANSFORM_FEEDBACK, name);
      for (const index of indices) bindIndexed(state, GL.TRANSFORM_FEEDBACK_BUFFER, index, buffers.get(index));
    },
    destroy() {},
  };
}

/** Keeps the programs of a pipeline. */
export function savePipeline(
  { context, objects }: ReplayState,
  id: number,
  before: BindingsCopy,
  after: BindingsCopy,
): Saved {
  const { gl } = context;
  const { program, programPipeline } = objects.names;
  const [from, to] = [before.pipelineStages.get(id), after.pipelineStages.get(id)];
  const stages = new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])]);
  return {
    restore() {
      gl.glBindProgramPipeline(programPipeline[id]);
      for (const bit of stages) gl.glUseProgramStages(programPipeline[id], bit, program[from?.get(bit) ?? 0]);
      gl.glActiveShaderProgram(programPipeline[id], program[before.pipelineActive.get(id) ?? 0]);
    },
    destroy() {},
  };
}
