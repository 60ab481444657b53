import { constants as c } from '../gl/webgl2/constants.ts';

/** How texels of an internal format read back: what a shader sees, and how many bits each component has. */
export type Numbers = 'unorm' | 'snorm' | 'float' | 'int' | 'uint' | 'depth' | 'depthStencil';

/** An upload's layout: GL format and type, and what the numbers mean. */
export interface Layout {
  readonly format: number;
  readonly type: number;
  readonly numbers: Numbers;
  readonly srgb?: boolean;
}

const UNSIGNED_INT_24_8 = 0x84fa;
export const HALF_FLOAT_OES = 0x8d61;
const SRGB_EXT = 0x8c40;
const SRGB_ALPHA_EXT = 0x8c42;

const componentsOf = new Map<number, number>([
  [c.RED, 1],
  [c.RED_INTEGER, 1],
  [c.ALPHA, 1],
  [c.LUMINANCE, 1],
  [c.DEPTH_COMPONENT, 1],
  [c.RG, 2],
  [c.RG_INTEGER, 2],
  [c.LUMINANCE_ALPHA, 2],
  [c.DEPTH_STENCIL, 2],
  [c.RGB, 3],
  [c.RGB_INTEGER, 3],
  [SRGB_EXT, 3],
  [c.RGBA, 4],
  [c.RGBA_INTEGER, 4],
  [SRGB_ALPHA_EXT, 4],
]);

const componentBytes = new Map<number, number>([
  [c.UNSIGNED_BYTE, 1],
  [c.BYTE, 1],
  [c.UNSIGNED_SHORT, 2],
  [c.SHORT, 2],
  [c.HALF_FLOAT, 2],
  [HALF_FLOAT_OES, 2],
  [c.UNSIGNED_INT, 4],
  [c.INT, 4],
  [c.FLOAT, 4],
]);

const packedBytes = new Map<number, number>([
  [c.UNSIGNED_SHORT_5_6_5, 2],
  [c.UNSIGNED_SHORT_4_4_4_4, 2],
  [c.UNSIGNED_SHORT_5_5_5_1, 2],
  [c.UNSIGNED_INT_2_10_10_10_REV, 4],
  [c.UNSIGNED_INT_10F_11F_11F_REV, 4],
  [c.UNSIGNED_INT_5_9_9_9_REV, 4],
  [UNSIGNED_INT_24_8, 4],
  [c.FLOAT_32_UNSIGNED_INT_24_8_REV, 8],
]);

export const components = (format: number): number => componentsOf.get(format) ?? 4;

/** Bytes of one texel of an upload; 0 for a format or type that no WebGL has. */
export function texelBytes(format: number, type: number): number {
  const packed = packedBytes.get(type);
  if (packed !== undefined) return packed;
  return (componentsOf.get(format) ?? 0) * (componentBytes.get(type) ?? 0);
}

const sized = new Map<number, Layout>();
const define = (numbers: Numbers, type: number, formats: [number, number][], srgb = false) => {
  for (const [internal, format] of formats) sized.set(internal, { format, type, numbers, srgb });
};

define('unorm', c.UNSIGNED_BYTE, [
  [c.R8, c.RED],
  [c.RG8, c.RG],
  [c.RGB8, c.RGB],
  [c.RGBA8, c.RGBA],
]);
define(
  'unorm',
  c.UNSIGNED_BYTE,
  [
    [c.SRGB8, c.RGB],
    [c.SRGB8_ALPHA8, c.RGBA],
    [SRGB_EXT, SRGB_EXT],
    [SRGB_ALPHA_EXT, SRGB_ALPHA_EXT],
  ],
  true,
);
define('snorm', c.BYTE, [
  [c.R8_SNORM, c.RED],
  [c.RG8_SNORM, c.RG],
  [c.RGB8_SNORM, c.RGB],
  [c.RGBA8_SNORM, c.RGBA],
]);
define('unorm', c.UNSIGNED_SHORT_5_6_5, [[c.RGB565, c.RGB]]);
define('unorm', c.UNSIGNED_SHORT_4_4_4_4, [[c.RGBA4, c.RGBA]]);
define('unorm', c.UNSIGNED_SHORT_5_5_5_1, [[c.RGB5_A1, c.RGBA]]);
define('unorm', c.UNSIGNED_INT_2_10_10_10_REV, [[c.RGB10_A2, c.RGBA]]);
define('uint', c.UNSIGNED_INT_2_10_10_10_REV, [[c.RGB10_A2UI, c.RGBA_INTEGER]]);
define('float', c.FLOAT, [
  [c.R16F, c.RED],
  [c.RG16F, c.RG],
  [c.RGB16F, c.RGB],
  [c.RGBA16F, c.RGBA],
  [c.R32F, c.RED],
  [c.RG32F, c.RG],
  [c.RGB32F, c.RGB],
  [c.RGBA32F, c.RGBA],
  [c.R11F_G11F_B10F, c.RGB],
  [c.RGB9_E5, c.RGB],
]);
for (const [type, numbers, formats] of [
  [c.BYTE, 'int', [c.R8I, c.RG8I, c.RGB8I, c.RGBA8I]],
  [c.UNSIGNED_BYTE, 'uint', [c.R8UI, c.RG8UI, c.RGB8UI, c.RGBA8UI]],
  [c.SHORT, 'int', [c.R16I, c.RG16I, c.RGB16I, c.RGBA16I]],
  [c.UNSIGNED_SHORT, 'uint', [c.R16UI, c.RG16UI, c.RGB16UI, c.RGBA16UI]],
  [c.INT, 'int', [c.R32I, c.RG32I, c.RGB32I, c.RGBA32I]],
  [c.UNSIGNED_INT, 'uint', [c.R32UI, c.RG32UI, c.RGB32UI, c.RGBA32UI]],
] as const) {
  const integers = [c.RED_INTEGER, c.RG_INTEGER, c.RGB_INTEGER, c.RGBA_INTEGER];
  define(
    numbers,
    type,
    formats.map((internal, index): [number, number] => [internal, integers[index]]),
  );
}
define('depth', c.UNSIGNED_SHORT, [[c.DEPTH_COMPONENT16, c.DEPTH_COMPONENT]]);
define('depth', c.UNSIGNED_INT, [[c.DEPTH_COMPONENT24, c.DEPTH_COMPONENT]]);
define('depth', c.FLOAT, [[c.DEPTH_COMPONENT32F, c.DEPTH_COMPONENT]]);
define('depthStencil', UNSIGNED_INT_24_8, [[c.DEPTH24_STENCIL8, c.DEPTH_STENCIL]]);
define('depthStencil', c.FLOAT_32_UNSIGNED_INT_24_8_REV, [[c.DEPTH32F_STENCIL8, c.DEPTH_STENCIL]]);

/** The upload layout that holds every value of an internal format; unsized formats keep the format and type they were defined with. */
export function layoutOf(internalformat: number, format: number, type: number): Layout {
  const known = sized.get(internalformat);
  if (known) return known;
  if (format === c.DEPTH_COMPONENT) return { format, type, numbers: 'depth' };
  if (format === c.DEPTH_STENCIL) return { format, type, numbers: 'depthStencil' };
  const isFloat = type === c.FLOAT || type === c.HALF_FLOAT || type === HALF_FLOAT_OES;
  return { format, type, numbers: isFloat ? 'float' : 'unorm' };
}

const blocks = new Map<number, readonly [number, number, number]>();
const block = (width: number, height: number, bytes: number, formats: number[]) => {
  for (const format of formats) blocks.set(format, [width, height, bytes]);
};
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
// S3TC and its sRGB forms, RGTC, ETC1, ETC2 and EAC, BPTC.
block(
  4,
  4,
  8,
  [0x83f0, 0x83f1, 0x8c4c, 0x8c4d, 0x8dbb, 0x8dbc, 0x8d64, 0x9270, 0x9271, 0x9274, 0x9275, 0x9276, 0x9277],
);
block(4, 4, 16, [
  0x83f2,
  0x83f3,
  0x8c4e,
  0x8c4f,
  0x8dbd,
  0x8dbe,
  0x9272,
  0x9273,
  0x9278,
  0x9279,
  ...range(0x8e8c, 0x8e8f),
]);
const astc: [number, number][] = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
];
astc.forEach(([width, height], index) => {
  block(width, height, 16, [0x93b0 + index, 0x93d0 + index]);
});

/** [width, height, bytes] of a compressed format's block, or undefined when it is not known (PVRTC, say). */
export const blockOf = (internalformat: number): readonly [number, number, number] | undefined =>
  blocks.get(internalformat);
