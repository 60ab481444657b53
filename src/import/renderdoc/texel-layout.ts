import { blockOf, layoutOf } from '../../model/texture-formats.ts';

const GL_UNSIGNED_BYTE = 0x1401;
const GL_HALF_FLOAT = 0x140b;
const GL_UNSIGNED_INT = 0x1405;
const [RED, ALPHA, RGB, RGBA, LUMINANCE, LUMINANCE_ALPHA, BGRA] = [
  0x1903, 0x1906, 0x1907, 0x1908, 0x1909, 0x190a, 0x80e1,
];
const [RG, RED_INTEGER, RGB_INTEGER, RG_INTEGER, RGBA_INTEGER] = [0x8227, 0x8d94, 0x8d98, 0x8228, 0x8d99];
const [STENCIL_INDEX, DEPTH_COMPONENT, DEPTH_STENCIL] = [0x1901, 0x1902, 0x84f9];

/** Where RenderDoc reads texels back in another layout than the one that holds every value in most drivers. */
const own = new Map<number, readonly [format: number, type: number]>([
  [0x822d, [RED, GL_HALF_FLOAT]], // R16F
  [0x822f, [RG, GL_HALF_FLOAT]],
  [0x881b, [RGB, GL_HALF_FLOAT]],
  [0x881a, [RGBA, GL_HALF_FLOAT]],
  [0x8c3a, [RGB, 0x8c3b]], // R11F_G11F_B10F: UNSIGNED_INT_10F_11F_11F_REV
  [0x8c3d, [RGB, 0x8c3e]], // RGB9_E5: UNSIGNED_INT_5_9_9_9_REV
  [0x2a10, [RGB, 0x8032]], // R3_G3_B2: UNSIGNED_BYTE_3_3_2
  [0x8050, [RGB, 0x8363]], // RGB5: UNSIGNED_SHORT_5_6_5
  [0x8055, [RGBA, GL_UNSIGNED_BYTE]], // RGBA2
  [0x81a7, [DEPTH_COMPONENT, GL_UNSIGNED_INT]], // DEPTH_COMPONENT32
  [0x803c, [ALPHA, GL_UNSIGNED_BYTE]], // ALPHA8
  [0x93a1, [BGRA, GL_UNSIGNED_BYTE]], // BGRA8
  [0x8fbd, [RED, GL_UNSIGNED_BYTE]], // SR8
  [0x8fbe, [RG, GL_UNSIGNED_BYTE]], // SRG8
  [0x8c40, [RGB, GL_UNSIGNED_BYTE]], // SRGB
  [0x8c42, [RGBA, GL_UNSIGNED_BYTE]], // SRGB_ALPHA
  ...[RED, RG, RGB, RGBA, ALPHA, LUMINANCE, LUMINANCE_ALPHA, BGRA].map((format): [number, [number, number]] => [
    format,
    [format, GL_UNSIGNED_BYTE],
  ]),
  [DEPTH_COMPONENT, [DEPTH_COMPONENT, GL_UNSIGNED_INT]],
  [DEPTH_STENCIL, [DEPTH_STENCIL, 0x8dad]], // FLOAT_32_UNSIGNED_INT_24_8_REV
  [STENCIL_INDEX, [STENCIL_INDEX, GL_UNSIGNED_BYTE]],
  ...[RED_INTEGER, RG_INTEGER, RGB_INTEGER, RGBA_INTEGER].map((format): [number, [number, number]] => [
    format,
    [format, GL_UNSIGNED_BYTE],
  ]),
]);

/** How RenderDoc writes texels of an internal format; null when they are compressed, undefined when it is not known. */
export function texelLayout(
  internalformat: number,
): { readonly format: number; readonly type: number } | null | undefined {
  const named = own.get(internalformat);
  if (named) return { format: named[0], type: named[1] };
  if (blockOf(internalformat)) return null;
  const { format, type } = layoutOf(internalformat, 0, 0);
  return format === 0 ? undefined : { format, type };
}
