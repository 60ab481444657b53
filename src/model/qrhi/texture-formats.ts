/**
 * QRhiTexture::Format of a GL texture, and the bytes Qt counts for one. Numbers are those of Qt 5.15, and of the later
 * numbering of Qt 6.2, which has four formats more (qrhi.cpp).
 */
import { keptTexelBytes } from '../memory/image-bytes.ts';
import { blockOf } from '../texture-formats.ts';

/** Which numbers the formats have. */
export type QtNumbering = 5 | 6;

const compressed =
  'BC1 BC2 BC3 BC4 BC5 BC6H BC7 ETC2_RGB8 ETC2_RGB8A1 ETC2_RGBA8 ASTC_4x4 ASTC_5x4 ASTC_5x5 ASTC_6x5 ASTC_6x6 ASTC_8x5 ' +
  'ASTC_8x6 ASTC_8x8 ASTC_10x5 ASTC_10x6 ASTC_10x8 ASTC_10x10 ASTC_12x10 ASTC_12x12';
const names = (plain: string): string[] => `UnknownFormat ${plain} ${compressed}`.split(' ');
/** Names by number. */
const qtFormatNames: Readonly<Record<QtNumbering, readonly string[]>> = {
  5: names('RGBA8 BGRA8 R8 R16 RED_OR_ALPHA8 RGBA16F RGBA32F R16F R32F D16 D32F'),
  6: names('RGBA8 BGRA8 R8 RG8 R16 RG16 RED_OR_ALPHA8 RGBA16F RGBA32F R16F R32F D16 D24 D24S8 D32F'),
};

/** What the format of this number is called; null when there is none, or it is the unknown one. */
export const qtFormatName = (format: bigint, numbering: QtNumbering): string | null =>
  (format > 0n && qtFormatNames[numbering][Number(format)]) || null;

/** How an image was specified: the internal format, and format and type of its upload (0 when there was none). */
export interface SpecifiedFormat {
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
}

const byInternalFormat = new Map<number, string>();
const define = (name: string, internalFormats: readonly number[]) => {
  for (const internal of internalFormats) byInternalFormat.set(internal, name);
};
define('RGBA8', [0x8058, 0x8c43]); // RGBA8 SRGB8_ALPHA8
define('BGRA8', [0x93a1]); // BGRA8_EXT
define('R8', [0x8229]);
define('RG8', [0x822b]);
define('R16', [0x822a]);
define('RG16', [0x822c]);
define('RED_OR_ALPHA8', [0x803c, 0x8040]); // ALPHA8 LUMINANCE8
define('RGBA16F', [0x881a]);
define('RGBA32F', [0x8814]);
define('R16F', [0x822d]);
define('R32F', [0x822e]);
define('D16', [0x81a5]);
define('D24', [0x81a6, 0x81a7]); // DEPTH_COMPONENT24 DEPTH_COMPONENT32
define('D24S8', [0x88f0]);
define('D32F', [0x8cac]);
// S3TC and its sRGB forms, RGTC, BPTC; signed forms are the same block format.
define('BC1', [0x83f0, 0x83f1, 0x8c4c, 0x8c4d]);
define('BC2', [0x83f2, 0x8c4e]);
define('BC3', [0x83f3, 0x8c4f]);
define('BC4', [0x8dbb, 0x8dbc]);
define('BC5', [0x8dbd, 0x8dbe]);
define('BC6H', [0x8e8e, 0x8e8f]);
define('BC7', [0x8e8c, 0x8e8d]);
define('ETC2_RGB8', [0x9274, 0x9275, 0x8d64]); // every ETC1 block is one of ETC2
define('ETC2_RGB8A1', [0x9276, 0x9277]);
define('ETC2_RGBA8', [0x9278, 0x9279]);
const astc = compressed.split(' ').filter((name) => name.startsWith('ASTC'));
for (const [index, name] of astc.entries()) define(name, [0x93b0 + index, 0x93d0 + index]);

const UNSIGNED_BYTE = 0x1401;
const UNSIGNED_SHORT = 0x1403;
const UNSIGNED_INT = 0x1405;
const FLOAT = 0x1406;
const HALF_FLOAT = 0x140b;
const HALF_FLOAT_OES = 0x8d61;
const UNSIGNED_INT_24_8 = 0x84fa;
const UNSIGNED_INT_8_8_8_8_REV = 0x8367;
const BGRA = 0x80e1;

/** Unsized internal formats, by type of the upload. */
const unsized: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  // RGBA, also as a count of components, and SRGB_ALPHA_EXT.
  0x1908: { [UNSIGNED_BYTE]: 'RGBA8', [FLOAT]: 'RGBA32F', [HALF_FLOAT]: 'RGBA16F', [HALF_FLOAT_OES]: 'RGBA16F' },
  4: { [UNSIGNED_BYTE]: 'RGBA8' },
  0x8c42: { [UNSIGNED_BYTE]: 'RGBA8' },
  [BGRA]: { [UNSIGNED_BYTE]: 'BGRA8' },
  // RED RG.
  0x1903: {
    [UNSIGNED_BYTE]: 'R8',
    [UNSIGNED_SHORT]: 'R16',
    [FLOAT]: 'R32F',
    [HALF_FLOAT]: 'R16F',
    [HALF_FLOAT_OES]: 'R16F',
  },
  0x8227: { [UNSIGNED_BYTE]: 'RG8', [UNSIGNED_SHORT]: 'RG16' },
  // ALPHA LUMINANCE.
  0x1906: { [UNSIGNED_BYTE]: 'RED_OR_ALPHA8' },
  0x1909: { [UNSIGNED_BYTE]: 'RED_OR_ALPHA8' },
  1: { [UNSIGNED_BYTE]: 'RED_OR_ALPHA8' },
  // DEPTH_COMPONENT DEPTH_STENCIL.
  0x1902: { 0: 'D24', [UNSIGNED_SHORT]: 'D16', [UNSIGNED_INT]: 'D24', [FLOAT]: 'D32F' },
  0x84f9: { 0: 'D24S8', [UNSIGNED_INT_24_8]: 'D24S8' },
};

function nameOf({ internalFormat, format, type }: SpecifiedFormat): string {
  const name = byInternalFormat.get(internalFormat) ?? unsized[internalFormat]?.[type];
  // Qt makes BGRA8 textures as RGBA ones that are uploaded as BGRA.
  const isBgra = format === BGRA && (type === UNSIGNED_BYTE || type === UNSIGNED_INT_8_8_8_8_REV);
  return name === undefined || (name === 'RGBA8' && isBgra) ? (isBgra ? 'BGRA8' : 'UnknownFormat') : name;
}

/** The format's number; 0 when Qt does not know it. Forms in sRGB have their linear format's number, as in Qt. */
export function qtTextureFormat(specified: SpecifiedFormat, numbering: QtNumbering): number {
  const name = nameOf(specified);
  const at = qtFormatNames[numbering].indexOf(name);
  if (at >= 0) return at;
  // Depth of 24 bits lies in 32, and Qt 5 counts every depth-stencil buffer of its own as D32F.
  return name === 'D24' || name === 'D24S8' ? qtFormatNames[numbering].indexOf('D32F') : 0;
}

/** Bytes of an image as Qt counts them: exact texels or blocks, a size of 0 as 1. */
export function qtImageBytes(specified: SpecifiedFormat, width: number, height: number): number {
  const [w, h] = [Math.max(1, width), Math.max(1, height)];
  const block = blockOf(specified.internalFormat);
  if (block) return Math.ceil(w / block[0]) * Math.ceil(h / block[1]) * block[2];
  return w * h * keptTexelBytes(specified.internalFormat, specified.format, specified.type);
}
