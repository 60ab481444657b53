/** What a render target held when it was read. */
export interface TargetValues {
  /** COLOR0 and on, depth or stencil. */
  readonly attachment: string;
  /** The canvas, or a framebuffer by its id. */
  readonly framebuffer: string;
  /** `normalized` is 0 to 255 for 0 to 1. */
  readonly kind: 'normalized' | 'float' | 'integer' | 'depth' | 'stencil';
  readonly width: number;
  readonly height: number;
  /** Bottom row first; colours are RGBA, depth and stencil one value a pixel. */
  readonly values: Uint8Array | Float32Array | Int32Array | Uint32Array;
}
