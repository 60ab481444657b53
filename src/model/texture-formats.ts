/** Internal formats of textures and renderbuffers: the upload that holds each value of one, and compressed blocks. */

/** What the numbers in an image mean. */
export type Numbers = 'unorm' | 'snorm' | 'float' | 'int' | 'uint' | 'depth' | 'depthStencil' | 'stencil';

/** An upload's layout: GL format and type, and what the numbers mean. */
export interface Layout {
  readonly format: number;
  readonly type: number;
  readonly numbers: Numbers;
  readonly srgb?: boolean;
}

const BYTE = 0x1400;
const UNSIGNED_BYTE = 0x1401;
const SHORT = 0x1402;
const UNSIGNED_SHORT = 0x1403;
const INT = 0x1404;
const UNSIGNED_INT = 0x1405;
const FLOAT = 0x1406;
const HALF_FLOAT = 0x140b;
export const HALF_FLOAT_OES = 0x8d61;
const UNSIGNED_SHORT_4_4_4_4 = 0x8033;
const UNSIGNED_SHORT_5_5_5_1 = 0x8034;
const UNSIGNED_SHORT_5_6_5 = 0x8363;
const UNSIGNED_INT_2_10_10_10_REV = 0x8368;
const UNSIGNED_INT_24_8 = 0x84fa;
const FLOAT_32_UNSIGNED_INT_24_8_REV = 0x8dad;

const STENCIL_INDEX = 0x1901;
const DEPTH_COMPONENT = 0x1902;
const DEPTH_STENCIL = 0x84f9;
const [RED, RG, RGB, RGBA] = [0x1903, 0x8227, 0x1907, 0x1908];
const [RED_INTEGER, RG_INTEGER, RGB_INTEGER, RGBA_INTEGER] = [0x8d94, 0x8228, 0x8d98, 0x8d99];
const SRGB_EXT = 0x8c40;
const SRGB_ALPHA_EXT = 0x8c42;

const sized = new Map<number, Layout>();
const define = (numbers: Numbers, type: number, format: number, internalFormats: readonly number[], srgb = false) => {
  for (const internal of internalFormats) sized.set(internal, { format, type, numbers, srgb });
};
/** The internal formats with one to four components; 0 for none. */
const family = (numbers: Numbers, type: number, internalFormats: readonly number[]) => {
  const integer = numbers === 'int' || numbers === 'uint';
  const formats = integer ? [RED_INTEGER, RG_INTEGER, RGB_INTEGER, RGBA_INTEGER] : [RED, RG, RGB, RGBA];
  for (const [index, internal] of internalFormats.entries())
    if (internal) define(numbers, type, formats[index], [internal]);
};

family('unorm', UNSIGNED_BYTE, [0x8229, 0x822b, 0x8051, 0x8058]); // R8 RG8 RGB8 RGBA8
family('snorm', BYTE, [0x8f94, 0x8f95, 0x8f96, 0x8f97]); // R8_SNORM ... RGBA8_SNORM
family('unorm', UNSIGNED_SHORT, [0x822a, 0x822c, 0x8054, 0x805b]); // R16 ... RGBA16
family('snorm', SHORT, [0x8f98, 0x8f99, 0x8f9a, 0x8f9b]); // R16_SNORM ... RGBA16_SNORM
family('float', FLOAT, [0x822d, 0x822f, 0x881b, 0x881a]); // R16F ... RGBA16F
family('float', FLOAT, [0x822e, 0x8230, 0x8815, 0x8814]); // R32F ... RGBA32F
family('int', BYTE, [0x8231, 0x8237, 0x8d8f, 0x8d8e]); // R8I ... RGBA8I
family('uint', UNSIGNED_BYTE, [0x8232, 0x8238, 0x8d7d, 0x8d7c]); // R8UI ... RGBA8UI
family('int', SHORT, [0x8233, 0x8239, 0x8d89, 0x8d88]); // R16I ... RGBA16I
family('uint', UNSIGNED_SHORT, [0x8234, 0x823a, 0x8d77, 0x8d76]); // R16UI ... RGBA16UI
family('int', INT, [0x8235, 0x823b, 0x8d83, 0x8d82]); // R32I ... RGBA32I
family('uint', UNSIGNED_INT, [0x8236, 0x823c, 0x8d71, 0x8d70]); // R32UI ... RGBA32UI
define('unorm', UNSIGNED_BYTE, RGB, [0x8c41], true); // SRGB8
define('unorm', UNSIGNED_BYTE, RGBA, [0x8c43], true); // SRGB8_ALPHA8
define('unorm', UNSIGNED_BYTE, SRGB_EXT, [SRGB_EXT], true);
define('unorm', UNSIGNED_BYTE, SRGB_ALPHA_EXT, [SRGB_ALPHA_EXT], true);
define('unorm', UNSIGNED_SHORT_5_6_5, RGB, [0x8d62]); // RGB565
define('unorm', UNSIGNED_SHORT_4_4_4_4, RGBA, [0x8056]); // RGBA4
define('unorm', UNSIGNED_SHORT_5_5_5_1, RGBA, [0x8057]); // RGB5_A1
define('unorm', UNSIGNED_INT_2_10_10_10_REV, RGBA, [0x8059]); // RGB10_A2
define('uint', UNSIGNED_INT_2_10_10_10_REV, RGBA_INTEGER, [0x906f]); // RGB10_A2UI
define('float', FLOAT, RGB, [0x8c3a, 0x8c3d]); // R11F_G11F_B10F RGB9_E5
define('depth', UNSIGNED_SHORT, DEPTH_COMPONENT, [0x81a5]); // DEPTH_COMPONENT16
define('depth', UNSIGNED_INT, DEPTH_COMPONENT, [0x81a6]); // DEPTH_COMPONENT24
define('depth', FLOAT, DEPTH_COMPONENT, [0x8cac]); // DEPTH_COMPONENT32F
define('depthStencil', UNSIGNED_INT_24_8, DEPTH_STENCIL, [0x88f0]); // DEPTH24_STENCIL8
define('depthStencil', FLOAT_32_UNSIGNED_INT_24_8_REV, DEPTH_STENCIL, [0x8cad]); // DEPTH32F_STENCIL8
define('stencil', UNSIGNED_BYTE, STENCIL_INDEX, [0x8d48]); // STENCIL_INDEX8

/**
 * The upload layout that holds every value of an internal format; unsized formats keep the format and type they were
 * defined with.
 */
export function layoutOf(internalformat: number, format: number, type: number): Layout {
  const known = sized.get(internalformat);
  if (known) return known;
  if (format === DEPTH_COMPONENT) return { format, type, numbers: 'depth' };
  if (format === DEPTH_STENCIL) return { format, type, numbers: 'depthStencil' };
  const isFloat = type === FLOAT || type === HALF_FLOAT || type === HALF_FLOAT_OES;
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
