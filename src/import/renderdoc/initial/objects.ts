import { GL } from '../../../model/gl-constants.ts';
import type { Fields } from '../node.ts';
import type { Translation } from '../translation.ts';

/** What RenderDoc writes for pointers into client memory, which no longer is. */
const deadPointer = 0xdeadbeef;
const offsetOf = (fields: Fields, name: string): number => {
  const offset = fields.number(name);
  return offset === deadPointer ? 0 : offset;
};
const GL_DOUBLE = 0x140a;

export function setVertexArray(t: Translation, array: number, contents: Fields): void {
  const state = contents.struct('VAOState');
  if (state.number('valid') === 0) return;
  const buffers = state.structs('VertexBuffers');
  const hasBindings = t.api.es ? t.api.version >= 31 : t.api.version >= 43;
  t.withVertexArray(array, () => {
    for (const [index, attribute] of state.structs('VertexAttribs').entries()) {
      const slot = buffers[attribute.number('vbslot')] ?? attribute.fault('has no vertex buffer');
      const buffer = t.id(slot.node('Buffer').value, 'buffer');
      const enabled = attribute.number('enabled') !== 0;
      if (!enabled && buffer === 0 && buffers[index]?.node('Buffer').value === 0) continue;
      if (hasBindings) setAttribute(t, index, attribute, buffers[index]);
      else setPointer(t, index, attribute, slot, buffer);
      t.call(enabled ? 'glEnableVertexAttribArray' : 'glDisableVertexAttribArray', [index]);
    }
    t.call('glBindBuffer', [GL.ELEMENT_ARRAY_BUFFER, t.id(state.node('ElementArrayBuffer').value, 'buffer')]);
  });
}

function setAttribute(t: Translation, index: number, attribute: Fields, slot: Fields | undefined): void {
  const [size, type, offset] = [attribute.number('size'), attribute.number('type'), offsetOf(attribute, 'offset')];
  t.call('glVertexAttribBinding', [index, attribute.number('vbslot')]);
  if (type === GL_DOUBLE && attribute.number('integer') === 0 && attribute.number('normalized') === 0 && !t.api.es)
    t.call('glVertexAttribLFormat', [index, size, type, offset]);
  else if (attribute.number('integer') !== 0) t.call('glVertexAttribIFormat', [index, size, type, offset]);
  else t.call('glVertexAttribFormat', [index, size, type, attribute.number('normalized'), offset]);
  if (!slot) return;
  t.call('glBindVertexBuffer', [
    index,
    t.id(slot.node('Buffer').value, 'buffer'),
    offsetOf(slot, 'Offset'),
    slot.number('Stride'),
  ]);
  t.call('glVertexBindingDivisor', [index, slot.number('Divisor')]);
}

/** Before vertex buffer bindings, each attribute points into its buffer itself. */
function setPointer(t: Translation, index: number, attribute: Fields, slot: Fields, buffer: number): void {
  const offset = offsetOf(slot, 'Offset') + offsetOf(attribute, 'offset');
  const pointer = buffer === 0 ? null : ({ kind: 'offset', offset } as const);
  const [size, type, stride] = [attribute.number('size'), attribute.number('type'), slot.number('Stride')];
  t.withBufferAt(GL.ARRAY_BUFFER, buffer, () => {
    if (attribute.number('integer') !== 0) t.call('glVertexAttribIPointer', [index, size, type, stride, pointer]);
    else t.call('glVertexAttribPointer', [index, size, type, attribute.number('normalized'), stride, pointer]);
  });
  const divisor = slot.number('Divisor');
  if (divisor !== 0) t.call('glVertexAttribDivisor', [index, divisor]);
}

const attachmentPoints = [
  ...Array.from({ length: 8 }, (_, index) => GL.COLOR_ATTACHMENT0 + index),
  GL.DEPTH_ATTACHMENT,
  GL.STENCIL_ATTACHMENT,
];
const layered: ReadonlySet<number> = new Set([
  GL.TEXTURE_CUBE_MAP_ARRAY,
  GL.TEXTURE_1D_ARRAY,
  GL.TEXTURE_2D_ARRAY,
  GL.TEXTURE_2D_MULTISAMPLE_ARRAY,
  GL.TEXTURE_3D,
]);

function attach(t: Translation, target: number, point: number, attachment: Fields): void {
  const resource = attachment.node('obj').value as number;
  if (resource === 0) return;
  if (t.classOf(resource) === 'renderbuffer') {
    t.call('glFramebufferRenderbuffer', [target, point, GL.RENDERBUFFER, t.id(resource, 'renderbuffer')]);
    return;
  }
  const texture = t.id(resource, 'texture');
  if (texture === 0) return;
  const [level, layer] = [attachment.number('level'), attachment.number('layer')];
  const views = attachment.numberOr('numViews', 1);
  const samples = attachment.numberOr('numVirtualSamples', 1);
  const kind = t.bindings.textureTargets.get(texture) ?? GL.TEXTURE_2D;
  if (attachment.number('layered') !== 0) t.call('glFramebufferTexture', [target, point, texture, level]);
  else if (kind === GL.TEXTURE_CUBE_MAP)
    t.call('glFramebufferTexture2D', [target, point, GL.TEXTURE_CUBE_MAP_POSITIVE_X + (layer % 6), texture, level]);
  else if (layered.has(kind) && views > 1)
    t.call('glFramebufferTextureMultiviewOVR', [
      target,
      point,
      texture,
      level,
      attachment.numberOr('startView', 0),
      views,
    ]);
  else if (layered.has(kind)) t.call('glFramebufferTextureLayer', [target, point, texture, level, layer]);
  else if (samples > 1) t.call('glFramebufferTexture2DMultisampleEXT', [target, point, kind, texture, level, samples]);
  else
    t.call(kind === GL.TEXTURE_1D ? 'glFramebufferTexture1D' : 'glFramebufferTexture2D', [
      target,
      point,
      kind,
      texture,
      level,
    ]);
}

/** Words that only a default framebuffer knows; there a driver tells them where a framebuffer object was meant. */
const isWindowBuffer = (buffer: number): boolean => buffer >= 0x400 && buffer <= 0x408;

export function setFramebuffer(t: Translation, framebuffer: number, contents: Fields): void {
  const state = contents.struct('FramebufferState');
  if (state.number('valid') === 0 || framebuffer === 0) return;
  const attachments = state.structs('Attachments');
  t.call('glBindFramebuffer', [GL.FRAMEBUFFER, framebuffer]);
  for (const [index, point] of attachmentPoints.entries())
    if (attachments[index]) attach(t, GL.FRAMEBUFFER, point, attachments[index]);
  if (t.api.es && t.api.version < 30) return;
  const drawn = state.numbers('DrawBuffers').map((buffer) => (isWindowBuffer(buffer) ? GL.COLOR_ATTACHMENT0 : buffer));
  while (drawn.at(-1) === GL.NONE) drawn.pop();
  t.call('glDrawBuffers', [Math.max(1, drawn.length), t.list(Uint32Array.from(drawn.length > 0 ? drawn : [GL.NONE]))]);
  const read = state.number('ReadBuffer');
  t.call('glReadBuffer', [isWindowBuffer(read) ? GL.COLOR_ATTACHMENT0 : read]);
}

export function setTransformFeedback(t: Translation, feedback: number, contents: Fields): void {
  const state = contents.struct('TransformFeedbackState');
  if (state.number('valid') === 0) return;
  const [offsets, sizes] = [state.numbers('Offset'), state.numbers('Size')];
  t.withTransformFeedback(feedback, () => {
    for (const [index, { value }] of state.elements('Buffer').entries()) {
      const buffer = t.id(value, 'buffer');
      if (buffer === 0) continue;
      const target = GL.TRANSFORM_FEEDBACK_BUFFER;
      if (sizes[index] > 0) t.call('glBindBufferRange', [target, index, buffer, offsets[index] ?? 0, sizes[index]]);
      else t.call('glBindBufferBase', [target, index, buffer]);
    }
  });
}

/** Vertex, both tessellation stages, geometry, fragment, compute. */
const stageBits = [0x1, 0x8, 0x10, 0x4, 0x2, 0x20];

export function setPipeline(t: Translation, pipeline: number, contents: Fields): void {
  const state = contents.struct('ProgramPipelineState');
  if (state.number('valid') === 0) return;
  const stages = new Map<number, number>();
  for (const [index, { value }] of state.elements('programs').entries()) {
    const program = t.id(value, 'program');
    if (program !== 0) stages.set(program, (stages.get(program) ?? 0) | (stageBits[index] ?? 0));
  }
  for (const [program, bits] of stages) t.call('glUseProgramStages', [pipeline, bits, program]);
}
