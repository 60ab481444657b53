/** Finds partners: children of partners in order and at their place first, then what moved. */
import { getOrAdd } from '../../model/get-or-add.ts';
import { Alike } from './match-alike.ts';
import { cheaper } from './match-cheaper.ts';
import type { CountLevels } from './match-counts.ts';
import type { MatchKeys } from './match-keys.ts';
import { type Aligned, alignByLevels, type Gap, type Level, pairAnywhere } from './match-levels.ts';
import type { Pair } from './match-sequence.ts';
import type { Side } from './match-side.ts';

export class TreeMatch {
  readonly base: Side;
  readonly next: Side;
  /** Nodes of `next` that stand elsewhere than their partner does. */
  readonly moved = new Set<number>();
  readonly #keys: MatchKeys;
  readonly #counts: CountLevels | null;
  readonly #alike: Alike;

  /** Both sides have at least a frame. `counts` tell events apart that look the same. */
  constructor(base: Side, next: Side, keys: MatchKeys, counts: CountLevels | null) {
    this.base = base;
    this.next = next;
    this.#keys = keys;
    this.#counts = counts;
    this.#alike = new Alike(base, next, keys.loose);
    this.#pair([0, 0], false);
    this.#moveGroups();
    this.#moveLeaves();
  }

  /** Pairs two nodes and whatever in them is the same. */
  #pair(first: Pair, isMoved: boolean): void {
    const open: { readonly pair: Pair; readonly isMoved: boolean }[] = [{ pair: first, isMoved }];
    for (let entry = open.pop(); entry; entry = open.pop()) {
      const [base, next] = entry.pair;
      if (this.base.partners[base] >= 0 || this.next.partners[next] >= 0) continue;
      this.base.partners[base] = next;
      this.next.partners[next] = base;
      if (entry.isMoved) this.moved.add(next);
      const { inPlace, moved } = this.#alignChildren(base, next);
      for (const pair of inPlace) open.push({ pair, isMoved: false });
      for (const pair of moved) open.push({ pair, isMoved: true });
    }
  }

  #alignChildren(base: number, next: number): { inPlace: readonly Pair[]; moved: readonly Pair[] } {
    const { loose, named, weak } = this.#keys;
    const free = {
      base: this.base.children[base].filter((child) => this.base.partners[child] < 0),
      next: this.next.children[next].filter((child) => this.next.partners[child] < 0),
    };
    if (free.base.length === 0 || free.next.length === 0) return { inPlace: [], moved: [] };
    const sure = this.#alignEqual(free);
    // Two that have their like elsewhere among their siblings changed places; neither became the other.
    const ours = new Set(sure.gaps.flatMap((gap) => gap.base.map((child) => loose.base[child])));
    const theirs = new Set(sure.gaps.flatMap((gap) => gap.next.map((child) => loose.next[child])));
    const likely = alignByLevels(
      sure.gaps,
      [named, ...weak],
      (one, other) => !(theirs.has(loose.base[one]) && ours.has(loose.next[other])),
    );
    const alike = likely.gaps.flatMap((gap) => this.#alike.inOrder(gap));
    const inPlace = [...sure.pairs, ...likely.pairs, ...alike];
    const left = {
      base: new Set(likely.gaps.flatMap((gap) => gap.base)),
      next: new Set(likely.gaps.flatMap((gap) => gap.next)),
    };
    const forget = (pairs: readonly Pair[]): void => {
      for (const [one, other] of pairs) {
        left.base.delete(one);
        left.next.delete(other);
      }
    };
    forget(alike);
    const moved: Pair[] = [];
    for (const [level, uniqueOnly] of [
      ...this.#equal().map((each) => [each, false] as const),
      [named, true] as const,
    ]) {
      const found = pairAnywhere([...left.base], [...left.next], level, uniqueOnly);
      moved.push(...found);
      forget(found);
    }
    return { inPlace, moved };
  }

  /** What is equal, in order; which of several that look the same, by what they count. */
  #alignEqual(free: Gap): Aligned {
    const { sibling, strict, loose } = this.#keys;
    const byOrder = alignByLevels([free], [sibling, strict, loose]);
    if (!this.#counts) return byOrder;
    const { exact, drawn, shape } = this.#counts;
    const isSame = byOrder.pairs.every(([base, next]) => exact.base[base] === exact.next[next]);
    if (isSame && byOrder.gaps.length === 0) return byOrder;
    const byCounts = alignByLevels([free], [exact, drawn, shape, sibling, strict, loose]);
    return cheaper(free, byOrder, byCounts, this.#counts);
  }

  /** What makes two the same wherever they stand, from strict to weak. */
  #equal(): readonly Level[] {
    if (!this.#counts) return [this.#keys.strict, this.#keys.loose];
    const { exact, drawn, shape, only } = this.#counts;
    return [exact, drawn, shape, only];
  }

  /** Nodes without partners, in the order of the tree. */
  #free(side: Side, isLeaf: boolean): number[] {
    const free: number[] = [];
    side.partners.forEach((partner, index) => {
      if (partner < 0 && side.nodes[index].isLeaf === isLeaf) free.push(index);
    });
    return free;
  }

  #move(level: Level, isLeaf: boolean, uniqueOnly: boolean): void {
    const { sizes } = this.next;
    for (;;) {
      const found = pairAnywhere(this.#free(this.base, isLeaf), this.#free(this.next, isLeaf), level, uniqueOnly);
      if (found.length === 0) return;
      // Large ones first: they take with them what is inside, whatever it was paired with here.
      const ordered = [...found].sort((one, other) => sizes[other[1]] - sizes[one[1]] || one[1] - other[1]);
      for (const pair of ordered) this.#pair(pair, true);
    }
  }

  #moveGroups(): void {
    const { named, content } = this.#keys;
    // A name that only one has on either side first: else what is inside a changed group would move by itself.
    this.#move(named, false, true);
    const names = new Map<number, { readonly base: number[]; readonly next: number[] }>();
    for (const side of ['base', 'next'] as const)
      for (const group of this.#free(this[side], false))
        getOrAdd(names, named[side][group], () => ({ base: [], next: [] }))[side].push(group);
    for (const pair of this.#alike.anywhere([...names.values()])) this.#pair(pair, true);
    for (const level of this.#equal()) this.#move(level, false, false);
    this.#move(content, false, true);
  }

  #moveLeaves(): void {
    const { named, work } = this.#keys;
    for (const level of this.#equal()) this.#move(level, true, false);
    this.#move(named, true, true);
    this.#move(work, true, true);
  }
}
