import type { GlContext } from '../gl/context.ts';
import { GL } from '../model/gl-constants.ts';
import { glEnum, glEnums } from './constants.ts';
import { saveFixedState } from './restore/fixed-state.ts';
import { isCompatibility } from './restore/legacy-state.ts';

const e = glEnums(
  'GL_ACTIVE_TEXTURE',
  'GL_CURRENT_PROGRAM',
  'GL_VERTEX_ARRAY_BINDING',
  'GL_DRAW_FRAMEBUFFER_BINDING',
  'GL_READ_FRAMEBUFFER_BINDING',
  'GL_RENDERBUFFER_BINDING',
  'GL_PIXEL_UNPACK_BUFFER_BINDING',
  'GL_PIXEL_PACK_BUFFER_BINDING',
  'GL_COPY_READ_BUFFER_BINDING',
  'GL_COPY_WRITE_BUFFER_BINDING',
  'GL_SAMPLER_BINDING',
);

/** Targets whose binding on unit 0 the replayer's own work changes, with the name of the binding. */
const textureTargets: readonly (readonly [target: number, binding: number])[] = [
  [0x0de1, 0x8069],
  [0x806f, 0x806a],
  [0x8513, 0x8514],
  [0x8c1a, 0x8c1d],
  [0x9100, 0x9104],
  [0x9102, 0x9105],
  [0x9009, 0x900a],
  [0x84f5, 0x84f6],
  [0x0de0, 0x8068],
  [0x8c18, 0x8c1c],
];

const known = new WeakMap<GlContext, typeof textureTargets>();

function targetsOf(context: GlContext): typeof textureTargets {
  let targets = known.get(context);
  if (!targets) {
    targets = textureTargets.filter(([, binding]) => {
      context.integer(binding);
      return context.gl.glGetError() === 0;
    });
    known.set(context, targets);
  }
  return targets;
}

/**
 * Does work of the replayer's own, between the capture's calls, and leaves every binding and all state as found. The work
 * runs with unit 0 active without a sampler, no buffer bound for pixel transfers, and drawing state at GL's defaults.
 */
export function doInternalWork(context: GlContext, work: () => void): void {
  const { gl } = context;
  const restoreState = saveFixedState(context);
  const unit = context.integer(e.GL_ACTIVE_TEXTURE);
  const program = context.integer(e.GL_CURRENT_PROGRAM);
  const vertexArray = context.integer(e.GL_VERTEX_ARRAY_BINDING);
  const draw = context.integer(e.GL_DRAW_FRAMEBUFFER_BINDING);
  const read = context.integer(e.GL_READ_FRAMEBUFFER_BINDING);
  const renderbuffer = context.integer(e.GL_RENDERBUFFER_BINDING);
  const buffers = [
    [GL.PIXEL_UNPACK_BUFFER, context.integer(e.GL_PIXEL_UNPACK_BUFFER_BINDING)],
    [GL.PIXEL_PACK_BUFFER, context.integer(e.GL_PIXEL_PACK_BUFFER_BINDING)],
    [GL.COPY_READ_BUFFER, context.integer(e.GL_COPY_READ_BUFFER_BINDING)],
    [GL.COPY_WRITE_BUFFER, context.integer(e.GL_COPY_WRITE_BUFFER_BINDING)],
  ];
  gl.glActiveTexture(GL.TEXTURE0);
  const sampler = context.integer(e.GL_SAMPLER_BINDING);
  const textures = targetsOf(context).map(([target, binding]) => [target, context.integer(binding)]);
  gl.glBindSampler(0, 0);
  gl.glBindBuffer(GL.PIXEL_UNPACK_BUFFER, 0);
  gl.glBindBuffer(GL.PIXEL_PACK_BUFFER, 0);
  plainState(context);
  withPlainTransfer(context, work);
  for (const [target, name] of textures) gl.glBindTexture(target, name);
  gl.glBindSampler(0, sampler);
  gl.glActiveTexture(unit);
  for (const [target, name] of buffers) gl.glBindBuffer(target, name);
  gl.glBindRenderbuffer(GL.RENDERBUFFER, renderbuffer);
  gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, read);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, draw);
  gl.glBindVertexArray(vertexArray);
  gl.glUseProgram(program);
  restoreState();
}

const scales = ['RED', 'GREEN', 'BLUE', 'ALPHA', 'DEPTH'].flatMap((name): (readonly [number, number])[] => [
  [glEnum(`GL_${name}_SCALE`), 1],
  [glEnum(`GL_${name}_BIAS`), 0],
]);
const switches = ['MAP_COLOR', 'MAP_STENCIL', 'INDEX_SHIFT', 'INDEX_OFFSET'].map(
  (name) => [glEnum(`GL_${name}`), 0] as const,
);

/** Does work that transfers pixels, free of what the compatibility profile lets a program do to pixels on their way. */
export function withPlainTransfer(context: GlContext, work: () => void): void {
  if (!isCompatibility(context)) {
    work();
    return;
  }
  const { gl, scratch } = context;
  const changed: (readonly [name: number, value: number])[] = [];
  for (const [name, plain] of [...scales, ...switches]) {
    gl.glGetFloatv(name, scratch.address);
    if (scratch.f32[0] === plain) continue;
    changed.push([name, scratch.f32[0]]);
    gl.glPixelTransferf(name, plain);
  }
  work();
  for (const [name, value] of changed) gl.glPixelTransferf(name, value);
}

const off = glEnums(
  'GL_BLEND',
  'GL_CULL_FACE',
  'GL_DEPTH_TEST',
  'GL_SCISSOR_TEST',
  'GL_STENCIL_TEST',
  'GL_POLYGON_OFFSET_FILL',
  'GL_SAMPLE_ALPHA_TO_COVERAGE',
  'GL_SAMPLE_COVERAGE',
  'GL_RASTERIZER_DISCARD',
  'GL_DITHER',
);

/** What only some contexts have, and would change what the replayer draws. */
const offWhereKnown = [
  ...'COLOR_LOGIC_OP ALPHA_TEST SAMPLE_ALPHA_TO_ONE POLYGON_SMOOTH POLYGON_STIPPLE DEPTH_CLAMP'.split(' '),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((plane) => `CLIP_DISTANCE${plane}`),
].map((name) => glEnum(`GL_${name}`));
const knownOff = new WeakMap<GlContext, readonly number[]>();

function offIn(context: GlContext): readonly number[] {
  let caps = knownOff.get(context);
  if (!caps) {
    const known = offWhereKnown.filter((cap) => {
      context.gl.glIsEnabled(cap);
      return context.gl.glGetError() === 0;
    });
    caps = [...Object.values(off), ...known];
    knownOff.set(context, caps);
  }
  return caps;
}

function plainState(context: GlContext): void {
  const { gl } = context;
  for (const cap of offIn(context)) gl.glDisable(cap);
  if (context.find('glSampleMaski')) gl.glDisable(0x8e51);
  if (context.find('glPolygonMode')) gl.glPolygonMode(0x0408, 0x1b02);
  if (context.find('glClipControl')) gl.glClipControl(0x8ca1, 0x935e);
  gl.glColorMask(1, 1, 1, 1);
  gl.glDepthMask(1);
  gl.glDepthRangef(0, 1);
  gl.glStencilMaskSeparate(0x0408, 0xff);
}
