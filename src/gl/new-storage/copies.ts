/** glCopyTexImage2D beyond the edges of what it reads: WebGL puts zeros there, in GL anything may come. */
import { GL } from '../../model/gl-constants.ts';
import type { GlContext } from '../context.ts';
import { boundTexture, clearNewImage } from './textures.ts';

const READ_BUFFER = 0x0c02;
const RENDERBUFFER_BINDING = 0x8ca7;
const RENDERBUFFER_WIDTH = 0x8d42;
const RENDERBUFFER_HEIGHT = 0x8d43;
const TEXTURE = 0x1702;
const TEXTURE_WIDTH = 0x1000;
const TEXTURE_HEIGHT = 0x1001;
const ATTACHMENT_OBJECT_TYPE = 0x8cd0;
const ATTACHMENT_OBJECT_NAME = 0x8cd1;
const ATTACHMENT_TEXTURE_LEVEL = 0x8cd2;
const ATTACHMENT_CUBE_MAP_FACE = 0x8cd3;
const UNSIGNED_BYTE = 0x1401;

/** Width and height of the image that reads come from; undefined where GL cannot tell (textures before ES 3.1). */
function readSize(context: GlContext, targetOf: (texture: number) => number): [number, number] | undefined {
  const { gl, scratch } = context;
  const point = context.integer(READ_BUFFER);
  if (point < GL.COLOR_ATTACHMENT0) return undefined;
  const ask = (name: number) => {
    scratch.i32[0] = 0;
    gl.glGetFramebufferAttachmentParameteriv(GL.READ_FRAMEBUFFER, point, name, scratch.address);
    return scratch.i32[0];
  };
  const kind = ask(ATTACHMENT_OBJECT_TYPE);
  if (kind === GL.NONE) return undefined;
  const name = ask(ATTACHMENT_OBJECT_NAME);
  if (kind === GL.RENDERBUFFER) {
    const bound = context.integer(RENDERBUFFER_BINDING);
    gl.glBindRenderbuffer(GL.RENDERBUFFER, name);
    const size = [RENDERBUFFER_WIDTH, RENDERBUFFER_HEIGHT].map((side) => {
      gl.glGetRenderbufferParameteriv(GL.RENDERBUFFER, side, scratch.address);
      return scratch.i32[0];
    });
    gl.glBindRenderbuffer(GL.RENDERBUFFER, bound);
    return size as [number, number];
  }
  const levelParameter = context.find('glGetTexLevelParameteriv');
  if (kind !== TEXTURE || !levelParameter) return undefined;
  const level = ask(ATTACHMENT_TEXTURE_LEVEL);
  const target = targetOf(name);
  const image = ask(ATTACHMENT_CUBE_MAP_FACE) || target;
  const bound = boundTexture(context, target);
  gl.glBindTexture(target, name);
  const size = [TEXTURE_WIDTH, TEXTURE_HEIGHT].map((side) => {
    levelParameter(image, level, side, scratch.address);
    return scratch.i32[0];
  });
  gl.glBindTexture(target, bound ?? 0);
  return size as [number, number];
}

/** target, level, internal format, x, y, width, height, border. */
export type CopyTexImage = readonly [number, number, number, number, number, number, number, number];

/** The part of what a copy reads that there is, in the read framebuffer's pixels. */
export interface ReadBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What there is to read when a copy reaches beyond its source; null when it does not, or where GL cannot tell. `targetOf`
 * gives the target a texture is bound to, by GL's name of it.
 */
export function partOfCopy(
  context: GlContext,
  [, , , x, y, width, height]: CopyTexImage,
  targetOf: (texture: number) => number,
): ReadBox | null {
  const size = readSize(context, targetOf);
  if (!size || (x >= 0 && y >= 0 && x + width <= size[0] && y + height <= size[1])) return null;
  const [left, bottom] = [Math.max(0, x), Math.max(0, y)];
  return {
    x: left,
    y: bottom,
    width: Math.max(0, Math.min(x + width, size[0]) - left),
    height: Math.max(0, Math.min(y + height, size[1]) - bottom),
  };
}

/** Copies a part, and puts what WebGL says around it. */
export function copyPart(context: GlContext, args: CopyTexImage, part: ReadBox): void {
  const { gl } = context;
  const [target, level, internalFormat, x, y, width, height, border] = args;
  // For its storage only; ANGLE refuses what lies wholly beyond the edges.
  gl.glCopyTexImage2D(target, level, internalFormat, 0, 0, width, height, border);
  const type = UNSIGNED_BYTE;
  clearNewImage(context, { target, level, internalFormat, format: internalFormat, type, width, height, depth: 1 });
  if (part.width > 0 && part.height > 0)
    gl.glCopyTexSubImage2D(target, level, part.x - x, part.y - y, part.x, part.y, part.width, part.height);
}
