import type { MatchedRow } from './match-events.ts';
import type { TreeMatch } from './match-tree.ts';

interface Place {
  /** Node of each side; -1 where it is not there. */
  readonly base: number;
  readonly next: number;
  readonly parent: number;
  readonly depth: number;
}

/** Children of a row in order: `next`'s, and what is gone behind the sibling that it stood behind. */
function childrenOf({ base, next, moved }: TreeMatch, place: Place): Pick<Place, 'base' | 'next'>[] {
  const kept = place.next < 0 ? [] : next.children[place.next];
  /** By the child of `next` that they stand behind; -1 at the start. */
  const gone = new Map<number, number[]>();
  let anchor = -1;
  for (const child of place.base < 0 ? [] : base.children[place.base]) {
    const partner = base.partners[child];
    if (partner < 0) {
      const behind = gone.get(anchor);
      if (behind) behind.push(child);
      else gone.set(anchor, [child]);
    } else if (next.parents[partner] === place.next && !moved.has(partner)) anchor = partner;
  }
  const children: Pick<Place, 'base' | 'next'>[] = [];
  const addGone = (behind: number): void => {
    for (const index of gone.get(behind) ?? []) children.push({ base: index, next: -1 });
  };
  if (gone.size > 0) addGone(-1);
  for (const child of kept) {
    children.push({ base: next.partners[child], next: child });
    if (gone.size > 0) addGone(child);
  }
  return children;
}

/** The rows of two matched trees. */
export function rowsOf(tree: TreeMatch): MatchedRow[] {
  const rows: MatchedRow[] = [];
  const open: Place[] = [{ base: 0, next: 0, parent: -1, depth: 0 }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { base, next, parent, depth } = place;
    const match = base < 0 ? 'new' : next < 0 ? 'gone' : tree.moved.has(next) ? 'moved' : 'matched';
    rows.push({ match, base, next, parent, depth });
    const row = rows.length - 1;
    const children = childrenOf(tree, place);
    for (let at = children.length - 1; at >= 0; at--) {
      const { base, next } = children[at];
      open.push({ base, next, parent: row, depth: depth + 1 });
    }
  }
  return rows;
}
