import { GL } from '../../model/gl-constants.ts';
import type { Fields } from './node.ts';
import type { Translation } from './translation.ts';

const textureBindings: readonly (readonly [string, number])[] = [
  ['GL_TEXTURE_BINDING_1D', GL.TEXTURE_1D],
  ['GL_TEXTURE_BINDING_2D', GL.TEXTURE_2D],
  ['GL_TEXTURE_BINDING_3D', GL.TEXTURE_3D],
  ['GL_TEXTURE_BINDING_1D_ARRAY', GL.TEXTURE_1D_ARRAY],
  ['GL_TEXTURE_BINDING_2D_ARRAY', GL.TEXTURE_2D_ARRAY],
  ['GL_TEXTURE_BINDING_CUBE_MAP_ARRAY', GL.TEXTURE_CUBE_MAP_ARRAY],
  ['GL_TEXTURE_BINDING_RECTANGLE', GL.TEXTURE_RECTANGLE],
  ['GL_TEXTURE_BINDING_BUFFER', GL.TEXTURE_BUFFER],
  ['GL_TEXTURE_BINDING_CUBE_MAP', GL.TEXTURE_CUBE_MAP],
  ['GL_TEXTURE_BINDING_2D_MULTISAMPLE', GL.TEXTURE_2D_MULTISAMPLE],
  ['GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY', GL.TEXTURE_2D_MULTISAMPLE_ARRAY],
];

/** What is bound already is left alone: nearly all of RenderDoc's places are empty. */
function textures(t: Translation, state: Fields): void {
  const activate = (unit: number) => {
    if (t.bindings.activeUnit !== unit) t.call('glActiveTexture', [GL.TEXTURE0 + unit]);
  };
  for (const [name, target] of textureBindings)
    for (const [unit, { value }] of state.elements(name).entries()) {
      const texture = t.id(value, 'texture');
      if (t.bindings.texture(target, unit) === texture) continue;
      activate(unit);
      t.call('glBindTexture', [target, texture]);
    }
  for (const [unit, { value }] of state.elements('GL_SAMPLER_BINDING').entries()) {
    const sampler = t.id(value, 'sampler');
    if ((t.bindings.samplers.get(unit) ?? 0) !== sampler) t.call('glBindSampler', [unit, sampler]);
  }
  for (const [unit, image] of state.structs('GL_IMAGE_BINDING').entries()) {
    const texture = t.id(image.node('res').value, 'texture');
    if (texture === 0 && !t.bindings.images.has(unit)) continue;
    const [level, layered, layer] = ['level', 'layered', 'layer'].map((name) => image.number(name));
    t.call('glBindImageTexture', [
      unit,
      texture,
      level,
      layered,
      layer,
      image.number('access'),
      image.number('format'),
    ]);
  }
  activate(state.number('GL_ACTIVE_TEXTURE') - GL.TEXTURE0);
}

const bufferBindings: readonly (readonly [string, number])[] = [
  ['GL_ARRAY_BUFFER_BINDING', GL.ARRAY_BUFFER],
  ['GL_COPY_READ_BUFFER_BINDING', GL.COPY_READ_BUFFER],
  ['GL_COPY_WRITE_BUFFER_BINDING', GL.COPY_WRITE_BUFFER],
  ['GL_PIXEL_PACK_BUFFER_BINDING', GL.PIXEL_PACK_BUFFER],
  ['GL_PIXEL_UNPACK_BUFFER_BINDING', GL.PIXEL_UNPACK_BUFFER],
  ['GL_TEXTURE_BUFFER_BINDING', GL.TEXTURE_BUFFER],
  ['GL_DRAW_INDIRECT_BUFFER_BINDING', GL.DRAW_INDIRECT_BUFFER],
  ['GL_DISPATCH_INDIRECT_BUFFER_BINDING', GL.DISPATCH_INDIRECT_BUFFER],
  ['GL_QUERY_BUFFER_BINDING', GL.QUERY_BUFFER],
  ['GL_PARAMETER_BUFFER_ARB_BINDING', 0x80ee],
];
/** Binding an indexed place sets the generic target too, so these come first. */
const indexedBindings: readonly (readonly [string, number])[] = [
  ['GL_ATOMIC_COUNTER_BUFFER_BINDING', GL.ATOMIC_COUNTER_BUFFER],
  ['GL_SHADER_STORAGE_BUFFER_BINDING', GL.SHADER_STORAGE_BUFFER],
  ['GL_TRANSFORM_FEEDBACK_BUFFER_BINDING', GL.TRANSFORM_FEEDBACK_BUFFER],
  ['GL_UNIFORM_BUFFER_BINDING', GL.UNIFORM_BUFFER],
];

function buffers(t: Translation, state: Fields): void {
  for (const [name, target] of indexedBindings) {
    // A transform feedback object has its buffers by its own contents.
    if (target === GL.TRANSFORM_FEEDBACK_BUFFER && t.bindings.transformFeedback !== 0) continue;
    for (const [index, place] of state.structs(name).entries()) {
      const buffer = t.id(place.node('res').value, 'buffer');
      const [start, size] = [place.number('start'), place.number('size')];
      if (buffer === 0 && !t.bindings.indexed(target).has(index)) continue;
      if (buffer === 0 || size === 0) t.call('glBindBufferBase', [target, index, buffer]);
      else t.call('glBindBufferRange', [target, index, buffer, start, size]);
    }
  }
  for (const [name, target] of bufferBindings) {
    const node = state.find(name);
    const buffer = node ? t.id(node.value, 'buffer') : 0;
    if (t.bindings.buffer(target) !== buffer) t.call('glBindBuffer', [target, buffer]);
  }
}

/** The programs' stages in the order of RenderDoc's subroutines. */
const shaderTypes = [0x8b31, 0x8e88, 0x8e87, 0x8dd9, 0x8b30, 0x91b9];

function programs(t: Translation, state: Fields): void {
  const program = t.id(state.node('GL_CURRENT_PROGRAM').value, 'program');
  if (t.bindings.program !== program) t.call('glUseProgram', [program]);
  const pipeline = t.id(state.node('GL_PROGRAM_PIPELINE_BINDING').value, 'programPipeline');
  if (t.bindings.pipeline !== pipeline) t.call('glBindProgramPipeline', [pipeline]);
  for (const [index, stage] of state.structs('GL_SUBROUTINES').entries()) {
    const count = stage.number('numSubroutines');
    if (count <= 0) continue;
    const values = stage.numbers('Values').slice(0, count);
    t.call('glUniformSubroutinesuiv', [shaderTypes[index], values.length, t.list(Uint32Array.from(values))]);
  }
}

function framebuffers(t: Translation, state: Fields): void {
  const read = t.id(state.node('GL_READ_FRAMEBUFFER_BINDING').value, 'framebuffer');
  const draw = t.id(state.node('GL_DRAW_FRAMEBUFFER_BINDING').value, 'framebuffer');
  if (t.bindings.drawFramebuffer === draw && t.bindings.readFramebuffer === read) return;
  if (read === draw) t.call('glBindFramebuffer', [GL.FRAMEBUFFER, draw]);
  else {
    t.call('glBindFramebuffer', [GL.READ_FRAMEBUFFER, read]);
    t.call('glBindFramebuffer', [GL.DRAW_FRAMEBUFFER, draw]);
  }
}

/** Vertex attributes that every GL has; the most that RenderDoc follows. */
const leastAttributes = 16;

/** Binds what was bound. */
export function applyBoundObjects(t: Translation, state: Fields): void {
  textures(t, state);
  const array = t.id(state.node('GL_VERTEX_ARRAY_BINDING').value, 'vertexArray');
  if (t.bindings.vertexArray !== array) t.call('glBindVertexArray', [array]);
  const feedback = t.id(state.node('GL_TRANSFORM_FEEDBACK_BINDING').value, 'transformFeedback');
  if (t.bindings.transformFeedback !== feedback) t.call('glBindTransformFeedback', [0x8e22, feedback]);
  // RenderDoc writes more than there are.
  for (const [index, node] of state.elements('GL_CURRENT_VERTEX_ATTRIB').slice(0, leastAttributes).entries()) {
    const value = node.children.map(({ value }) => Number(value));
    if (value.length === 4 && value.some((each, place) => each !== (place === 3 ? 1 : 0)))
      t.call('glVertexAttrib4fv', [index, t.list(Float32Array.from(value))]);
  }
  programs(t, state);
  buffers(t, state);
  framebuffers(t, state);
}
