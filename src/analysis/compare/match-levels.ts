import { alignSequences, type Pair } from './match-sequence.ts';

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

function split({ base, next }: Gap, places: readonly Pair[], gaps: Gap[]): void {
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
  const places = new Map<number, { readonly base: number[]; readonly next: number[] }>();
  const placesOf = (key: number) => {
    let place = places.get(key);
    if (!place) {
      place = { base: [], next: [] };
      places.set(key, place);
    }
    return place;
  };
  for (const item of base) if (level.base[item] >= 0) placesOf(level.base[item]).base.push(item);
  for (const item of next) if (level.next[item] >= 0) placesOf(level.next[item]).next.push(item);
  return [...places.values()].flatMap((place): Pair[] => {
    const both = Math.min(place.base.length, place.next.length);
    if (uniqueOnly && (place.base.length !== 1 || place.next.length !== 1)) return [];
    return Array.from({ length: both }, (_, at) => [place.base[at], place.next[at]]);
  });
}
