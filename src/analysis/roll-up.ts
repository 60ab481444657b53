import type { EventTree } from '../model/event-tree.ts';

/** One quantity of one run for every node of a tree. */
export interface RolledUp {
  /** NaN where it is not known. */
  readonly values: Float64Array;
  /** How many leaves below (or at) each node have no value. */
  readonly missing: Uint32Array;
}

/**
 * Sums a quantity of the leaves up the tree: a parent has the sum of the leaves below it that are known, and NaN when
 * none is. `leafValues` has one entry a leaf, in the tree's order; what is not finite is not known.
 */
export function rollUp({ nodes, leaves }: EventTree, leafValues: ArrayLike<number>): RolledUp {
  const values = new Float64Array(nodes.length).fill(Number.NaN);
  const missing = new Uint32Array(nodes.length);
  for (let leaf = 0; leaf < leaves.length; leaf++) {
    const value = leafValues[leaf];
    if (Number.isFinite(value)) values[leaves[leaf]] = value;
    else missing[leaves[leaf]] = 1;
  }
  // Nodes stand depth first, so every child comes after its parent.
  for (let node = nodes.length - 1; node > 0; node--) {
    const { parent } = nodes[node];
    const value = values[node];
    missing[parent] += missing[node];
    if (!Number.isNaN(value)) values[parent] = (values[parent] || 0) + value;
  }
  return { values, missing };
}

/** How many leaves each node has below it, or 1 for a leaf. */
export const countLeaves = (tree: EventTree): Float64Array =>
  rollUp(tree, new Float64Array(tree.leaves.length).fill(1)).values.map((count) => count || 0);
