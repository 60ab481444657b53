/** The context's own state, all that is not in objects or bindings: read from GL, to be put back as it was. */
import type { GlContext } from '../../gl/context.ts';
import { glEnum } from '../constants.ts';
import { blendNames, perDrawBuffer, perViewport, sampleMask } from './indexed-state.ts';
import { capability, floats, integers, type Reader, type Restore, where } from './state-readers.ts';

const capabilities =
  'CULL_FACE DEPTH_TEST DITHER POLYGON_OFFSET_FILL SAMPLE_ALPHA_TO_COVERAGE SAMPLE_COVERAGE STENCIL_TEST RASTERIZER_DISCARD PRIMITIVE_RESTART_FIXED_INDEX SAMPLE_MASK SAMPLE_SHADING FRAMEBUFFER_SRGB PROGRAM_POINT_SIZE POINT_SPRITE TEXTURE_CUBE_MAP_SEAMLESS CLIP_DISTANCE0 CLIP_DISTANCE1 CLIP_DISTANCE2 CLIP_DISTANCE3 CLIP_DISTANCE4 CLIP_DISTANCE5 CLIP_DISTANCE6 CLIP_DISTANCE7 DEPTH_CLAMP MULTISAMPLE SAMPLE_ALPHA_TO_ONE COLOR_LOGIC_OP POLYGON_OFFSET_LINE POLYGON_OFFSET_POINT LINE_SMOOTH POLYGON_SMOOTH PRIMITIVE_RESTART ALPHA_TEST LIGHTING FOG COLOR_MATERIAL NORMALIZE LINE_STIPPLE BLEND_ADVANCED_COHERENT_KHR'
    .split(' ')
    .map((name) => glEnum(`GL_${name}`));

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

/** The compatibility profile keeps front and back apart; others have one mode for both. */
const polygonMode: Reader = (context) =>
  context.extensions.has('GL_ARB_compatibility')
    ? integers(['POLYGON_MODE'], 2, ({ gl }, v) => {
        gl.glPolygonMode(0x0404, v[0]);
        gl.glPolygonMode(0x0405, v[1]);
      })(context)
    : integers(['POLYGON_MODE'], 1, ({ gl }, v) => gl.glPolygonMode(0x0408, v[0]))(context);

const readers: readonly Reader[] = [
  ...[...capabilities, glEnum('GL_SCISSOR_TEST'), glEnum('GL_BLEND')].map(capability),
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
  perViewport,
  ...['LINE_SMOOTH_HINT', 'POLYGON_SMOOTH_HINT', 'TEXTURE_COMPRESSION_HINT'].map((name) =>
    integers([name], 1, ({ gl }, v) => gl.glHint(glEnum(`GL_${name}`), v[0])),
  ),
  where(
    'glPolygonOffsetClamp',
    floats(['POLYGON_OFFSET_FACTOR', 'POLYGON_OFFSET_UNITS', 'POLYGON_OFFSET_CLAMP'], 1, ({ gl }, v) =>
      gl.glPolygonOffsetClamp(v[0], v[1], v[2]),
    ),
  ),
  where(
    'glMinSampleShading',
    floats(['MIN_SAMPLE_SHADING_VALUE'], 1, ({ gl }, v) => gl.glMinSampleShading(v[0])),
  ),
  where(
    'glPatchParameteri',
    integers(['PATCH_VERTICES'], 1, ({ gl }, v) => gl.glPatchParameteri(glEnum('GL_PATCH_VERTICES'), v[0])),
  ),
  ...[['PATCH_DEFAULT_INNER_LEVEL', 2] as const, ['PATCH_DEFAULT_OUTER_LEVEL', 4] as const].map(([name, count]) =>
    where(
      'glPatchParameterfv',
      floats([name], count, ({ gl, scratch }, v) => {
        scratch.f32.set(v);
        gl.glPatchParameterfv(glEnum(`GL_${name}`), scratch.address);
      }),
    ),
  ),
  where(
    'glPrimitiveBoundingBox',
    floats(['PRIMITIVE_BOUNDING_BOX'], 8, ({ gl }, v) => gl.glPrimitiveBoundingBox(...v)),
  ),
  where(
    'glProvokingVertex',
    integers(['PROVOKING_VERTEX'], 1, ({ gl }, v) => gl.glProvokingVertex(v[0])),
  ),
  where(
    'glClipControl',
    integers(['CLIP_ORIGIN', 'CLIP_DEPTH_MODE'], 1, ({ gl }, v) => gl.glClipControl(v[0], v[1])),
  ),
  where('glPolygonMode', polygonMode),
  where(
    'glLogicOp',
    integers(['LOGIC_OP_MODE'], 1, ({ gl }, v) => gl.glLogicOp(v[0])),
  ),
  where(
    'glPointSize',
    floats(['POINT_SIZE'], 1, ({ gl }, v) => gl.glPointSize(v[0])),
  ),
  ...['POINT_FADE_THRESHOLD_SIZE', 'POINT_SPRITE_COORD_ORIGIN'].map((name) =>
    where(
      'glPointParameterf',
      floats([name], 1, ({ gl }, v) => gl.glPointParameterf(glEnum(`GL_${name}`), v[0])),
    ),
  ),
  where(
    'glClampColor',
    integers(['CLAMP_READ_COLOR'], 1, ({ gl }, v) => gl.glClampColor(glEnum('GL_CLAMP_READ_COLOR'), v[0])),
  ),
  where(
    'glPrimitiveRestartIndex',
    integers(['PRIMITIVE_RESTART_INDEX'], 1, ({ gl }, v) => gl.glPrimitiveRestartIndex(v[0] >>> 0)),
  ),
  where(
    'glAlphaFunc',
    floats(['ALPHA_TEST_FUNC', 'ALPHA_TEST_REF'], 1, ({ gl }, v) => gl.glAlphaFunc(v[0], v[1])),
  ),
];

/** What each context has: found out once by asking for everything and applying it again. */
const known = new WeakMap<GlContext, readonly Reader[]>();

function readersFor(context: GlContext): readonly Reader[] {
  let list = known.get(context);
  if (list) return list;
  const { gl } = context;
  // Commands that set all of a kind would take away what each has of its own, before that is read.
  const indexed = [perDrawBuffer, perViewport].map((reader) => reader(context));
  while (gl.glGetError() !== 0);
  list = readers.filter((reader) => {
    const restore = reader(context);
    let valid = gl.glGetError() === 0 && restore !== undefined;
    restore?.();
    while (gl.glGetError() !== 0) valid = false;
    return valid;
  });
  for (const restore of indexed) restore?.();
  while (gl.glGetError() !== 0);
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
