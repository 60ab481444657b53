import type { EventTree } from '../model/event-tree.ts';

/**
 * Joins the leaves' values up the tree: a parent has what `join` makes of the values below it, later ones first, and
 * null when there is none. `leafValues` has one entry a leaf, in the tree's order.
 */
export function foldUp<T>(
  tree: EventTree,
  leafValues: ArrayLike<T | null>,
  join: (later: T, earlier: T) => T,
): (T | null)[] {
  const values: (T | null)[] = tree.nodes.map(() => null);
  tree.leaves.forEach((node, leaf) => {
    values[node] = leafValues[leaf];
  });
  // Nodes stand depth first, so every child comes after its parent.
  for (let node = tree.nodes.length - 1; node > 0; node--) {
    const { parent } = tree.nodes[node];
    const value = values[node];
    const later = values[parent];
    if (value !== null) values[parent] = later === null ? value : join(later, value);
  }
  return values;
}

/** For each node what is said of the first of its leaves of which something is said. */
export const firstSaid = (tree: EventTree, said: ArrayLike<string | null>): (string | null)[] =>
  foldUp(tree, said, (_, earlier) => earlier);
