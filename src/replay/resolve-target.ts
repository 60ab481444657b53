/** Single-sampled copies of multisampled attachments. */
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { Scratch } from '../gl/native.ts';
import { GL } from '../model/gl-constants.ts';
import { glEnums } from './constants.ts';

const e = glEnums('GL_SAMPLES', 'GL_NEAREST', 'GL_RENDERBUFFER_DEPTH_SIZE', 'GL_RENDERBUFFER_STENCIL_SIZE');

const masks: Readonly<Record<string, number>> = { depth: GL.DEPTH_BUFFER_BIT, stencil: GL.STENCIL_BUFFER_BIT };

/**
 * Does `work` with an attachment of the bound framebuffer (for drawing and reading alike) to be read: where that is
 * multisampled, a resolved copy is bound for reading. Within internal work. Throws GpuprofError `missing-feature`.
 */
export function withResolved<T>(
  context: GlContext,
  attachment: string,
  image: { readonly width: number; readonly height: number; readonly internalFormat: number },
  work: () => T,
): T {
  if (context.integer(e.GL_SAMPLES) === 0) return work();
  const { gl, scratch } = context;
  const own = new Scratch(64);
  gl.glGenRenderbuffers(1, own.address);
  gl.glGenFramebuffers(1, own.address + 4);
  const [renderbuffer, framebuffer] = own.u32;
  const { width, height } = image;
  try {
    gl.glBindRenderbuffer(GL.RENDERBUFFER, renderbuffer);
    gl.glRenderbufferStorage(GL.RENDERBUFFER, image.internalFormat, width, height);
    gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, framebuffer);
    const has = (size: number) => {
      gl.glGetRenderbufferParameteriv(GL.RENDERBUFFER, size, scratch.address);
      return scratch.i32[0] > 0;
    };
    const points = [
      ...(has(e.GL_RENDERBUFFER_DEPTH_SIZE) ? [GL.DEPTH_ATTACHMENT] : []),
      ...(has(e.GL_RENDERBUFFER_STENCIL_SIZE) ? [GL.STENCIL_ATTACHMENT] : []),
    ];
    for (const point of points.length > 0 ? points : [GL.COLOR_ATTACHMENT0])
      gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, renderbuffer);
    const mask = masks[attachment] ?? GL.COLOR_BUFFER_BIT;
    gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, mask, e.GL_NEAREST);
    if (gl.glGetError() !== 0)
      throw new GpuprofError('missing-feature', `${context.renderer} cannot resolve the samples of ${attachment}`);
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, framebuffer);
    return work();
  } finally {
    gl.glDeleteFramebuffers(1, own.address + 4);
    gl.glDeleteRenderbuffers(1, own.address);
  }
}
