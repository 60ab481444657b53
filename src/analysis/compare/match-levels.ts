import { alignSequences, noKey, type Pair } from './match-sequence.ts';

/** Keys by item, of both sides; equal ones mean the same. */
export interface Level {
  readonly base: Int32Array;
  readonly next: Int32Array;
}

/** Items between two pairs, still without a partner. */
export interface Gap {
  readonly base: readonly number[];
  readonly next: readonly number[];
}

export interface Aligned {
  readonly pairs: readonly Pair[];
  readonly gaps: readonly Gap[];
}

/** The gaps that pairs leave; `places` of the pairs in the gap's lists, rising. */
export function split({ base, next }: Gap, places: readonly Pair[], gaps: Gap[]): void {
  let [baseAt, nextAt] = [0, 0];
  for (const [basePlace, nextPlace] of [...places, [base.length, next.length]]) {
    if (basePlace > baseAt || nextPlace > nextAt)
      gaps.push({ base: base.slice(baseAt, basePlace), next: next.slice(nextAt, nextPlace) });
    baseAt = basePlace + 1;
    nextAt = nextPlace + 1;
  }
}

/** Pairs items in order by the first level's keys, then within the gaps that leaves by the next level's, and so on. */
export function alignByLevels(
  from: readonly Gap[],
  levels: readonly Level[],
  mayPair: (base: number, next: number) => boolean = () => true,
): Aligned {
  const pairs: Pair[] = [];
  let gaps = from;
  for (const level of levels) {
    const rest: Gap[] = [];
    for (const gap of gaps) {
      const { base, next } = gap;
      const places =
        base.length === 0 || next.length === 0
          ? []
          : alignSequences(
              Int32Array.from(base.map((item) => level.base[item])),
              Int32Array.from(next.map((item) => level.next[item])),
            ).filter(([one, other]) => mayPair(base[one], next[other]));
      for (const [one, other] of places) pairs.push([base[one], next[other]]);
      split(gap, places, rest);
    }
    gaps = rest;
  }
  return { pairs, gaps };
}

/** Pairs items with equal keys wherever they stand, the first with the first; or only those that have one partner each. */
export function pairAnywhere(
  base: readonly number[],
  next: readonly number[],
  level: Level,
  uniqueOnly: boolean,
): readonly Pair[] {
  /** By key, the place of its first item of base that is not paired; -1 when all are. */
  const first = new Map<number, number>();
  /** By place in `base`, that of the next item with the same key; -1 for the last. */
  const following = new Int32Array(base.length).fill(-1);
  for (let at = base.length - 1; at >= 0; at--) {
    const key = level.base[base[at]];
    if (key === noKey) continue;
    following[at] = first.get(key) ?? -1;
    first.set(key, at);
  }
  const found = next.filter((item) => first.has(level.next[item]));
  const counts = new Map<number, number>();
  if (uniqueOnly) for (const item of found) counts.set(level.next[item], (counts.get(level.next[item]) ?? 0) + 1);
  const pairs: Pair[] = [];
  for (const item of found) {
    const key = level.next[item];
    const at = first.get(key) ?? -1;
    if (at < 0 || (uniqueOnly && (following[at] >= 0 || counts.get(key) !== 1))) continue;
    pairs.push([base[at], item]);
    first.set(key, following[at]);
  }
  return pairs;
}
