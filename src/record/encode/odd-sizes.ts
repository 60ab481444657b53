import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Shadows } from '../observe/shadows.ts';
import { imageKey } from '../observe/shadows.ts';
import type { WebGl } from '../webgl.ts';
import type { CallList } from './call-list.ts';

const bindings: Readonly<Record<number, readonly [binding: number, image: number]>> = {
  [c.TEXTURE_2D]: [c.TEXTURE_BINDING_2D, c.TEXTURE_2D],
  [c.TEXTURE_CUBE_MAP]: [c.TEXTURE_BINDING_CUBE_MAP, c.TEXTURE_CUBE_MAP_POSITIVE_X],
};
const isPower = (size: number): boolean => (size & (size - 1)) === 0;

/**
 * WebGL 1 samples the bound texture as black when its sides are no powers of two, unless it is clamped and without
 * mipmaps (OpenGL ES 2.0, section 3.8.2). Later versions do not: there it is black with a filter that wants the mipmaps
 * which such a texture cannot have.
 */
export function addOddSizeFilter(gl: WebGl, shadows: Shadows, calls: CallList, target: number): void {
  const [binding, imageTarget] = bindings[target] ?? [];
  if (binding === undefined || imageTarget === undefined) return;
  const image = shadows.of('texture', gl.getParameter(binding))?.images.get(imageKey(imageTarget, 0));
  if (!image || (isPower(image.width) && isPower(image.height))) return;
  const of = (name: number) => Number(gl.getTexParameter(target, name));
  const filter = of(c.TEXTURE_MIN_FILTER);
  const isClamped = [c.TEXTURE_WRAP_S, c.TEXTURE_WRAP_T].every((name) => of(name) === c.CLAMP_TO_EDGE);
  calls.add('glTexParameteri', [target, c.TEXTURE_MIN_FILTER, isClamped ? filter : c.NEAREST_MIPMAP_NEAREST]);
}
