import type { EventNode, EventTree } from './event-tree.ts';
import { TreeBuilder } from './event-tree-parts.ts';
import type { BracketUnit } from './sample.ts';

/** Groups that hold no other group. */
function innermostGroups({ nodes }: EventTree): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { isLeaf, parent }] of nodes.entries()) {
    if (isLeaf || parent < 0) continue;
    found.add(index);
    found.delete(parent);
  }
  return found;
}

/** Of leaves: their common value, or `otherwise` when they differ. */
function common<T>(leaves: readonly EventNode[], value: (leaf: EventNode) => T, otherwise: T): T {
  const first = value(leaves[0]);
  return leaves.every((leaf) => value(leaf) === first) ? first : otherwise;
}

/**
 * The tree whose leaves are what one bracket encloses:
 * `draw`: actions, the tree as it is. `pass`: made-up passes, and elsewhere runs of actions with the same target under
 * the same parent. `marker`: markers (and made-up passes) without others inside, and runs of the actions beside them.
 * `frame`: the frame. A run of one action stays that action.
 */
export function coarsen(tree: EventTree, per: BracketUnit): EventTree {
  if (per === 'draw') return tree;
  const { nodes } = tree;
  const builder = new TreeBuilder(nodes[0].lastEventId);
  if (per === 'frame') {
    builder.makeLeaf(0, nodes[0].draws, 0, '');
    return builder.finish();
  }
  const innermost = innermostGroups(tree);
  const moved = new Map([[0, 0]]);
  const becomesLeaf = (index: number): boolean =>
    nodes[index].kind === 'pass' || (per === 'marker' && innermost.has(index));
  let run: EventNode[] = [];
  let passes = 0;
  const endRun = (): void => {
    if (run.length === 0) return;
    const [first] = run;
    const last = run[run.length - 1];
    const target = common(run, (leaf) => leaf.target, '');
    const leaf = {
      kind: 'pass' as const,
      name: `Pass #${++passes}${target ? ` (${target})` : ''}`,
      draws: run.reduce((sum, { draws }) => sum + draws, 0),
      program: common(run, (each) => each.program, 0),
      target,
    };
    const parent = moved.get(first.parent) as number;
    builder.addLeaf(parent, first.firstEventId, last.lastEventId, run.length === 1 ? first : leaf);
    if (run.length === 1) passes--;
    run = [];
  };

  for (let index = 1; index < nodes.length; index++) {
    const node = nodes[index];
    if (!moved.has(node.parent)) continue;
    if (node.isLeaf) {
      const [first] = run;
      if (first && (first.parent !== node.parent || (per === 'pass' && first.target !== node.target))) endRun();
      run.push(node);
      continue;
    }
    endRun();
    const copy = builder.add({ ...node, parent: moved.get(node.parent) as number });
    if (!becomesLeaf(index)) moved.set(index, copy);
    else {
      let end = index + 1;
      while (end < nodes.length && nodes[end].depth > node.depth) end++;
      const leaves = nodes.slice(index + 1, end).filter(({ isLeaf }) => isLeaf);
      builder.makeLeaf(
        copy,
        node.draws,
        common(leaves, (leaf) => leaf.program, 0),
        common(leaves, (leaf) => leaf.target, ''),
      );
      index = end - 1;
    }
  }
  endRun();
  return builder.finish();
}
