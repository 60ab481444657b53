import { constants as c } from '../../gl/webgl2/constants.ts';
import type { WebGl } from '../webgl.ts';
import { bytesOf } from './pixel-unpack.ts';
import type { BufferShadow, Shadows } from './shadows.ts';

/** Buffer targets and their binding queries; all but the first two are WebGL 2's. */
export const bufferBindings: ReadonlyMap<number, number> = new Map([
  [c.ARRAY_BUFFER, c.ARRAY_BUFFER_BINDING],
  [c.ELEMENT_ARRAY_BUFFER, c.ELEMENT_ARRAY_BUFFER_BINDING],
  [c.COPY_READ_BUFFER, c.COPY_READ_BUFFER_BINDING],
  [c.COPY_WRITE_BUFFER, c.COPY_WRITE_BUFFER_BINDING],
  [c.PIXEL_PACK_BUFFER, c.PIXEL_PACK_BUFFER_BINDING],
  [c.PIXEL_UNPACK_BUFFER, c.PIXEL_UNPACK_BUFFER_BINDING],
  [c.UNIFORM_BUFFER, c.UNIFORM_BUFFER_BINDING],
  [c.TRANSFORM_FEEDBACK_BUFFER, c.TRANSFORM_FEEDBACK_BUFFER_BINDING],
]);

const usages: readonly number[] = [
  ...[c.STREAM_DRAW, c.STREAM_READ, c.STREAM_COPY],
  ...[c.STATIC_DRAW, c.STATIC_READ, c.STATIC_COPY],
  ...[c.DYNAMIC_DRAW, c.DYNAMIC_READ, c.DYNAMIC_COPY],
];
const int = (value: unknown): number => Math.trunc(Number(value)) || 0;

/** The part of a view that WebGL 2's element offset and length choose, as bytes of the program's memory. */
export function viewPart(source: unknown, offset: unknown, length: unknown): Uint8Array {
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source as ArrayBuffer);
  const view: ArrayBufferView = source;
  const size = (view as Uint8Array).BYTES_PER_ELEMENT ?? 1;
  if (!offset && !length) return bytesOf(view);
  const start = int(offset) * size;
  return bytesOf(view).subarray(start, int(length) ? start + int(length) * size : undefined);
}

/** Keeps a copy of each buffer's bytes; called after each call has returned. */
export class BufferObserver {
  readonly #gl: WebGl;
  readonly #shadows: Shadows;

  constructor(gl: WebGl, shadows: Shadows) {
    this.#gl = gl;
    this.#shadows = shadows;
  }

  bound(target: number): BufferShadow | undefined {
    const binding = bufferBindings.get(target);
    return binding === undefined ? undefined : this.#shadows.of('buffer', this.#gl.getParameter(binding));
  }

  data([target, source, usage, offset, length]: readonly unknown[]): void {
    const buffer = this.bound(Number(target));
    if (!buffer || source === null || source === undefined) return;
    if (!usages.includes(Number(usage)) || int(source) < 0) return;
    buffer.usage = Number(usage);
    if (typeof source === 'number') buffer.data = new Uint8Array(int(source));
    else buffer.data = viewPart(source, offset, length).slice();
  }

  subData([target, offset, source, sourceOffset, length]: readonly unknown[]): void {
    const buffer = this.bound(Number(target));
    if (!buffer?.data || source === null || source === undefined) return;
    const part = viewPart(source, sourceOffset, length);
    if (int(offset) >= 0 && int(offset) + part.length <= buffer.data.length) buffer.data.set(part, int(offset));
  }

  copy([readTarget, writeTarget, readOffset, writeOffset, size]: readonly unknown[]): void {
    const from = this.bound(Number(readTarget));
    const to = this.bound(Number(writeTarget));
    if (!from?.data || !to?.data) return;
    if (from.onGpu) to.onGpu = true;
    const [start, at, count] = [int(readOffset), int(writeOffset), int(size)];
    if (start >= 0 && at >= 0 && start + count <= from.data.length && at + count <= to.data.length)
      to.data.set(from.data.slice(start, start + count), at);
  }

  /** The GPU may write the buffer from now on. */
  written(handle: unknown): void {
    const buffer = this.#shadows.of('buffer', handle);
    if (buffer) buffer.onGpu = true;
  }
}
