/** The context's own state, all that is not in objects or bindings: read from GL, to be put back as it was. */
import type { GlContext } from '../gl/context.ts';
import { glEnum } from './constants.ts';

/** Puts saved state back. */
export type Restore = () => void;
/** Reads one piece of state; undefined where the context does not have it. */
type Reader = (context: GlContext) => Restore | undefined;

const capabilities =
  'CULL_FACE DEPTH_TEST DITHER POLYGON_OFFSET_FILL SAMPLE_ALPHA_TO_COVERAGE SAMPLE_COVERAGE STENCIL_TEST RASTERIZER_DISCARD PRIMITIVE_RESTART_FIXED_INDEX SAMPLE_MASK SAMPLE_SHADING FRAMEBUFFER_SRGB PROGRAM_POINT_SIZE POINT_SPRITE TEXTURE_CUBE_MAP_SEAMLESS CLIP_DISTANCE0 CLIP_DISTANCE1 CLIP_DISTANCE2 CLIP_DISTANCE3 CLIP_DISTANCE4 CLIP_DISTANCE5 CLIP_DISTANCE6 CLIP_DISTANCE7 DEPTH_CLAMP MULTISAMPLE SAMPLE_ALPHA_TO_ONE COLOR_LOGIC_OP POLYGON_OFFSET_LINE POLYGON_OFFSET_POINT LINE_SMOOTH POLYGON_SMOOTH PRIMITIVE_RESTART ALPHA_TEST LIGHTING FOG COLOR_MATERIAL NORMALIZE LINE_STIPPLE'
    .split(' ')
    .map((name) => glEnum(`GL_${name}`));

const capability =
  (cap: number): Reader =>
  ({ gl }) => {
    const on = gl.glIsEnabled(cap);
    return () => {
      if (on) gl.glEnable(cap);
      else gl.glDisable(cap);
    };
  };

type Apply = (context: GlContext, values: number[]) => void;

const integers =
  (names: readonly string[], countEach: number, apply: Apply): Reader =>
  (context) => {
    const values: number[] = [];
    for (const name of names) {
      context.gl.glGetIntegerv(glEnum(`GL_${name}`), context.scratch.address);
      values.push(...context.scratch.i32.slice(0, countEach));
    }
    return () => apply(context, values);
  };

const floats =
  (names: readonly string[], countEach: number, apply: Apply): Reader =>
  (context) => {
    const values: number[] = [];
    for (const name of names) {
      context.gl.glGetFloatv(glEnum(`GL_${name}`), context.scratch.address);
      values.push(...context.scratch.f32.slice(0, countEach));
    }
    return () => apply(context, values);
  };

const blendNames =
  'BLEND_SRC_RGB BLEND_DST_RGB BLEND_SRC_ALPHA BLEND_DST_ALPHA BLEND_EQUATION_RGB BLEND_EQUATION_ALPHA';
const GL_BLEND = glEnum('GL_BLEND');
const GL_COLOR_WRITEMASK = glEnum('GL_COLOR_WRITEMASK');

/** Blending and colour mask, of every draw buffer where they are separate. */
const perDrawBuffer: Reader = (context) => {
  const { gl, scratch } = context;
  if (!context.find('glBlendFuncSeparatei') || !context.find('glColorMaski') || !context.find('glGetBooleani_v'))
    return undefined;
  const restores: Restore[] = [];
  for (let index = 0; index < context.integer(glEnum('GL_MAX_DRAW_BUFFERS')); index++) {
    const v = blendNames.split(' ').map((name) => {
      gl.glGetIntegeri_v(glEnum(`GL_${name}`), index, scratch.address);
      return scratch.i32[0];
    });
    gl.glGetBooleani_v(GL_COLOR_WRITEMASK, index, scratch.address);
    const mask = [...scratch.u8.slice(0, 4)];
    const on = gl.glIsEnabledi(GL_BLEND, index);
    restores.push(() => {
      gl.glBlendFuncSeparatei(index, v[0], v[1], v[2], v[3]);
      gl.glBlendEquationSeparatei(index, v[4], v[5]);
      gl.glColorMaski(index, mask[0], mask[1], mask[2], mask[3]);
      if (on) gl.glEnablei(GL_BLEND, index);
      else gl.glDisablei(GL_BLEND, index);
    });
  }
  return () => {
    for (const restore of restores) restore();
  };
};

const sampleMask: Reader = (context) => {
  const { gl, scratch } = context;
  if (!context.find('glSampleMaski')) return undefined;
  gl.glGetIntegeri_v(glEnum('GL_SAMPLE_MASK_VALUE'), 0, scratch.address);
  const mask = scratch.u32[0];
  return () => void gl.glSampleMaski(0, mask);
};

const stencil = (back: string): Reader => {
  const face = back ? 0x0405 : 0x0404;
  const names = ['FUNC', 'REF', 'VALUE_MASK', 'WRITEMASK', 'FAIL', 'PASS_DEPTH_FAIL', 'PASS_DEPTH_PASS'];
  return integers(
    names.map((name) => `STENCIL${back}_${name}`),
    1,
    ({ gl }, v) => {
      gl.glStencilFuncSeparate(face, v[0], v[1], v[2] >>> 0);
      gl.glStencilMaskSeparate(face, v[3] >>> 0);
      gl.glStencilOpSeparate(face, v[4], v[5], v[6]);
    },
  );
};

const readers: readonly Reader[] = [
  ...[...capabilities, glEnum('GL_SCISSOR_TEST'), GL_BLEND].map(capability),
  integers(blendNames.split(' '), 1, ({ gl }, v) => {
    gl.glBlendFuncSeparate(v[0], v[1], v[2], v[3]);
    gl.glBlendEquationSeparate(v[4], v[5]);
  }),
  integers(['COLOR_WRITEMASK'], 4, ({ gl }, v) => gl.glColorMask(v[0], v[1], v[2], v[3])),
  perDrawBuffer,
  floats(['BLEND_COLOR'], 4, ({ gl }, v) => gl.glBlendColor(v[0], v[1], v[2], v[3])),
  floats(['COLOR_CLEAR_VALUE'], 4, ({ gl }, v) => gl.glClearColor(v[0], v[1], v[2], v[3])),
  floats(['DEPTH_CLEAR_VALUE'], 1, ({ gl }, v) => gl.glClearDepthf(v[0])),
  integers(['STENCIL_CLEAR_VALUE'], 1, ({ gl }, v) => gl.glClearStencil(v[0])),
  integers(['DEPTH_FUNC'], 1, ({ gl }, v) => gl.glDepthFunc(v[0])),
  integers(['DEPTH_WRITEMASK'], 1, ({ gl }, v) => gl.glDepthMask(v[0])),
  floats(['DEPTH_RANGE'], 2, ({ gl }, v) => gl.glDepthRangef(v[0], v[1])),
  stencil(''),
  stencil('_BACK'),
  integers(['SCISSOR_BOX'], 4, ({ gl }, v) => gl.glScissor(v[0], v[1], v[2], v[3])),
  integers(['VIEWPORT'], 4, ({ gl }, v) => gl.glViewport(v[0], v[1], v[2], v[3])),
  integers(['CULL_FACE_MODE'], 1, ({ gl }, v) => gl.glCullFace(v[0])),
  integers(['FRONT_FACE'], 1, ({ gl }, v) => gl.glFrontFace(v[0])),
  floats(['POLYGON_OFFSET_FACTOR', 'POLYGON_OFFSET_UNITS'], 1, ({ gl }, v) => gl.glPolygonOffset(v[0], v[1])),
  floats(['SAMPLE_COVERAGE_VALUE', 'SAMPLE_COVERAGE_INVERT'], 1, ({ gl }, v) => gl.glSampleCoverage(v[0], v[1])),
  sampleMask,
  floats(['LINE_WIDTH'], 1, ({ gl }, v) => gl.glLineWidth(v[0])),
  ...['GENERATE_MIPMAP_HINT', 'FRAGMENT_SHADER_DERIVATIVE_HINT'].map((name) =>
    integers([name], 1, ({ gl }, v) => gl.glHint(glEnum(`GL_${name}`), v[0])),
  ),
  (context) =>
    context.find('glMinSampleShading') &&
    floats(['MIN_SAMPLE_SHADING_VALUE'], 1, ({ gl }, v) => gl.glMinSampleShading(v[0]))(context),
  (context) =>
    context.find('glPatchParameteri') &&
    integers(['PATCH_VERTICES'], 1, ({ gl }, v) => gl.glPatchParameteri(glEnum('GL_PATCH_VERTICES'), v[0]))(context),
  (context) =>
    context.find('glProvokingVertex') &&
    integers(['PROVOKING_VERTEX'], 1, ({ gl }, v) => gl.glProvokingVertex(v[0]))(context),
  (context) =>
    context.find('glClipControl') &&
    integers(['CLIP_ORIGIN', 'CLIP_DEPTH_MODE'], 1, ({ gl }, v) => gl.glClipControl(v[0], v[1]))(context),
  (context) =>
    context.find('glPolygonMode') &&
    integers(['POLYGON_MODE'], 1, ({ gl }, v) => gl.glPolygonMode(0x0408, v[0]))(context),
  (context) => context.find('glLogicOp') && integers(['LOGIC_OP_MODE'], 1, ({ gl }, v) => gl.glLogicOp(v[0]))(context),
  (context) => context.find('glPointSize') && floats(['POINT_SIZE'], 1, ({ gl }, v) => gl.glPointSize(v[0]))(context),
  (context) =>
    context.find('glPrimitiveRestartIndex') &&
    integers(['PRIMITIVE_RESTART_INDEX'], 1, ({ gl }, v) => gl.glPrimitiveRestartIndex(v[0] >>> 0))(context),
];

/** What each context has: found out once by asking for everything and applying it again. */
const known = new WeakMap<GlContext, readonly Reader[]>();

function readersFor(context: GlContext): readonly Reader[] {
  let list = known.get(context);
  if (list) return list;
  const { gl } = context;
  list = readers.filter((reader) => {
    const restore = reader(context);
    let valid = gl.glGetError() === 0 && restore !== undefined;
    restore?.();
    while (gl.glGetError() !== 0) valid = false;
    return valid;
  });
  known.set(context, list);
  return list;
}

/** Saves the state; the errors of the caller must have been read before. */
export function saveFixedState(context: GlContext): Restore {
  const restores = readersFor(context).map((reader) => reader(context));
  return () => {
    for (const restore of restores) restore?.();
  };
}
