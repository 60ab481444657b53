/**
 * Which program and which target of one capture is which of the other. Their numbers are the capture's own and shift when
 * something is made earlier: programs are known by their sources, what has none by what is done with it.
 */
import type { NodeReport, ProgramKeys } from '../../model/report.ts';
import type { Interner } from './interner.ts';
import { alignByLevels, type Gap, type Level, pairAnywhere } from './match-levels.ts';
import type { Pair } from './match-sequence.ts';
import type { Side } from './match-side.ts';

/** Numbers that are equal where both sides mean the same. */
export interface SideIdentities {
  /** By id. */
  readonly programs: ReadonlyMap<number, number>;
  /** By what reports call them; what is not here is the same on both sides. */
  readonly targets: ReadonlyMap<string, number>;
  /** Of every target, by what reports call it: what kind of object it is (`framebuffer 3` without its number). */
  readonly classes: ReadonlyMap<string, number>;
}

export interface Identities {
  readonly base: SideIdentities;
  readonly next: SideIdentities;
}

interface Used<Id> {
  readonly id: Id;
  /** What is done with it and below which parents, in order: an interned list. */
  full: number;
  /** The same without parents. */
  readonly bare: number[];
  /** Parents and kinds alone, an interned list without repetitions. */
  places: number;
  lastPlace: number;
}

/** An object that a leaf uses and what for; null when the leaf uses none. */
type Describe<Id> = (node: NodeReport) => { readonly id: Id; readonly what: number } | null;

/** The objects that a side's leaves use, in order of first use. */
function usedBy<Id>({ nodes, paths }: Side, intern: Interner, describe: Describe<Id>): Used<Id>[] {
  const used = new Map<Id, Used<Id>>();
  for (const [index, node] of nodes.entries()) {
    const described = node.isLeaf ? describe(node) : null;
    if (!described) continue;
    let entry = used.get(described.id);
    if (!entry) {
      entry = { id: described.id, full: 0, bare: [], places: 0, lastPlace: -1 };
      used.set(described.id, entry);
    }
    const place = intern.pair(paths[index], intern.text(node.kind));
    entry.full = intern.pair(entry.full, intern.pair(place, described.what));
    entry.bare.push(described.what);
    if (place !== entry.lastPlace) entry.places = intern.pair(entry.places, place);
    entry.lastPlace = place;
  }
  return [...used.values()];
}

/** What tells objects apart, by object. */
interface Signatures {
  /** All that is done with it, in order. */
  readonly full: Int32Array;
  /** The same in any order, wherever it is done. */
  readonly bare: Int32Array;
  readonly places: Int32Array;
  readonly idAndPlaces: Int32Array;
  readonly id: Int32Array;
}

function signatures<Id extends string | number>(used: readonly Used<Id>[], intern: Interner): Signatures {
  const column = (number: (used: Used<Id>) => number): Int32Array => Int32Array.from(used.map(number));
  const id = column((one) => intern.text(String(one.id)));
  const places = column((one) => one.places);
  return {
    full: column(({ full }) => full),
    bare: column(({ bare }) => intern.list(bare.length > 1 ? bare.toSorted((one, other) => one - other) : bare)),
    places,
    idAndPlaces: id.map((number, at) => intern.pair(number, places[at])),
    id,
  };
}

/** What objects may be known by when what is done with them changed. */
interface Weak {
  /** By their numbers: nothing says that these were given anew. */
  readonly id: boolean;
  /** By when and below which parents they are first used. */
  readonly place: boolean;
}

/** Numbers for the objects that `describe` finds in the leaves of both sides. */
function identify<Id extends string | number>(
  base: Side,
  next: Side,
  intern: Interner,
  describe: readonly [Describe<Id>, Describe<Id>],
  weak: Weak,
): { readonly base: Map<Id, number>; readonly next: Map<Id, number> } {
  const [ours, theirs] = [usedBy(base, intern, describe[0]), usedBy(next, intern, describe[1])];
  const [oursBy, theirsBy] = [signatures(ours, intern), signatures(theirs, intern)];
  const level = (kind: keyof Signatures): Level => ({ base: oursBy[kind], next: theirsBy[kind] });
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  const take = (pairs: readonly Pair[]): void => {
    for (const [one, other] of pairs) {
      partner.set(one, other);
      taken.add(other);
    }
  };
  let gaps: readonly Gap[] = [{ base: [...ours.keys()], next: [...theirs.keys()] }];
  const inOrder = (by: readonly Level[]): void => {
    const aligned = alignByLevels(gaps, by);
    take(aligned.pairs);
    gaps = aligned.gaps;
  };
  const anywhere = (level: Level): void => {
    const left = [gaps.flatMap((gap) => gap.base), gaps.flatMap((gap) => gap.next)];
    take(pairAnywhere(left[0], left[1], level, false));
    gaps = gaps.map((gap) => ({
      base: gap.base.filter((at) => !partner.has(at)),
      next: gap.next.filter((at) => !taken.has(at)),
    }));
  };
  inOrder([level('full'), level('bare')]);
  anywhere(level('full'));
  anywhere(level('bare'));
  inOrder([...(weak.id ? [level('idAndPlaces')] : []), ...(weak.place ? [level('places')] : [])]);
  if (weak.id) anywhere(level('id'));
  const numbers = { base: new Map<Id, number>(), next: new Map<Id, number>() };
  theirs.forEach(({ id }) => {
    numbers.next.set(id, intern.text(`new ${id}`));
  });
  ours.forEach(({ id }, at) => {
    const other = partner.get(at);
    numbers.base.set(id, intern.text(other === undefined ? `base ${id}` : `new ${theirs[other].id}`));
  });
  return numbers;
}

function classesOf({ nodes }: Side, intern: Interner): ReadonlyMap<string, number> {
  const targets = new Set(nodes.map(({ target }) => target));
  return new Map([...targets].map((target) => [target, intern.text(target.replace(/ \d+/g, ''))]));
}

/** Key of each program that a side's leaves use. */
function keysOf({ nodes }: Side, keys: ProgramKeys | undefined): ReadonlyMap<number, string> {
  const used = new Set(nodes.map(({ program }) => program));
  used.delete(0);
  return new Map([...used].flatMap((id) => (keys?.[id] === undefined ? [] : [[id, keys[id]] as const])));
}

/** Numbers for the programs and targets of the leaves. */
export function identities(
  base: Side,
  next: Side,
  intern: Interner,
  keys: { readonly base: ProgramKeys; readonly next: ProgramKeys } | undefined,
): Identities {
  const [ours, theirs] = [keysOf(base, keys?.base), keysOf(next, keys?.next)];
  const known = new Set(ours.values());
  const shared = new Set([...theirs.values()].filter((key) => known.has(key)));
  const classes = { base: classesOf(base, intern), next: classesOf(next, intern) };
  const called = ({ kind, name, target }: NodeReport, side: 'base' | 'next'): number =>
    intern.pair(intern.pair(intern.text(kind), intern.text(name)), classes[side].get(target) ?? 0);
  const byUse = (own: ReadonlyMap<number, string>, side: 'base' | 'next'): Describe<number> => {
    return (node) =>
      node.program === 0 || shared.has(own.get(node.program) ?? '')
        ? null
        : { id: node.program, what: called(node, side) };
  };
  // Where sources are known and others, neither number nor place makes them the same.
  const weak = { id: keys === undefined, place: false };
  const programs = identify(base, next, intern, [byUse(ours, 'base'), byUse(theirs, 'next')], weak);
  for (const [id, key] of ours) if (shared.has(key)) programs.base.set(id, intern.text(`key ${key}`));
  for (const [id, key] of theirs) if (shared.has(key)) programs.next.set(id, intern.text(`key ${key}`));
  const byWork = (side: 'base' | 'next'): Describe<string> => {
    const own = programs[side];
    return (node) =>
      /\d/.test(node.target)
        ? { id: node.target, what: intern.pair(own.get(node.program) ?? intern.text(''), called(node, side)) }
        : null;
  };
  const targets = identify(base, next, intern, [byWork('base'), byWork('next')], { id: true, place: true });
  return {
    base: { programs: programs.base, targets: targets.base, classes: classes.base },
    next: { programs: programs.next, targets: targets.next, classes: classes.next },
  };
}
