/** Groups that were renamed or moved, and changed at once: the same when they share most of what is in them. */
import { getOrAdd } from '../../model/get-or-add.ts';
import type { Gap, Level } from './match-levels.ts';
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

/** Two groups by their place in the lists that were asked about. */
interface Candidate {
  readonly one: number;
  readonly other: number;
  /** How many leaves they share. */
  readonly common: number;
  /** Part of both groups' leaves together, 0 to 1. */
  readonly alike: number;
}

/** Finds groups of two sides that share leaves; what is inside a group is read once. */
export class Alike {
  readonly #base: Side;
  readonly #next: Side;
  readonly #keys: Level;
  readonly #read = { base: new Map<number, Inside>(), next: new Map<number, Inside>() };

  /** `keys` tell leaves apart. */
  constructor(base: Side, next: Side, keys: Level) {
    this.#base = base;
    this.#next = next;
    this.#keys = keys;
  }

  /** Pairs groups of a gap in order, the likest first. A group around (or inside) one of the other's name is another. */
  inOrder(gap: Gap): Pair[] {
    const [base, next] = this.#groups(gap);
    const isOther = (one: number, other: number): boolean =>
      this.#inside('base', one).names.has(this.#next.names[other]) ||
      this.#inside('next', other).names.has(this.#base.names[one]);
    const candidates = this.#candidates(base, next).filter(({ one, other }) => !isOther(base[one], next[other]));
    candidates.sort((a, b) => b.alike - a.alike || a.one - b.one || a.other - b.other);
    const taken: Candidate[] = [];
    for (const candidate of candidates)
      if (taken.every(({ one, other }) => (one - candidate.one) * (other - candidate.other) > 0)) taken.push(candidate);
    return taken.map(({ one, other }) => [base[one], next[other]]);
  }

  /** Pairs of groups of one name wherever they stand, those that share most first; a group may be in several. */
  anywhere(gaps: readonly Gap[]): Pair[] {
    const found = gaps.flatMap((gap) => {
      const [base, next] = this.#groups(gap);
      return this.#candidates(base, next).map((each) => ({ ...each, one: base[each.one], other: next[each.other] }));
    });
    found.sort((a, b) => b.common - a.common || b.alike - a.alike || a.one - b.one || a.other - b.other);
    return found.map(({ one, other }) => [one, other]);
  }

  #groups({ base, next }: Gap): readonly [readonly number[], readonly number[]] {
    if (base.length === 0 || next.length === 0) return [[], []];
    return [
      base.filter((item) => !this.#base.nodes[item].isLeaf).slice(0, mostGroups),
      next.filter((item) => !this.#next.nodes[item].isLeaf).slice(0, mostGroups),
    ];
  }

  #inside(side: 'base' | 'next', group: number): Inside {
    return getOrAdd(this.#read[side], group, () =>
      insideOf(side === 'base' ? this.#base : this.#next, this.#keys[side], group),
    );
  }

  #candidates(base: readonly number[], next: readonly number[]): Candidate[] {
    return base.flatMap((ours, one) =>
      next.flatMap((theirs, other): Candidate[] => {
        const [from, to] = [this.#inside('base', ours), this.#inside('next', theirs)];
        let common = 0;
        for (const [key, count] of from.counts) common += Math.min(count, to.counts.get(key) ?? 0);
        const alike = common === 0 ? 0 : (2 * common) / (from.leaves + to.leaves);
        return alike >= leastAlike ? [{ one, other, common, alike }] : [];
      }),
    );
  }
}
