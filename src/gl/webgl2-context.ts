import { GpuprofError } from '../errors.ts';
import type { GlContext } from './context.ts';
import { contextMade } from './context-listener.ts';
import type { ContextAttributes, WebGl2 } from './webgl2/api.ts';
import { bufferMethods } from './webgl2/buffers.ts';
import { type CanvasOptions, createCanvas } from './webgl2/canvas.ts';
import { constants } from './webgl2/constants.ts';
import { Core } from './webgl2/core.ts';
import { derivedMethods } from './webgl2/derived.ts';
import { drawMethods } from './webgl2/draws.ts';
import { extensionMethods } from './webgl2/extensions.ts';
import { framebufferMethods } from './webgl2/framebuffers.ts';
import { shaderMethods } from './webgl2/shaders.ts';
import { stateMethods } from './webgl2/state.ts';
import { textureMethods } from './webgl2/textures.ts';
import { uniformMethods } from './webgl2/uniforms.ts';

export type { WebGl2 } from './webgl2/api.ts';
export type { CanvasOptions } from './webgl2/canvas.ts';

/** Shows a WebGL 2 program's view of GL: methods as own properties (so that they can be wrapped), constants inherited. */
class WebGL2RenderingContext {}
Object.assign(WebGL2RenderingContext.prototype, constants);

const GL_PRIMITIVE_RESTART_FIXED_INDEX = 0x8d69;
const GL_TEXTURE_CUBE_MAP_SEAMLESS = 0x884f;
const GL_PROGRAM_POINT_SIZE = 0x8642;
const GL_POINT_SPRITE = 0x8861;
const GL_FRAMEBUFFER_SRGB = 0x8db9;

/** Switches on what WebGL 2 always does, and what ES always does and desktop GL must be told. */
function behaveAsWebGl({ gl, api, extensions }: GlContext): void {
  gl.glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  if (api === 'es') return;
  for (const name of [GL_TEXTURE_CUBE_MAP_SEAMLESS, GL_PROGRAM_POINT_SIZE, GL_FRAMEBUFFER_SRGB]) gl.glEnable(name);
  if (extensions.has('GL_ARB_compatibility')) gl.glEnable(GL_POINT_SPRITE);
}

/**
 * A WebGL 2 context over a GL context (ES 3.0 or desktop GL 4.3 and newer) that has no window system: the whole of
 * WebGL2RenderingContext except DOM sources. The default framebuffer is a framebuffer object that the context owns.
 * Errors of use are reported by getError, as in a browser; a context that cannot have such a canvas throws GpuprofError
 * `missing-feature`.
 */
export function createWebGL2Context(context: GlContext, options: CanvasOptions): WebGl2 {
  if (!context.atLeast(3, 0))
    throw new GpuprofError('missing-feature', `${context.renderer} (${context.versionText}) cannot run WebGL 2`, {
      hint: 'it needs OpenGL ES 3.0 or OpenGL 4.3',
    });
  const canvas = createCanvas(context, options);
  behaveAsWebGl(context);
  const core = new Core(context, canvas);
  context.gl.glBindFramebuffer(constants.FRAMEBUFFER, canvas.drawId);
  context.gl.glViewport(0, 0, canvas.width, canvas.height);
  context.gl.glScissor(0, 0, canvas.width, canvas.height);
  const attributes: ContextAttributes = {
    alpha: canvas.alpha,
    antialias: canvas.samples > 0,
    depth: canvas.depth,
    stencil: canvas.stencil,
    premultipliedAlpha: true,
    preserveDrawingBuffer: true,
  };
  const webgl = Object.assign(
    new WebGL2RenderingContext(),
    derivedMethods(core),
    bufferMethods(core),
    drawMethods(core),
    framebufferMethods(core),
    shaderMethods(core),
    stateMethods(core),
    textureMethods(core),
    uniformMethods(core),
    extensionMethods(core),
    {
      drawingBufferWidth: canvas.width,
      drawingBufferHeight: canvas.height,
      getContextAttributes: () => ({ ...attributes }),
    },
  ) as unknown as WebGl2;
  contextMade(webgl, context.driver);
  return webgl;
}
