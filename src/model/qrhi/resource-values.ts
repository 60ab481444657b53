/**
 * Values of the lines that announce resources, in the order of their keys (ops.ts): what Qt 5.15's OpenGL backend
 * would write. Sizes are kept as quint32, which wraps.
 */

/** QRhiBuffer::UsageFlag. */
export const qtUsage = { vertex: 1, index: 2, uniform: 4, storage: 8 } as const;
/** QRhiBuffer::Type. */
export const qtBufferType = { immutable: 0, static: 1, dynamic: 2 } as const;

/** What an empty buffer gets (QRhiGles2: "no zero-sized buffers"). */
const leastBufferBytes = 256;
const canvasTexelBytes = 4;
/** The OpenGL backend's number for a double-buffered window. */
const canvasBuffers = 2;

const uint32 = (value: number): number => value % 2 ** 32;

/** Op 1. Qt keeps a buffer that only holds uniforms in CPU memory, since its shaders take plain uniforms. */
export function bufferValues(type: number, usage: number, sizeBytes: number): readonly number[] {
  const size = uint32(sizeBytes);
  const onCpu = usage === qtUsage.uniform;
  return [type, usage, size, size > 0 ? size : leastBufferBytes, onCpu ? 0 : 1, onCpu ? 1 : 0];
}

/** Op 5: every format counts 4 bytes. `ofWindow` is the depth-stencil buffer that comes with the canvas. */
export function renderbufferValues(
  isDepthStencil: boolean,
  width: number,
  height: number,
  samples: number,
  ofWindow = false,
): readonly number[] {
  const count = Math.max(1, samples);
  const sizeBytes = uint32(Math.max(1, width) * Math.max(1, height) * canvasTexelBytes * count);
  return [isDepthStencil ? 0 : 1, width, height, count, 0, ofWindow ? 1 : 0, sizeBytes];
}

/** Op 11. */
export function swapchainValues(width: number, height: number, samples: number): readonly number[] {
  const count = Math.max(1, samples);
  const multisampled = count > 1 ? canvasBuffers : 0;
  const one = Math.max(1, width) * Math.max(1, height) * canvasTexelBytes;
  return [width, height, canvasBuffers, multisampled, count, uint32(one * (canvasBuffers + multisampled * count))];
}

export interface QtTexture {
  readonly width: number;
  readonly height: number;
  readonly format: number;
  /** False for what another texture owns. */
  readonly owns: boolean;
  readonly mips: number;
  readonly layers: number;
  readonly samples: number;
  readonly sizeBytes: number;
}

/** Op 7. */
export const textureValues = (texture: QtTexture): readonly number[] => [
  texture.width,
  texture.height,
  texture.format,
  texture.owns ? 1 : 0,
  texture.mips,
  texture.layers,
  texture.samples,
  uint32(texture.sizeBytes),
];
