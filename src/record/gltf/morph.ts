import { readFloats } from './accessors.ts';
import type { PrimitiveShape } from './geometry.ts';

export const morphed = ['POSITION', 'NORMAL', 'TANGENT'] as const;
export type Morphed = (typeof morphed)[number];

/**
 * One attribute with the weighted targets added (tangents keep their sign), tightly packed; undefined when the primitive
 * has no such attribute. Source: glTF 2.0, 3.7.2.2.
 */
export function morphAttribute(
  shape: PrimitiveShape,
  semantic: Morphed,
  weights: readonly number[],
): Float32Array | undefined {
  const base = shape.attributes.get(semantic);
  if (!base) return undefined;
  const values = readFloats(base.accessor).slice(0, shape.vertexCount * base.size);
  for (const [index, target] of shape.primitive.listTargets().entries()) {
    const weight = weights[index] ?? 0;
    const accessor = target.getAttribute(semantic);
    if (weight === 0 || !accessor || accessor.getElementSize() !== 3) continue;
    const offsets = readFloats(accessor);
    const count = Math.min(shape.vertexCount, Math.floor(offsets.length / 3));
    for (let vertex = 0; vertex < count; vertex++)
      for (let axis = 0; axis < 3; axis++) values[vertex * base.size + axis] += weight * offsets[vertex * 3 + axis];
  }
  return values;
}
