import { constants as c } from '../gl/webgl2/constants.ts';
import type { CaptureHead } from '../model/sink.ts';
import type { Target } from './read-back/gl-guard.ts';

/** Who made a capture, on what. */
export interface Producer {
  /** Name and version of the program that records. */
  readonly producer: string;
  /** Where the context comes from: `headless-gl`, `egl`, `chromium`. */
  readonly driver: string;
  /** The renderer's own names, where the context tells only what everybody may know. */
  readonly unmasked?: () => { readonly vendor: string; readonly renderer: string } | undefined;
}

const UNMASKED_VENDOR_WEBGL = 0x9245;
const UNMASKED_RENDERER_WEBGL = 0x9246;

/** The head of a capture that begins now; what it requires is known when it ends. */
export function describeContext(target: Target, { producer, driver, unmasked: unmaskedNames }: Producer): CaptureHead {
  const { gl, version, extensions } = target;
  const attributes = gl.getContextAttributes() ?? {};
  const text = (name: number) => String(gl.getParameter(name) ?? '');
  // Only where the program has asked for it: the recorder enables nothing.
  const unmasked = extensions.has('webgl_debug_renderer_info');
  const bound = gl.getParameter(c.FRAMEBUFFER_BINDING) as object | null;
  gl.bindFramebuffer(version === 2 ? c.DRAW_FRAMEBUFFER : c.FRAMEBUFFER, null);
  const samples = attributes.antialias ? Number(gl.getParameter(c.SAMPLES)) : 0;
  gl.bindFramebuffer(version === 2 ? c.DRAW_FRAMEBUFFER : c.FRAMEBUFFER, bound);
  return {
    api: version === 2 ? 'webgl2' : 'webgl1',
    apiVersion: version === 2 ? [3, 0] : [2, 0],
    origin: {
      producer,
      driver,
      vendor: text(unmasked ? UNMASKED_VENDOR_WEBGL : c.VENDOR),
      renderer: text(unmasked ? UNMASKED_RENDERER_WEBGL : c.RENDERER),
      ...(unmasked ? {} : unmaskedNames?.()),
      version: text(c.VERSION),
    },
    canvas: {
      width: gl.drawingBufferWidth,
      height: gl.drawingBufferHeight,
      alpha: attributes.alpha !== false,
      depth: attributes.depth !== false,
      stencil: Boolean(attributes.stencil),
      samples,
      preserved: Boolean(attributes.preserveDrawingBuffer),
    },
    requires: { extensions: [], limits: {} },
  };
}
