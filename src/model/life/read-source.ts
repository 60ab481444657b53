import type { Attachment, Bindings } from '../bindings.ts';
import { GL } from '../gl-constants.ts';

// DEPTH_COMPONENT DEPTH_STENCIL.
const depthFormats: ReadonlySet<number> = new Set([0x1902, 0x84f9]);
const STENCIL_INDEX = 0x1901;

/** What glReadPixels reads with this format; null for the canvas, undefined when there is nothing to read. */
export function readSource(bindings: Bindings, format: number): Attachment | null | undefined {
  const { readFramebuffer } = bindings;
  if (readFramebuffer === 0) return null;
  const { attachments, readBuffer } = bindings.framebuffer(readFramebuffer);
  if (depthFormats.has(format)) return attachments.get(GL.DEPTH_ATTACHMENT);
  if (format === STENCIL_INDEX) return attachments.get(GL.STENCIL_ATTACHMENT);
  return attachments.get(readBuffer === GL.BACK ? GL.COLOR_ATTACHMENT0 : readBuffer);
}
