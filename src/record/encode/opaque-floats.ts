import { constants as c } from '../../gl/webgl2/constants.ts';
import { isFace } from '../observe/textures.ts';
import type { CallList } from './call-list.ts';

const HALF_FLOAT_OES = 0x8d61;
const TEXTURE_SWIZZLE_A = 0x8e45;
/** 1 as a number of that type. */
const ones: ReadonlyMap<number, readonly number[]> = new Map([
  [c.FLOAT, [0, 0, 0x80, 0x3f]],
  [HALF_FLOAT_OES, [0, 0x3c]],
]);

/** Texels of three floats each with a fourth, 1. */
function withOnes(texels: Uint8Array, one: readonly number[]): Uint8Array {
  const three = one.length * 3;
  const result = new Uint8Array((texels.length / 3) * 4);
  for (let from = 0, to = 0; from < texels.length; from += three, to += three + one.length) {
    result.set(texels.subarray(from, from + three), to);
    result.set(one, to + three);
  }
  return result;
}

/** Whether an image of WebGL 1 is of RGB floats: programs may draw into it, while GL ES 3 draws into RGBA floats only. */
export const isOpaqueFloats = (format: number, type: number): boolean => format === c.RGB && ones.has(type);

/** Its texels as RGBA. */
export function opaqueTexels<T extends Uint8Array | null>(type: number, texels: T): T | Uint8Array {
  const one = ones.get(type);
  return texels && one ? withOnes(texels, one) : texels;
}

/** Nobody sees the fourth component. The texture is bound. */
export function hideAlpha(calls: CallList, imageTarget: number): void {
  const target = isFace(imageTarget) ? c.TEXTURE_CUBE_MAP : imageTarget;
  calls.add('glTexParameteri', [target, TEXTURE_SWIZZLE_A, 1]);
}
