import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList } from '../encode/call-list.ts';
import { bufferBindings } from '../observe/buffers.ts';
import { textureTargets } from '../observe/textures.ts';
import { currentVertexArray, vertexArrayBinder } from '../read-back/gl-guard.ts';
import { addExtensionSettings } from './extension-settings.ts';
import { addDrawBuffers, addReadBuffer } from './framebuffer.ts';
import type { SnapshotContext } from './snapshot.ts';
import { addSettings } from './state-settings.ts';
import { addIndexed, addVertexArray, readIndexed, readVertexArray } from './vertex.ts';

type Handle = object | null;

/** Values of attributes that no array feeds. */
function addCurrentAttributes({ target: { gl }, shadows, calls }: SnapshotContext): void {
  const count = gl.getParameter(c.MAX_VERTEX_ATTRIBS) as number;
  for (const [index, { kind, values }] of [...shadows.currentAttributes].sort(([a], [b]) => a - b)) {
    if (index >= count) continue;
    const [x, y, z, w] = [0, 1, 2, 3].map((at) => Number(values[at] ?? (at === 3 ? 1 : 0)));
    if (kind !== 'f') calls.add(`glVertexAttribI4${kind}`, [index, x, y, z, w]);
    else if (x !== 0 || y !== 0 || z !== 0 || w !== 1) calls.add('glVertexAttrib4f', [index, x, y, z, w]);
  }
}

/** Textures and samplers of every unit, and which unit is active. */
function addUnits({ target: { gl, version }, calls, id }: SnapshotContext): void {
  const active = gl.getParameter(c.ACTIVE_TEXTURE) as number;
  const count = gl.getParameter(c.MAX_COMBINED_TEXTURE_IMAGE_UNITS) as number;
  let current: number = c.TEXTURE0;
  const activate = (unit: number) => {
    if (unit !== current) calls.add('glActiveTexture', [unit]);
    current = unit;
  };
  for (let unit: number = c.TEXTURE0; unit < c.TEXTURE0 + count; unit++) {
    gl.activeTexture(unit);
    for (const [target, binding] of textureTargets) {
      if (version === 1 && target !== c.TEXTURE_2D && target !== c.TEXTURE_CUBE_MAP) continue;
      const handle = gl.getParameter(binding) as Handle;
      if (!handle) continue;
      const texture = id(handle);
      activate(unit);
      calls.add('glBindTexture', [target, texture]);
    }
    const sampler = version === 2 ? (gl.getParameter(c.SAMPLER_BINDING) as Handle) : null;
    if (sampler) calls.add('glBindSampler', [unit - c.TEXTURE0, id(sampler)]);
  }
  gl.activeTexture(active);
  activate(active);
}

/** The vertex array that is there without one being bound, then the one that is bound. */
function addVertexArrays(context: SnapshotContext): void {
  const { target, calls, id } = context;
  const bind = vertexArrayBinder(target);
  const current = currentVertexArray(target);
  if (current) bind?.(null);
  addVertexArray(context, readVertexArray(context));
  if (!current) return;
  bind?.(current);
  calls.add('glBindVertexArray', [id(current)]);
}

function addTransformFeedback(context: SnapshotContext): void {
  const { target, calls, id, shadows } = context;
  const { gl } = target;
  const current = gl.getParameter(c.TRANSFORM_FEEDBACK_BINDING) as Handle;
  const active = Boolean(gl.getParameter(c.TRANSFORM_FEEDBACK_ACTIVE));
  const paused = Boolean(gl.getParameter(c.TRANSFORM_FEEDBACK_PAUSED));
  // A running feedback cannot be unbound to look at the one below it; then only the bound one is written.
  if (current && (!active || paused)) {
    gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, null);
    addIndexed(context, c.TRANSFORM_FEEDBACK_BUFFER, readIndexed(context, 'feedback'));
    gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, current);
  }
  if (current) calls.add('glBindTransformFeedback', [c.TRANSFORM_FEEDBACK, id(current)]);
  else addIndexed(context, c.TRANSFORM_FEEDBACK_BUFFER, readIndexed(context, 'feedback'));
  if (!active) return;
  const primitive = shadows.of('transformFeedback', current)?.primitive ?? shadows.defaultFeedbackPrimitive;
  calls.add('glBeginTransformFeedback', [primitive]);
  if (paused) calls.add('glPauseTransformFeedback', []);
}

/** Buffer bindings that are no vertex array's, with the indexed ones before those that they overwrite. */
function addBuffers(context: SnapshotContext): void {
  const { target, calls, id } = context;
  const { gl, version } = target;
  if (version === 2) addIndexed(context, c.UNIFORM_BUFFER, readIndexed(context, 'uniform'));
  for (const [point, binding] of bufferBindings) {
    if (point === c.ELEMENT_ARRAY_BUFFER || (version === 1 && point !== c.ARRAY_BUFFER)) continue;
    const buffer = id(gl.getParameter(binding));
    if (buffer !== 0 || point === c.ARRAY_BUFFER) calls.add('glBindBuffer', [point, buffer]);
  }
}

/** Framebuffer bindings, and the draw and read buffers of the canvas itself. */
function addFramebuffers(context: SnapshotContext): void {
  const { target, calls, id } = context;
  const { gl, version } = target;
  const draw = gl.getParameter(c.FRAMEBUFFER_BINDING) as Handle;
  const read = version === 2 ? (gl.getParameter(c.READ_FRAMEBUFFER_BINDING) as Handle) : draw;
  const [drawId, readId] = [id(draw), id(read)];
  calls.add('glBindFramebuffer', [c.FRAMEBUFFER, 0]);
  gl.bindFramebuffer(c.FRAMEBUFFER, null);
  addDrawBuffers(context, true);
  addReadBuffer(context, true);
  gl.bindFramebuffer(c.FRAMEBUFFER, draw);
  if (drawId !== 0) calls.add('glBindFramebuffer', [c.FRAMEBUFFER, drawId]);
  if (version === 1) return;
  gl.bindFramebuffer(c.READ_FRAMEBUFFER, read);
  if (readId !== drawId) calls.add('glBindFramebuffer', [c.READ_FRAMEBUFFER, readId]);
}

function addQueries({ target: { gl }, calls, id }: SnapshotContext): void {
  const targets = [c.ANY_SAMPLES_PASSED, c.ANY_SAMPLES_PASSED_CONSERVATIVE, c.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN];
  for (const target of targets) {
    const query = gl.getQuery(target, c.CURRENT_QUERY);
    if (query) calls.add('glBeginQuery', [target, id(query)]);
  }
}

/**
 * Writes all context state to `calls`, which stand after all objects in a capture, and brings every object that state
 * refers to into the capture. Changes nothing: what it binds to look at it is bound back.
 */
export function addState(objects: SnapshotContext, calls: CallList): void {
  const context = { ...objects, calls };
  const { target, id } = context;
  const { gl, version } = target;
  addSettings(target, calls);
  addExtensionSettings(target, calls);
  target.bufferSettings.add(calls);
  addCurrentAttributes(context);
  // Objects are set up on unit 0 with renderbuffers, textures and buffers bound: unbind what the program has not bound.
  for (const point of textureTargets.keys())
    if (version === 2 || point === c.TEXTURE_2D || point === c.TEXTURE_CUBE_MAP) calls.add('glBindTexture', [point, 0]);
  if (version === 2 || vertexArrayBinder(target)) calls.add('glBindVertexArray', [0]);
  addUnits(context);
  addVertexArrays(context);
  addBuffers(context);
  addFramebuffers(context);
  calls.add('glBindRenderbuffer', [c.RENDERBUFFER, id(gl.getParameter(c.RENDERBUFFER_BINDING))]);
  calls.add('glUseProgram', [id(gl.getParameter(c.CURRENT_PROGRAM))]);
  if (version === 1) return;
  calls.add('glBindTransformFeedback', [c.TRANSFORM_FEEDBACK, 0]);
  addTransformFeedback(context);
  addQueries(context);
}
