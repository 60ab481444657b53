import type { Accessor } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';

/** Largest value of each normalized integer type. Source: glTF 2.0, 3.6.2.2. */
const scales = new Map<number, number>([
  [5120, 127],
  [5121, 255],
  [5122, 32767],
  [5123, 65535],
]);

const floatsOf = new WeakMap<Accessor, Float32Array>();

/** The accessor's values as floats, normalized integers scaled; values that are no finite number become 0. */
export function readFloats(accessor: Accessor): Float32Array {
  const present = floatsOf.get(accessor);
  if (present) return present;
  const array = accessor.getArray();
  if (!array) throw new GpuprofError('bad-input', `the accessor "${accessor.getName()}" has no data`);
  const scale = accessor.getNormalized() ? scales.get(accessor.getComponentType()) : undefined;
  const out = new Float32Array(array.length);
  for (let index = 0; index < array.length; index++) {
    const value = scale === undefined ? array[index] : Math.max(-1, array[index] / scale);
    out[index] = Number.isFinite(value) ? value : 0;
  }
  floatsOf.set(accessor, out);
  return out;
}

/** Elements the accessor really holds. */
export function elementCount(accessor: Accessor): number {
  return Math.floor((accessor.getArray()?.length ?? 0) / accessor.getElementSize());
}
