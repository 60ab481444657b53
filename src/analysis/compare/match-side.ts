import type { NodeReport } from '../../model/report.ts';

/** The same number for the same text, from 0. */
export type Interner = (text: string) => number;

export function interner(): Interner {
  const known = new Map<string, number>();
  return (text) => {
    let number = known.get(text);
    if (number === undefined) {
      number = known.size;
      known.set(text, number);
    }
    return number;
  };
}

/** A measured frame as a tree, with the partners found so far. */
export interface Side {
  readonly nodes: readonly NodeReport[];
  /** By node; -1 for the frame. */
  readonly parents: Int32Array;
  readonly children: readonly (readonly number[])[];
  /** By node: nodes in it, itself included. */
  readonly sizes: Int32Array;
  /** By node, {@link plainName} of it. */
  readonly names: readonly string[];
  /** By node: names of its parents from below the frame down, numbers of passes left out. */
  readonly paths: readonly string[];
  /** By node: its partner on the other side, -1 without. */
  readonly partners: Int32Array;
}

/** A name without what is only counted: passes are numbered through the frame, and named after targets. */
function plainName({ kind, name }: NodeReport): string {
  return kind === 'pass' ? name.replace(/#\d+/, '#').replace(/([a-z]) \d+/g, '$1') : name;
}

/** `nodes` are depth first, the frame first; a node's parent is the last one before it that is less deep. */
export function sideOf(nodes: readonly NodeReport[]): Side {
  const parents = new Int32Array(nodes.length).fill(-1);
  const children: number[][] = nodes.map(() => []);
  const names = nodes.map(plainName);
  const paths: string[] = [];
  const open: number[] = [];
  nodes.forEach(({ depth }, index) => {
    while (open.length > 0 && nodes[open[open.length - 1]].depth >= depth) open.pop();
    // Whatever else claims to be a frame stands below the first.
    const parent = index === 0 ? -1 : (open.at(-1) ?? 0);
    parents[index] = parent;
    if (parent >= 0) children[parent].push(index);
    paths.push(parent <= 0 ? '' : `${paths[parent]}/${names[parent]}`);
    open.push(index);
  });
  const sizes = new Int32Array(nodes.length).fill(1);
  for (let index = nodes.length - 1; index > 0; index--) sizes[parents[index]] += sizes[index];
  return { nodes, parents, children, sizes, names, paths, partners: new Int32Array(nodes.length).fill(-1) };
}
