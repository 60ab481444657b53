import { GL } from '../../model/gl-constants.ts';
import type { Fields } from './node.ts';
import { applyBoundObjects } from './render-state-objects.ts';
import type { Translation } from './translation.ts';

/** [name, enumerant, whether it is on to begin with, whether OpenGL ES has it]. */
const capabilities: readonly (readonly [string, number, boolean, boolean])[] = [
  ...Array.from({ length: 8 }, (_, index) => [`GL_CLIP_DISTANCE${index}`, 0x3000 + index, false, false] as const),
  ['GL_COLOR_LOGIC_OP', 0x0bf2, false, false],
  ['GL_CULL_FACE', 0x0b44, false, true],
  ['GL_DEPTH_CLAMP', 0x864f, false, false],
  ['GL_DEPTH_TEST', 0x0b71, false, true],
  ['GL_DEPTH_BOUNDS_TEST_EXT', 0x8890, false, false],
  ['GL_DITHER', 0x0bd0, true, true],
  ['GL_FRAMEBUFFER_SRGB', 0x8db9, false, false],
  ['GL_LINE_SMOOTH', 0x0b20, false, false],
  ['GL_MULTISAMPLE', 0x809d, true, false],
  ['GL_POLYGON_SMOOTH', 0x0b41, false, false],
  ['GL_POLYGON_OFFSET_FILL', 0x8037, false, true],
  ['GL_POLYGON_OFFSET_LINE', 0x2a02, false, false],
  ['GL_POLYGON_OFFSET_POINT', 0x2a01, false, false],
  ['GL_PROGRAM_POINT_SIZE', 0x8642, false, false],
  ['GL_PRIMITIVE_RESTART', 0x8f9d, false, false],
  ['GL_PRIMITIVE_RESTART_FIXED_INDEX', 0x8d69, false, true],
  ['GL_SAMPLE_ALPHA_TO_COVERAGE', 0x809e, false, true],
  ['GL_SAMPLE_ALPHA_TO_ONE', 0x809f, false, false],
  ['GL_SAMPLE_COVERAGE', 0x80a0, false, true],
  ['GL_SAMPLE_MASK', 0x8e51, false, true],
  ['GL_SAMPLE_SHADING', 0x8c36, false, true],
  ['GL_RASTER_MULTISAMPLE_EXT', 0x9327, false, false],
  ['GL_STENCIL_TEST', 0x0b90, false, true],
  ['GL_TEXTURE_CUBE_MAP_SEAMLESS', 0x884f, false, false],
  ['GL_BLEND_ADVANCED_COHERENT_KHR', 0x9285, true, false],
  ['GL_RASTERIZER_DISCARD', 0x8c89, false, true],
];

const GL_BLEND = 0x0be2;
const GL_FRONT = 0x0404;
const GL_BACK = 0x0405;
const GL_FRONT_AND_BACK = 0x0408;

const scalar = (state: Fields, name: string): number => state.number(name);
const same = (lists: readonly (readonly number[])[]): boolean =>
  lists.every((list) => list.every((value, index) => value === lists[0][index]));
/** The numbers of a struct in the order in which they are written. */
const row = (fields: Fields): number[] => fields.nodes.map(({ value }) => Number(value));

function enables(t: Translation, state: Fields): void {
  for (const [name, capability, initial, inEs] of capabilities) {
    const on = state.numberOr(name, initial ? 1 : 0) !== 0;
    // In a frame anything may have been set before; in the setup nothing has.
    const isNews = on !== initial || t.inFrame;
    const exists = inEs || !t.api.es;
    const isRare = on === initial && /_EXT$|_KHR$|DISTANCE/.test(name);
    if (isNews && !isRare && (exists || /DISTANCE/.test(name))) t.call(on ? 'glEnable' : 'glDisable', [capability]);
  }
}

/** State of each draw buffer, in one call where all are alike. */
function blending(t: Translation, state: Fields): void {
  const blends = state.structs('GL_BLENDS').filter((blend) => blend.number('EquationRGB') !== 0);
  const masks = state.structs('GL_COLOR_WRITEMASK').map(row);
  const rows = blends.map(row);
  const functions = (b: Fields) =>
    ['SourceRGB', 'DestinationRGB', 'SourceAlpha', 'DestinationAlpha'].map((name) => b.number(name));
  const equations = (b: Fields) => [b.number('EquationRGB'), b.number('EquationAlpha')];
  const verb = (b: Fields) => (b.number('Enabled') !== 0 ? 'glEnable' : 'glDisable');
  if (blends.length > 0 && same(rows)) {
    t.call('glBlendFuncSeparate', functions(blends[0]));
    t.call('glBlendEquationSeparate', equations(blends[0]));
    t.call(verb(blends[0]), [GL_BLEND]);
  } else
    for (const [index, blend] of blends.entries()) {
      t.call('glBlendFuncSeparatei', [index, ...functions(blend)]);
      t.call('glBlendEquationSeparatei', [index, ...equations(blend)]);
      t.call(`${verb(blend)}i`, [GL_BLEND, index]);
    }
  t.call('glBlendColor', state.numbers('GL_BLEND_COLOR'));
  if (masks.length > 0 && same(masks)) t.call('glColorMask', masks[0]);
  else for (const [index, mask] of masks.entries()) t.call('glColorMaski', [index, ...mask]);
}

/** Viewports, scissors and depth ranges; the first says all where the others are like it. */
function regions(t: Translation, state: Fields): void {
  const viewports = state.structs('GL_VIEWPORT').map(row);
  const scissors = state.structs('GL_SCISSOR').map(row);
  const ranges = state.structs('GL_DEPTH_RANGE').map(row);
  // Where there is one viewport only, RenderDoc leaves the others zero.
  const used = <T extends readonly number[]>(rows: readonly T[]) =>
    rows.slice(1).every((each) => each.every((value) => value === 0)) ? rows.slice(0, 1) : rows;
  if (used(viewports).length > 0 && same(used(viewports))) t.call('glViewport', viewports[0].map(Math.trunc));
  else for (const [index, [x, y, w, h]] of viewports.entries()) t.call('glViewportIndexedf', [index, x, y, w, h]);
  const boxes = used(scissors);
  if (boxes.length > 0 && same(boxes)) {
    t.call('glScissor', boxes[0].slice(0, 4));
    t.call(boxes[0][4] ? 'glEnable' : 'glDisable', [GL.SCISSOR_TEST]);
  } else
    for (const [index, [x, y, w, h, on]] of boxes.entries()) {
      t.call('glScissorIndexed', [index, x, y, w, h]);
      t.call(on ? 'glEnablei' : 'glDisablei', [GL.SCISSOR_TEST, index]);
    }
  const depths = used(ranges);
  if (depths.length > 0 && same(depths)) t.call(t.api.es ? 'glDepthRangef' : 'glDepthRange', depths[0].slice(0, 2));
  else for (const [index, [near, far]] of depths.entries()) t.call('glDepthRangeIndexed', [index, near, far]);
}

function depthAndStencil(t: Translation, state: Fields): void {
  t.call('glDepthMask', [scalar(state, 'GL_DEPTH_WRITEMASK')]);
  t.call(t.api.es ? 'glClearDepthf' : 'glClearDepth', [scalar(state, 'GL_DEPTH_CLEAR_VALUE')]);
  t.call('glDepthFunc', [scalar(state, 'GL_DEPTH_FUNC')]);
  const [near, far] = row(state.struct('GL_DEPTH_BOUNDS_EXT'));
  if ((near !== 0 || far !== 1) && !t.api.es && far > near) t.call('glDepthBoundsEXT', [near, far]);
  for (const [face, side] of [
    [GL_FRONT, ''],
    [GL_BACK, 'BACK_'],
  ] as const) {
    const of = (name: string) => scalar(state, `GL_STENCIL_${side}${name}`);
    t.call('glStencilFuncSeparate', [face, of('FUNC'), of('REF') | 0, of('VALUE_MASK')]);
    t.call('glStencilMaskSeparate', [face, of('WRITEMASK')]);
    t.call('glStencilOpSeparate', [face, of('FAIL'), of('PASS_DEPTH_FAIL'), of('PASS_DEPTH_PASS')]);
  }
  t.call('glClearStencil', [scalar(state, 'GL_STENCIL_CLEAR_VALUE') | 0]);
}

function rasterisation(t: Translation, state: Fields): void {
  const { es, version } = t.api;
  t.call('glLineWidth', [scalar(state, 'GL_LINE_WIDTH')]);
  t.call('glFrontFace', [scalar(state, 'GL_FRONT_FACE')]);
  t.call('glCullFace', [scalar(state, 'GL_CULL_FACE_MODE')]);
  const [factor, units] = [scalar(state, 'GL_POLYGON_OFFSET_FACTOR'), scalar(state, 'GL_POLYGON_OFFSET_UNITS')];
  const clamp = scalar(state, 'GL_POLYGON_OFFSET_CLAMP_EXT');
  if (clamp !== 0 && !Number.isNaN(clamp)) t.call('glPolygonOffsetClamp', [factor, units, clamp]);
  else t.call('glPolygonOffset', [factor, units]);
  t.call('glSampleCoverage', [scalar(state, 'GL_SAMPLE_COVERAGE_VALUE'), scalar(state, 'GL_SAMPLE_COVERAGE_INVERT')]);
  const [mask] = state.numbers('GL_SAMPLE_MASK_VALUE');
  if (mask !== undefined && mask !== 0xffffffff && (!es || version >= 31)) t.call('glSampleMaski', [0, mask]);
  const shading = scalar(state, 'GL_MIN_SAMPLE_SHADING');
  if (shading > 0) t.call('glMinSampleShading', [shading]);
  const patchVertices = scalar(state, 'GL_PATCH_VERTICES');
  if (patchVertices > 0 && patchVertices !== 3) t.call('glPatchParameteri', [0x8e72, patchVertices]);
  if (es) return;
  desktopOnly(t, state);
}

function desktopOnly(t: Translation, state: Fields): void {
  t.call('glPolygonMode', [GL_FRONT_AND_BACK, scalar(state, 'GL_POLYGON_MODE')]);
  t.call('glPointSize', [scalar(state, 'GL_POINT_SIZE')]);
  t.call('glPointParameterf', [0x8128, scalar(state, 'GL_POINT_FADE_THRESHOLD_SIZE')]);
  t.call('glPointParameteri', [0x8ca0, scalar(state, 'GL_POINT_SPRITE_COORD_ORIGIN')]);
  t.call('glPrimitiveRestartIndex', [scalar(state, 'GL_PRIMITIVE_RESTART_INDEX')]);
  t.call('glProvokingVertex', [scalar(state, 'GL_PROVOKING_VERTEX')]);
  t.call('glLogicOp', [scalar(state, 'GL_LOGIC_OP_MODE')]);
  const [origin, depthMode] = [scalar(state, 'GL_CLIP_ORIGIN'), scalar(state, 'GL_CLIP_DEPTH_MODE')];
  if (origin !== 0 && (origin !== 0x8ca1 || depthMode !== 0x935e)) t.call('glClipControl', [origin, depthMode]);
  for (const [name, pname] of [
    ['GL_PATCH_DEFAULT_INNER_LEVEL', 0x8e73],
    ['GL_PATCH_DEFAULT_OUTER_LEVEL', 0x8e74],
  ] as const) {
    const levels = state.numbers(name);
    if (levels.some((level) => level !== 1 && level !== 0))
      t.call('glPatchParameterfv', [pname, t.list(Float32Array.from(levels))]);
  }
}

const pixelStore: readonly (readonly [string, number, number])[] = [
  ['GL_UNPACK_SWAP_BYTES', 0x0cf0, 0],
  ['GL_UNPACK_ROW_LENGTH', 0x0cf2, 0],
  ['GL_UNPACK_IMAGE_HEIGHT', 0x806e, 0],
  ['GL_UNPACK_SKIP_PIXELS', 0x0cf4, 0],
  ['GL_UNPACK_SKIP_ROWS', 0x0cf3, 0],
  ['GL_UNPACK_SKIP_IMAGES', 0x806d, 0],
  ['GL_UNPACK_ALIGNMENT', 0x0cf5, 4],
  ['GL_UNPACK_COMPRESSED_BLOCK_WIDTH', 0x9127, 0],
  ['GL_UNPACK_COMPRESSED_BLOCK_HEIGHT', 0x9128, 0],
  ['GL_UNPACK_COMPRESSED_BLOCK_DEPTH', 0x9129, 0],
  ['GL_UNPACK_COMPRESSED_BLOCK_SIZE', 0x912a, 0],
];

/** Sets the whole state of a context as RenderDoc wrote it: at the frame's beginning, and where another context comes. */
export function applyRenderState(t: Translation, state: Fields): void {
  if (state.numberOr('ContextPresent', 1) === 0) return;
  enables(t, state);
  applyBoundObjects(t, state);
  blending(t, state);
  regions(t, state);
  depthAndStencil(t, state);
  rasterisation(t, state);
  const clear = row(state.struct('GL_COLOR_CLEAR_VALUE'));
  t.call('glClearColor', clear.slice(0, 4));
  for (const [name, pname, initial] of pixelStore) {
    const value = state.numberOr(name, initial);
    if (value !== initial || (t.inFrame && !/SWAP|COMPRESSED/.test(name))) t.call('glPixelStorei', [pname, value]);
  }
}
