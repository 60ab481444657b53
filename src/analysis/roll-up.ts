import type { EventTree } from '../model/event-tree.ts';

/** One quantity of one run for every node of a tree; null where it is not known. */
export interface RolledUp {
  readonly values: (number | null)[];
  /** How many leaves below (or at) each node have no value. */
  readonly missing: number[];
}

/**
 * Sums a quantity of the leaves up the tree: a parent has the sum of the leaves below it that are known, and null when
 * none is. `leafValues` has one entry a leaf, in the tree's order.
 */
export function rollUp(tree: EventTree, leafValues: ArrayLike<number | null>): RolledUp {
  const values: (number | null)[] = tree.nodes.map(() => null);
  const missing: number[] = tree.nodes.map(() => 0);
  tree.leaves.forEach((node, leaf) => {
    const value = leafValues[leaf];
    if (value === null || !Number.isFinite(value)) missing[node] = 1;
    else values[node] = value;
  });
  // Nodes stand depth first, so every child comes after its parent.
  for (let node = tree.nodes.length - 1; node > 0; node--) {
    const { parent } = tree.nodes[node];
    const value = values[node];
    missing[parent] += missing[node];
    if (value !== null) values[parent] = (values[parent] ?? 0) + value;
  }
  return { values, missing };
}

/** How many leaves each node has below it, or 1 for a leaf. */
export function countLeaves(tree: EventTree): number[] {
  return rollUp(tree, new Float64Array(tree.leaves.length).fill(1)).values.map((count) => count ?? 0);
}
