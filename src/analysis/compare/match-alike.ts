/** Groups that were renamed and changed at once: the same when they share most of what is in them. */
import type { Gap } from './match-levels.ts';
import type { Pair } from './match-sequence.ts';
import type { Side } from './match-side.ts';

/** Part of both groups' leaves together that must be common. */
const leastAlike = 0.5;
/** Groups of a gap that are held against each other, on either side. */
const mostGroups = 8;

/** Leaves by key, and names of the groups inside. */
interface Inside {
  readonly counts: ReadonlyMap<number, number>;
  readonly leaves: number;
  readonly names: ReadonlySet<number>;
}

function insideOf(side: Side, keys: Int32Array, group: number): Inside {
  const counts = new Map<number, number>();
  const names = new Set<number>();
  let leaves = 0;
  const open = [...side.children[group]];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...side.children[node]);
    if (!side.nodes[node].isLeaf) names.add(side.names[node]);
    else {
      leaves++;
      counts.set(keys[node], (counts.get(keys[node]) ?? 0) + 1);
    }
  }
  return { counts, leaves, names };
}

function likeness(one: Inside, other: Inside): number {
  let common = 0;
  for (const [key, count] of one.counts) common += Math.min(count, other.counts.get(key) ?? 0);
  return one.leaves + other.leaves === 0 ? 0 : (2 * common) / (one.leaves + other.leaves);
}

/** Pairs groups of a gap in order, the likest first. A group around (or inside) one of the other's name is another. */
export function pairAlike(gap: Gap, base: Side, next: Side, keys: { base: Int32Array; next: Int32Array }): Pair[] {
  const groupsOf = (side: Side, items: readonly number[], sideKeys: Int32Array) =>
    items
      .filter((item) => !side.nodes[item].isLeaf)
      .slice(0, mostGroups)
      .map((item) => ({ item, name: side.names[item], inside: null as Inside | null, side, sideKeys }));
  const ours = groupsOf(base, gap.base, keys.base);
  const theirs = groupsOf(next, gap.next, keys.next);
  const read = (group: (typeof ours)[number]): Inside => {
    group.inside ??= insideOf(group.side, group.sideKeys, group.item);
    return group.inside;
  };
  const candidates = ours.flatMap((one, oneAt) =>
    theirs.flatMap((other, otherAt) => {
      if (read(one).names.has(other.name) || read(other).names.has(one.name)) return [];
      const alike = likeness(read(one), read(other));
      return alike >= leastAlike ? [{ oneAt, otherAt, alike }] : [];
    }),
  );
  candidates.sort((a, b) => b.alike - a.alike || a.oneAt - b.oneAt || a.otherAt - b.otherAt);
  const taken: Pair[] = [];
  for (const { oneAt, otherAt } of candidates)
    if (taken.every(([one, other]) => (one - oneAt) * (other - otherAt) > 0)) taken.push([oneAt, otherAt]);
  return taken.map(([one, other]) => [ours[one].item, theirs[other].item]);
}
