/** Which rows the tree shows: pure, so that thousands of events cost nothing but this. */
import type { HtmlNode } from '../data.ts';

export interface TreeRow {
  readonly index: number;
  readonly node: HtmlNode;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

export type SortKey = 'order' | 'duration' | 'name';

/** By index: the index of each node's parent, -1 for the frame's, and the children. */
export function familyOf(nodes: readonly HtmlNode[]): {
  readonly parents: readonly number[];
  readonly children: readonly (readonly number[])[];
} {
  const parents: number[] = [];
  const children: number[][] = nodes.map(() => []);
  const path: number[] = [];
  for (const [index, { depth }] of nodes.entries()) {
    path.length = depth;
    const parent = path[depth - 1] ?? -1;
    parents.push(parent);
    children[parent]?.push(index);
    path[depth] = index;
  }
  return { parents, children };
}

const compare: Readonly<Record<SortKey, (a: HtmlNode, b: HtmlNode) => number>> = {
  order: () => 0,
  duration: (a, b) => (b.durationNs ?? -1) - (a.durationNs ?? -1),
  name: (a, b) => a.name.localeCompare(b.name),
};

/** The rows in order; a search shows what contains the text with all it stands in, and opens that. */
export function treeRows(
  nodes: readonly HtmlNode[],
  { parents, children }: ReturnType<typeof familyOf>,
  closed: ReadonlySet<number>,
  search: string,
  sort: SortKey,
): TreeRow[] {
  const wanted = search.trim().toLowerCase();
  const shown = new Set<number>();
  if (wanted !== '')
    for (const [index, { name, kind, eventId }] of nodes.entries())
      if (`${eventId ?? ''} ${kind} ${name}`.toLowerCase().includes(wanted))
        for (let at = index; at >= 0 && !shown.has(at); at = parents[at]) shown.add(at);
  const rows: TreeRow[] = [];
  const stack = nodes.length > 0 ? [0] : [];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (wanted !== '' && !shown.has(index)) continue;
    const isOpen = wanted !== '' || !closed.has(index);
    rows.push({ index, node: nodes[index], hasChildren: children[index].length > 0, isOpen });
    if (!isOpen) continue;
    const below = [...children[index]];
    if (sort !== 'order') below.sort((a, b) => compare[sort](nodes[a], nodes[b]));
    stack.push(...below.reverse());
  }
  return rows;
}
