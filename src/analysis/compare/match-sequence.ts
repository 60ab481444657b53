/** Aligns two sequences of keys so that as many equal ones as possible stand beside each other, order kept. */

/** Positions of two equal keys. */
export type Pair = readonly [base: number, next: number];

/** Key of what equals nothing. */
export const noKey = -1;

/** Insertions and removals that are searched for the best alignment; the work grows with the square. */
const mostEdits = 512;

interface Walk {
  readonly pairs: readonly Pair[];
  /** Where the search ended; short of the ends when {@link mostEdits} did not suffice. */
  readonly base: number;
  readonly next: number;
}

/** The shortest edit script (Myers 1986), or the part of it that goes furthest with {@link mostEdits}. */
function walk(base: Int32Array, next: Int32Array): Walk {
  /** By number of edits, then by diagonal from -edits up in steps of 2: how far along `base` it gets. */
  const reached: Int32Array[] = [];
  let edits = 0;
  let diagonal = 0;
  search: for (; ; edits++) {
    const row = new Int32Array(edits + 1);
    const above = reached[edits - 1];
    reached.push(row);
    let furthest = -1;
    for (let at = 0; at <= edits; at++) {
      const here = 2 * at - edits;
      let x = 0;
      if (edits > 0) x = at === 0 || (at < edits && above[at - 1] < above[at]) ? above[at] : above[at - 1] + 1;
      while (x < base.length && x - here < next.length && base[x] === next[x - here]) x++;
      row[at] = x;
      if (x > base.length || x - here > next.length) continue;
      if (2 * x - here > furthest) {
        furthest = 2 * x - here;
        diagonal = here;
      }
      if (x === base.length && x - here === next.length) break search;
    }
    if (edits === mostEdits) break;
  }
  const end = reached[edits][(diagonal + edits) / 2];
  const pairs: Pair[] = [];
  let x = end;
  let y = end - diagonal;
  for (let left = edits; left >= 0; left--) {
    const at = (x - y + left) / 2;
    const above = reached[left - 1];
    const isInsertion = left > 0 && (at === 0 || (at < left && above[at - 1] < above[at]));
    const from = left === 0 ? 0 : isInsertion ? above[at] : above[at - 1] + 1;
    while (x > from) pairs.push([--x, --y]);
    if (isInsertion) y--;
    else x--;
  }
  return { pairs: pairs.reverse(), base: end, next: end - diagonal };
}

/** Keys that stand once in each sequence, the longest chain of them that is in order in both (patience). */
function anchors(base: Int32Array, next: Int32Array): Pair[] {
  const places = new Map<number, { base: number; next: number; count: number }>();
  base.forEach((key, at) => {
    const place = places.get(key);
    if (place) place.count = 3;
    else places.set(key, { base: at, next: -1, count: 1 });
  });
  next.forEach((key, at) => {
    const place = places.get(key);
    if (!place) return;
    place.count++;
    place.next = at;
  });
  const unique = [...places.values()].filter(({ count }) => count === 2);
  const tops: number[] = [];
  const before = new Int32Array(unique.length).fill(-1);
  unique.forEach(({ next: value }, index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (unique[tops[middle]].next < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tops[low - 1];
    tops[low] = index;
  });
  const chain: Pair[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index])
    chain.push([unique[index].base, unique[index].next]);
  return chain.reverse();
}

/** Places of the keys that the other sequence has too; no alignment can use the rest. */
function shared(keys: Int32Array, others: Int32Array): Int32Array {
  const known = new Set(others);
  const places: number[] = [];
  keys.forEach((key, at) => {
    if (key !== noKey && known.has(key)) places.push(at);
  });
  return Int32Array.from(places);
}

function alignRange(base: Int32Array, next: Int32Array, baseAt: number, nextAt: number, found: Pair[]): void {
  let start = 0;
  let [baseEnd, nextEnd] = [base.length, next.length];
  const isEqual = (one: number, other: number): boolean => base[one] === next[other] && base[one] !== noKey;
  for (; start < baseEnd && start < nextEnd && isEqual(start, start); start++)
    found.push([baseAt + start, nextAt + start]);
  for (; baseEnd > start && nextEnd > start && isEqual(baseEnd - 1, nextEnd - 1); baseEnd--, nextEnd--)
    found.push([baseAt + baseEnd - 1, nextAt + nextEnd - 1]);
  const baseRest = base.subarray(start, baseEnd);
  const nextRest = next.subarray(start, nextEnd);
  const basePlaces = shared(baseRest, nextRest);
  const nextPlaces = shared(nextRest, baseRest);
  if (basePlaces.length === 0) return;
  const baseKeys = basePlaces.map((at) => baseRest[at]);
  const nextKeys = nextPlaces.map((at) => nextRest[at]);
  const take = ([one, other]: Pair): void => {
    found.push([baseAt + start + basePlaces[one], nextAt + start + nextPlaces[other]]);
  };
  /** Aligns what stands between two places, by those that {@link shared} left. */
  const between = (from: Pair, to: Pair): void => {
    const inner: Pair[] = [];
    alignRange(baseKeys.subarray(from[0], to[0]), nextKeys.subarray(from[1], to[1]), from[0], from[1], inner);
    inner.forEach(take);
  };
  const end: Pair = [baseKeys.length, nextKeys.length];
  const path = walk(baseKeys, nextKeys);
  if (path.base === end[0] && path.next === end[1]) {
    path.pairs.forEach(take);
    return;
  }
  const chain = anchors(baseKeys, nextKeys);
  if (chain.length === 0) {
    path.pairs.forEach(take);
    between([path.base, path.next], end);
    return;
  }
  let from: Pair = [0, 0];
  for (const anchor of chain) {
    between(from, anchor);
    take(anchor);
    from = [anchor[0] + 1, anchor[1] + 1];
  }
  between(from, end);
}

/**
 * Pairs of equal keys in rising order on both sides: as many as there can be, unless that takes more than some hundred
 * edits: then keys that are unique on both sides are paired first, and elsewhere as many as one look ahead finds.
 * {@link noKey} is never paired.
 */
export function alignSequences(base: Int32Array, next: Int32Array): Pair[] {
  const found: Pair[] = [];
  alignRange(base, next, 0, 0, found);
  return found.sort((one, other) => one[0] - other[0]);
}
