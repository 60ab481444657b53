import type { Producer } from '../../describe-context.ts';

const UNMASKED_VENDOR_WEBGL = 0x9245;
const UNMASKED_RENDERER_WEBGL = 0x9246;

/**
 * The renderer's own names, from a context that lives only for the question: asking the page's would enable an extension
 * that the page did not ask for.
 */
export function unmaskedNames(
  getContext: (canvas: OffscreenCanvas) => WebGLRenderingContext | null,
): ReturnType<NonNullable<Producer['unmasked']>> | undefined {
  const gl = getContext(new OffscreenCanvas(1, 1));
  if (!gl) return undefined;
  gl.getExtension('WEBGL_debug_renderer_info');
  const names = {
    vendor: String(gl.getParameter(UNMASKED_VENDOR_WEBGL)),
    renderer: String(gl.getParameter(UNMASKED_RENDERER_WEBGL)),
  };
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return names;
}
