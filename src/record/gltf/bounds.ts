import { readFloats } from './accessors.ts';
import type { PrimitiveShape } from './geometry.ts';
import { type Mat4, multiply, transformPoint, type Vec3 } from './math.ts';
import { morphAttribute } from './morph.ts';
import type { PosedMesh } from './pose.ts';

/** An axis-aligned box; empty while min is above max. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

export const emptyBox = (): Box => ({ min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] });

export function grow(box: Box, point: ArrayLike<number>): void {
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isFinite(point[axis])) continue;
    box.min[axis] = Math.min(box.min[axis], point[axis]);
    box.max[axis] = Math.max(box.max[axis], point[axis]);
  }
}

const isEmpty = (box: Box): boolean => box.min.some((value, axis) => value > box.max[axis]);

export const centerOf = (box: Box): Vec3 =>
  isEmpty(box) ? [0, 0, 0] : (box.min.map((value, axis) => (value + box.max[axis]) / 2) as Vec3);

/** Half the diagonal; 1 for a box that holds nothing or one point. */
export function radiusOf(box: Box): number {
  const radius = isEmpty(box) ? 0 : Math.hypot(...box.min.map((value, axis) => box.max[axis] - value)) / 2;
  return radius > 0 && Number.isFinite(radius) ? radius : 1;
}

/** The eight corners; eight times the origin when the box is empty. */
export function cornersOf(box: Box): Vec3[] {
  const { min, max } = isEmpty(box) ? { min: [0, 0, 0], max: [0, 0, 0] } : box;
  return Array.from({ length: 8 }, (_, corner) => [
    corner & 1 ? max[0] : min[0],
    corner & 2 ? max[1] : min[1],
    corner & 4 ? max[2] : min[2],
  ]);
}

function growBySkin(box: Box, shape: PrimitiveShape, positions: Float32Array, joints: readonly Mat4[]): boolean {
  const indices = shape.attributes.get('JOINTS_0')?.accessor.getArray();
  const weights = shape.attributes.get('WEIGHTS_0');
  if (!indices || !weights) return false;
  const values = readFloats(weights.accessor);
  for (let vertex = 0; vertex < shape.vertexCount; vertex++) {
    const point: Vec3 = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const weight = values[vertex * 4 + k];
      const joint = joints[Math.min(indices[vertex * 4 + k], joints.length - 1)];
      if (!weight || !joint) continue;
      const at = transformPoint(joint, positions[vertex * 3], positions[vertex * 3 + 1], positions[vertex * 3 + 2]);
      for (let axis = 0; axis < 3; axis++) point[axis] += weight * at[axis];
    }
    grow(box, point);
  }
  return true;
}

/** Adds where a primitive stands in the world, morphed, skinned and instanced. */
export function growByPrimitive(box: Box, posed: PosedMesh, shape: PrimitiveShape): void {
  const positions = morphAttribute(shape, 'POSITION', posed.weights);
  if (!positions) return;
  if (posed.joints && growBySkin(box, shape, positions, posed.joints)) return;
  const local = emptyBox();
  for (let at = 0; at + 3 <= positions.length; at += 3) grow(local, positions.subarray(at, at + 3));
  if (isEmpty(local)) return;
  const corners = cornersOf(local);
  for (const instance of posed.instances ?? [undefined]) {
    const matrix = instance ? multiply(posed.world, instance) : posed.world;
    for (const corner of corners) grow(box, transformPoint(matrix, ...corner));
  }
}
