import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList } from '../encode/call-list.ts';
import type { Target } from '../read-back/gl-guard.ts';

type Values = readonly unknown[];
const list = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Array.from(value as ArrayLike<unknown>) : [value];
const same = (a: Values, b: Values): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(Number(value), Number(b[index])));

/** One GL command that sets what some parameters read; nothing is written when they read `usual`. */
interface Setting {
  readonly command: string;
  /** Leading arguments. */
  readonly head?: readonly number[];
  readonly reads: readonly number[];
  /** Null: always written (what GL begins with depends on the canvas). */
  readonly usual: Values | null;
  readonly webgl2?: true;
}

const faces = [
  [
    c.FRONT,
    c.STENCIL_FUNC,
    c.STENCIL_REF,
    c.STENCIL_VALUE_MASK,
    c.STENCIL_WRITEMASK,
    c.STENCIL_FAIL,
    c.STENCIL_PASS_DEPTH_FAIL,
    c.STENCIL_PASS_DEPTH_PASS,
  ],
  [
    c.BACK,
    c.STENCIL_BACK_FUNC,
    c.STENCIL_BACK_REF,
    c.STENCIL_BACK_VALUE_MASK,
    c.STENCIL_BACK_WRITEMASK,
    c.STENCIL_BACK_FAIL,
    c.STENCIL_BACK_PASS_DEPTH_FAIL,
    c.STENCIL_BACK_PASS_DEPTH_PASS,
  ],
] as const;

/** All state that is plain numbers, with what GL begins with. */
const settings: readonly Setting[] = [
  { command: 'glViewport', reads: [c.VIEWPORT], usual: null },
  { command: 'glScissor', reads: [c.SCISSOR_BOX], usual: null },
  { command: 'glBlendColor', reads: [c.BLEND_COLOR], usual: [0, 0, 0, 0] },
  {
    command: 'glBlendEquationSeparate',
    reads: [c.BLEND_EQUATION_RGB, c.BLEND_EQUATION_ALPHA],
    usual: [c.FUNC_ADD, c.FUNC_ADD],
  },
  {
    command: 'glBlendFuncSeparate',
    reads: [c.BLEND_SRC_RGB, c.BLEND_DST_RGB, c.BLEND_SRC_ALPHA, c.BLEND_DST_ALPHA],
    usual: [c.ONE, c.ZERO, c.ONE, c.ZERO],
  },
  { command: 'glClearColor', reads: [c.COLOR_CLEAR_VALUE], usual: [0, 0, 0, 0] },
  { command: 'glClearDepthf', reads: [c.DEPTH_CLEAR_VALUE], usual: [1] },
  { command: 'glClearStencil', reads: [c.STENCIL_CLEAR_VALUE], usual: [0] },
  { command: 'glColorMask', reads: [c.COLOR_WRITEMASK], usual: [1, 1, 1, 1] },
  { command: 'glCullFace', reads: [c.CULL_FACE_MODE], usual: [c.BACK] },
  { command: 'glDepthFunc', reads: [c.DEPTH_FUNC], usual: [c.LESS] },
  { command: 'glDepthMask', reads: [c.DEPTH_WRITEMASK], usual: [1] },
  { command: 'glDepthRangef', reads: [c.DEPTH_RANGE], usual: [0, 1] },
  { command: 'glFrontFace', reads: [c.FRONT_FACE], usual: [c.CCW] },
  { command: 'glHint', head: [c.GENERATE_MIPMAP_HINT], reads: [c.GENERATE_MIPMAP_HINT], usual: [c.DONT_CARE] },
  { command: 'glLineWidth', reads: [c.LINE_WIDTH], usual: [1] },
  { command: 'glPolygonOffset', reads: [c.POLYGON_OFFSET_FACTOR, c.POLYGON_OFFSET_UNITS], usual: [0, 0] },
  { command: 'glSampleCoverage', reads: [c.SAMPLE_COVERAGE_VALUE, c.SAMPLE_COVERAGE_INVERT], usual: [1, 0] },
  ...faces.flatMap(([face, func, ref, mask, writeMask, fail, depthFail, pass]): Setting[] => [
    { command: 'glStencilFuncSeparate', head: [face], reads: [func, ref, mask], usual: null },
    { command: 'glStencilMaskSeparate', head: [face], reads: [writeMask], usual: null },
    { command: 'glStencilOpSeparate', head: [face], reads: [fail, depthFail, pass], usual: [c.KEEP, c.KEEP, c.KEEP] },
  ]),
  ...[c.UNPACK_ALIGNMENT, c.PACK_ALIGNMENT].map(
    (name): Setting => ({ command: 'glPixelStorei', head: [name], reads: [name], usual: [4] }),
  ),
  ...[
    c.UNPACK_ROW_LENGTH,
    c.UNPACK_SKIP_ROWS,
    c.UNPACK_SKIP_PIXELS,
    c.UNPACK_IMAGE_HEIGHT,
    c.UNPACK_SKIP_IMAGES,
    c.PACK_ROW_LENGTH,
    c.PACK_SKIP_ROWS,
    c.PACK_SKIP_PIXELS,
  ].map((name): Setting => ({ command: 'glPixelStorei', head: [name], reads: [name], usual: [0], webgl2: true })),
  {
    command: 'glHint',
    head: [c.FRAGMENT_SHADER_DERIVATIVE_HINT],
    reads: [c.FRAGMENT_SHADER_DERIVATIVE_HINT],
    usual: [c.DONT_CARE],
    webgl2: true,
  },
];

/** Capabilities, and whether they are on when a context begins. */
const capabilities: readonly (readonly [number, boolean, webgl2?: true])[] = [
  [c.BLEND, false],
  [c.CULL_FACE, false],
  [c.DEPTH_TEST, false],
  [c.DITHER, true],
  [c.POLYGON_OFFSET_FILL, false],
  [c.SAMPLE_ALPHA_TO_COVERAGE, false],
  [c.SAMPLE_COVERAGE, false],
  [c.SCISSOR_TEST, false],
  [c.STENCIL_TEST, false],
  [c.RASTERIZER_DISCARD, false, true],
];

/** WebGL reads 32-bit masks as signed or unsigned: GL's calls take them unsigned. */
const unsigned = (value: unknown): number => {
  const number = Number(value);
  return number < 0 && Number.isInteger(number) ? number >>> 0 : number;
};

/** Writes the calls that bring plain settings and capabilities from where GL begins to where they are now. */
export function addSettings({ gl, version }: Target, calls: CallList): void {
  for (const { command, head, reads, usual, webgl2 } of settings) {
    if (webgl2 && version === 1) continue;
    const values = reads.flatMap((name) => list(gl.getParameter(name)));
    if (usual === null || !same(values, usual)) calls.add(command, [...(head ?? []), ...values.map(unsigned)]);
  }
  for (const [capability, usual, webgl2] of capabilities)
    if ((version === 2 || !webgl2) && gl.isEnabled(capability) !== usual)
      calls.add(usual ? 'glDisable' : 'glEnable', [capability]);
}
