import { GL } from '../model/gl-constants.ts';
import type { CanvasFramebuffer } from './canvas.ts';
import { glEnums } from './constants.ts';

const e = glEnums('GL_FRONT_LEFT', 'GL_BACK_LEFT', 'GL_FRONT', 'GL_LEFT', 'GL_FRONT_AND_BACK');
/** Those of the right eye are errors, as on most windows. */
const backNames: ReadonlySet<number> = new Set([GL.BACK, GL.COLOR, e.GL_BACK_LEFT]);
const frontNames: ReadonlySet<number> = new Set([e.GL_FRONT, e.GL_FRONT_LEFT]);
const bothNames: ReadonlySet<number> = new Set([e.GL_LEFT, e.GL_FRONT_AND_BACK]);
const GL_COLOR_ATTACHMENT1 = GL.COLOR_ATTACHMENT0 + 1;

/** The attachments that a window's buffer is. A front buffer is made when it is first named. */
export function canvasPoints(canvas: CanvasFramebuffer, buffer: number): readonly number[] {
  if (backNames.has(buffer)) return [GL.COLOR_ATTACHMENT0];
  const isBoth = bothNames.has(buffer);
  if (isBoth || frontNames.has(buffer)) {
    canvas.needFront();
    if (canvas.front === 0) return [GL.COLOR_ATTACHMENT0];
    return isBoth ? [GL.COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1] : [GL_COLOR_ATTACHMENT1];
  }
  if (buffer === GL.DEPTH) return [GL.DEPTH_ATTACHMENT];
  return [buffer === GL.STENCIL ? GL.STENCIL_ATTACHMENT : buffer];
}
