/**
 * Ranges of buffers that shaders read and write. What lies between the end of a buffer and a range that begins beyond it Mesa
 * 22.3 takes for the range's size, and shaders reach memory of others; so nothing is drawn with such a range.
 */
import type { GlContext } from '../../gl/context.ts';
import type { Bindings } from '../../model/bindings.ts';
import { baseName, drawCommand, GL } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Op } from '../compile/invokers.ts';

const targets = [GL.UNIFORM_BUFFER, GL.SHADER_STORAGE_BUFFER, GL.ATOMIC_COUNTER_BUFFER];

/** Whether calls of this signature run shaders. */
export const runsShaders = perSignature(({ name }) => {
  const base = baseName(name);
  return drawCommand.test(base) || /^(Begin|CopyPixels|DispatchCompute\w*)$/.test(base);
});

interface Range {
  readonly target: number;
  readonly index: number;
  readonly buffer: number;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

const none: readonly Range[] = [];

/** Finds them, anew when bindings or sizes have changed. */
export class BufferRanges {
  readonly #bufferBytes: (buffer: number) => number;
  #beyond: readonly Range[] = none;
  #version = -1;

  /** `bufferBytes` gives the size of a buffer by id. */
  constructor(bufferBytes: (buffer: number) => number) {
    this.#bufferBytes = bufferBytes;
  }

  /** To be called when the size of a buffer changes. */
  buffersChanged(): void {
    this.#version = -1;
  }

  /** Ranges that are bound, and begin beyond their buffer's end. */
  beyond({ indexedBuffers, version }: Bindings): readonly Range[] {
    if (version === this.#version) return this.#beyond;
    this.#version = version;
    this.#beyond = none;
    for (const target of targets)
      for (const [index, { buffer, offset, sizeBytes }] of indexedBuffers.get(target) ?? [])
        if (offset > 0 && offset >= this.#bufferBytes(buffer))
          this.#beyond = [...this.#beyond, { target, index, buffer, offsetBytes: offset, sizeBytes: sizeBytes ?? 0 }];
    return this.#beyond;
  }
}

/** A draw while which these ranges are not bound; `names` are GL's of buffers. */
export function withoutRanges(
  { gl }: GlContext,
  names: Uint32Array,
  bindings: Bindings,
  ranges: readonly Range[],
  draw: Op,
): Op {
  const bound = [...new Set(ranges.map(({ target }) => target))].map((target) => [target, bindings.buffer(target)]);
  return (at) => {
    for (const { target, index } of ranges) gl.glBindBufferBase(target, index, 0);
    draw(at);
    for (const { target, index, buffer, offsetBytes, sizeBytes } of ranges)
      gl.glBindBufferRange(target, index, names[buffer], offsetBytes, sizeBytes);
    for (const [target, buffer] of bound) gl.glBindBuffer(target, names[buffer]);
  };
}
