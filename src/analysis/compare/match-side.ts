import type { NodeReport } from '../../model/report.ts';
import type { Interner } from './interner.ts';

/** A measured frame as a tree, with the partners found so far. Everything is by node. */
export interface Side {
  readonly nodes: readonly NodeReport[];
  /** -1 for the frame. */
  readonly parents: Int32Array;
  readonly children: readonly (readonly number[])[];
  /** Nodes in it, itself included. */
  readonly sizes: Int32Array;
  /** Of its {@link plainName}. */
  readonly names: Int32Array;
  /** Of its parents' names from below the frame down. */
  readonly paths: Int32Array;
  /** Its partner on the other side, -1 without. */
  readonly partners: Int32Array;
}

/** A name without what is only counted: passes are numbered through the frame, and named after targets. */
function plainName({ kind, name }: NodeReport): string {
  return kind === 'pass' ? name.replace(/#\d+/, '#').replace(/([a-z]) \d+/g, '$1') : name;
}

/** `nodes` are depth first, the frame first; a node's parent is the last one before it that is less deep. */
export function sideOf(nodes: readonly NodeReport[], intern: Interner): Side {
  const parents = new Int32Array(nodes.length).fill(-1);
  const children: number[][] = nodes.map(() => []);
  const names = new Int32Array(nodes.length);
  /** Of paths down to the node itself. */
  const full = new Int32Array(nodes.length);
  const paths = new Int32Array(nodes.length);
  const open: number[] = [];
  for (const [index, node] of nodes.entries()) {
    while (open.length > 0 && nodes[open[open.length - 1]].depth >= node.depth) open.pop();
    // Whatever else claims to be a frame stands below the first.
    const parent = index === 0 ? -1 : (open.at(-1) ?? 0);
    parents[index] = parent;
    names[index] = intern.text(plainName(node));
    paths[index] = parent < 0 ? intern.text('') : full[parent];
    full[index] = parent < 0 ? intern.text('') : intern.pair(paths[index], names[index]);
    if (parent >= 0) children[parent].push(index);
    open.push(index);
  }
  const sizes = new Int32Array(nodes.length).fill(1);
  for (let index = nodes.length - 1; index > 0; index--) sizes[parents[index]] += sizes[index];
  return { nodes, parents, children, sizes, names, paths, partners: new Int32Array(nodes.length).fill(-1) };
}
