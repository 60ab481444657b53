import { inlineWords } from '../argument-values.ts';
import type { Bindings } from '../bindings.ts';
import { GL } from '../gl-constants.ts';
import { type BindingCommands, deleting, eachOf, number, setOrDelete } from './binding-command.ts';

export function bindBuffer(b: Bindings, target: number, buffer: number): void {
  if (target === GL.ELEMENT_ARRAY_BUFFER) b.vertexArrayBindings().elementBuffer = buffer;
  else setOrDelete(b.buffers, target, buffer);
}

function bindIndexed(
  map: Map<number, unknown>,
  index: number,
  buffer: number,
  offset = 0,
  sizeBytes: number | null = null,
) {
  if (buffer) map.set(index, { buffer, offset, sizeBytes });
  else map.delete(index);
}

/** Deletion unbinds from the context and from the containers bound to it, not from others (GL 4.6, section 5.1.2). */
function forgetBuffer(b: Bindings, id: number): void {
  for (const [target, bound] of b.buffers) if (bound === id) b.buffers.delete(target);
  for (const map of [...b.indexedBuffers.values(), b.transformFeedbackBindings().buffers])
    for (const [index, bound] of map) if (bound.buffer === id) map.delete(index);
  const array = b.vertexArrayBindings();
  if (array.elementBuffer === id) array.elementBuffer = 0;
  for (const [index, bound] of array.buffers) if (bound === id) array.buffers.delete(index);
}

/** Buffers and their indexed places. */
export const bufferCommands: BindingCommands = {
  BindBuffer: (b, a) => bindBuffer(b, number(a[0]), number(a[1])),
  BindBufferBase: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]));
  },
  BindBufferRange: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]), number(a[3]), number(a[4]));
  },
  BindBufferOffset: (b, a) => {
    bindBuffer(b, number(a[0]), number(a[2]));
    bindIndexed(b.indexed(number(a[0])), number(a[1]), number(a[2]), number(a[3]));
  },
  BindBuffersBase: (b, a) =>
    eachOf(a[2], a[3], (id, index) => bindIndexed(b.indexed(number(a[0])), number(a[1]) + index, id)),
  BindBuffersRange: (b, a) => {
    const offsets = inlineWords(a[4]);
    const sizes = inlineWords(a[5]);
    const wide = (list: readonly number[], index: number) =>
      (list[index * 2] ?? 0) + (list[index * 2 + 1] ?? 0) * 2 ** 32;
    eachOf(a[2], a[3], (id, index) =>
      bindIndexed(b.indexed(number(a[0])), number(a[1]) + index, id, wide(offsets, index), wide(sizes, index)),
    );
  },
  TransformFeedbackBufferBase: (b, a) =>
    bindIndexed(b.transformFeedbackBindings(number(a[0])).buffers, number(a[1]), number(a[2])),
  TransformFeedbackBufferRange: (b, a) =>
    bindIndexed(
      b.transformFeedbackBindings(number(a[0])).buffers,
      number(a[1]),
      number(a[2]),
      number(a[3]),
      number(a[4]),
    ),
  DeleteBuffers: deleting(forgetBuffer),
};
