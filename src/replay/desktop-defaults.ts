import type { GlContext } from '../gl/context.ts';
import { glEnums } from './constants.ts';

const always = glEnums('GL_PROGRAM_POINT_SIZE', 'GL_FRAMEBUFFER_SRGB', 'GL_TEXTURE_CUBE_MAP_SEAMLESS');
const GL_POINT_SPRITE = 0x8861;

/** Switches on what OpenGL ES does without being asked, so that its captures look the same on desktop GL. */
export function desktopDefaults(context: GlContext): void {
  const { gl } = context;
  for (const cap of [...Object.values(always), GL_POINT_SPRITE]) {
    gl.glEnable(cap);
    // The core profile has no GL_POINT_SPRITE: points always are.
    gl.glGetError();
  }
}
