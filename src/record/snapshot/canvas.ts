import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Canvas } from '../../model/capture.ts';
import type { WebGl } from '../webgl.ts';
import { type Aspect, isPlain, missingFrom, readByBlit } from './blit.ts';
import { leftOutNote, resolvedNote } from './notes.ts';
import type { SnapshotContext } from './snapshot.ts';

const depthFormats = [
  c.DEPTH24_STENCIL8,
  c.DEPTH32F_STENCIL8,
  c.DEPTH_COMPONENT24,
  c.DEPTH_COMPONENT16,
  c.DEPTH_COMPONENT32F,
];

/** The canvas at a frame's end: RGBA bytes, top row first, alpha as it is. */
export interface ReferencePixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Reads the canvas as it is now; to be called guarded. */
export function readCanvas(gl: WebGl): ReferencePixels {
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  gl.bindFramebuffer(c.FRAMEBUFFER, null);
  const rows = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, c.RGBA, c.UNSIGNED_BYTE, rows);
  const data = new Uint8Array(rows.length);
  for (let row = 0; row < height; row++)
    data.set(rows.subarray(row * width * 4, (row + 1) * width * 4), (height - 1 - row) * width * 4);
  return { width, height, data };
}

const isCleared = ({ aspect, pixels }: Aspect): boolean => {
  if (aspect !== c.DEPTH) return pixels.every((byte) => byte === 0);
  return new Float32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4).every((depth) => depth === 1);
};

/**
 * Writes what the canvas holds from the frames before, where that differs from a cleared canvas. Depth and stencil are
 * found with WebGL 2 only, by trying which format the canvas has; see unread-canvas.ts for WebGL 1.
 */
export function addCanvasContents(
  { target, reader, calls, note }: SnapshotContext,
  { depth: hasDepth, stencil: hasStencil, samples }: Canvas,
): void {
  const { gl, version } = target;
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  gl.bindFramebuffer(c.FRAMEBUFFER, null);
  const colour = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, c.RGBA, c.UNSIGNED_BYTE, colour);
  const aspects: Aspect[] = [{ aspect: c.COLOR, format: c.RGBA, type: c.UNSIGNED_BYTE, pixels: colour }];
  if (version === 2 && (hasDepth || hasStencil))
    for (const format of depthFormats) {
      const found = readByBlit(target, reader, format, width, height, () =>
        gl.bindFramebuffer(c.READ_FRAMEBUFFER, null),
      );
      if (!found) continue;
      aspects.push(...found.filter(({ aspect }) => (aspect === c.DEPTH ? hasDepth : hasStencil)));
      break;
    }
  const mask = (hasDepth ? c.DEPTH_BUFFER_BIT : 0) | (hasStencil ? c.STENCIL_BUFFER_BIT : 0);
  const missing = missingFrom(aspects, mask);
  if (version === 2 && missing.length > 0) note(leftOutNote('the canvas', missing));
  for (const found of aspects) {
    if (isCleared(found)) continue;
    if (samples > 0 && !isPlain(found, width * height)) note(resolvedNote('the canvas', samples));
    const { aspect, format, type, pixels } = found;
    calls.add('gpuprofCanvasContents', [aspect, width, height, format, type, calls.data(pixels)]);
  }
}
