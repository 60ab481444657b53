/** Which rows a tree shows: pure, so that thousands of events cost nothing but this. */
import type { HtmlColumn, HtmlTree } from '../data.ts';

export interface TreeRow {
  readonly index: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** Its place among its parent's children that are shown, from 1, and how many they are. */
  readonly place: number;
  readonly siblings: number;
}

export interface Family {
  /** By index: the index of each node's parent, -1 for the frame's, and the children. */
  readonly parents: readonly number[];
  readonly children: readonly (readonly number[])[];
}

export interface Order {
  readonly column: HtmlColumn;
  readonly isFalling: boolean;
}

export function familyOf(depths: readonly number[]): Family {
  const parents: number[] = [];
  const children: number[][] = depths.map(() => []);
  const path: number[] = [];
  for (const [index, depth] of depths.entries()) {
    path.length = depth;
    const parent = path[depth - 1] ?? -1;
    parents.push(parent);
    children[parent]?.push(index);
    path[depth] = index;
  }
  return { parents, children };
}

/** What a search looks through, by node: the event's number and every column of text. */
export function searchTexts({ depths, columns }: HtmlTree): string[] {
  const searched = columns.filter(({ key, type }) => type === 'text' || key === 'eventId');
  return depths.map((_, index) =>
    searched
      .map(({ texts }) => texts?.[index] ?? '')
      .join(' ')
      .toLowerCase(),
  );
}

/** By the column; what has no value comes last, and equals stay as submitted. */
function comparison({ column: { values, texts }, isFalling }: Order): (a: number, b: number) => number {
  const sign = isFalling ? -1 : 1;
  if (!values) return (a, b) => sign * (texts?.[a] ?? '').localeCompare(texts?.[b] ?? '') || a - b;
  return (a, b) => {
    const [left, right] = [values[a], values[b]];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
    return sign * (left - right) || a - b;
  };
}

/**
 * The rows in order, siblings among themselves. Of `matches`, where there is a search, all that they stand in is shown, and
 * open.
 */
export function treeRows(
  { parents, children }: Family,
  closed: ReadonlySet<number>,
  matches: readonly number[] | null,
  order: Order | null,
): TreeRow[] {
  const wanted = new Set<number>();
  for (const index of matches ?? []) for (let at = index; at >= 0 && !wanted.has(at); at = parents[at]) wanted.add(at);
  const compare = order && comparison(order);
  const rows: TreeRow[] = [];
  const row = (index: number, place: number, siblings: number): TreeRow => {
    const hasChildren = children[index].length > 0;
    return { index, hasChildren, isOpen: hasChildren && (matches !== null || !closed.has(index)), place, siblings };
  };
  const stack = parents.length > 0 && (matches === null || wanted.has(0)) ? [row(0, 1, 1)] : [];
  for (let next = stack.pop(); next; next = stack.pop()) {
    rows.push(next);
    if (!next.isOpen) continue;
    const below = matches === null ? [...children[next.index]] : children[next.index].filter((at) => wanted.has(at));
    if (compare) below.sort(compare);
    for (let at = below.length - 1; at >= 0; at--) stack.push(row(below[at], at + 1, below.length));
  }
  return rows;
}
