/**
 * Which program and which target of one capture is which of the other. Their numbers are the capture's own and shift when
 * something is made earlier: programs are known by their sources, what has none by what is done with it.
 */
import type { NodeReport, ProgramKeys } from '../../model/report.ts';
import { alignByLevels, type Gap, type Level, pairAnywhere } from './match-levels.ts';
import type { Pair } from './match-sequence.ts';
import type { Interner, Side } from './match-side.ts';

/** Names that are equal where both sides mean the same. */
export interface Identities {
  readonly base: ReadonlyMap<string, string>;
  readonly next: ReadonlyMap<string, string>;
}

interface Used {
  readonly id: string;
  /** What is done with it and below which parents, in order; the same without parents; parents and kinds alone. */
  readonly uses: readonly [full: string[], bare: string[], places: Set<string>];
}

type Describe = (node: NodeReport, path: string) => { readonly id: string; readonly what: string } | null;

/** The objects that a side's leaves use, in order of first use. */
function usedBy({ nodes, paths }: Side, describe: Describe): Used[] {
  const used = new Map<string, Used>();
  for (const [index, node] of nodes.entries()) {
    const described = node.isLeaf ? describe(node, paths[index]) : null;
    if (!described) continue;
    let entry = used.get(described.id);
    if (!entry) {
      entry = { id: described.id, uses: [[], [], new Set()] };
      used.set(described.id, entry);
    }
    const [full, bare, places] = entry.uses;
    full.push(`${paths[index]}\n${described.what}`);
    bare.push(described.what);
    places.add(`${paths[index]}\n${node.kind}`);
  }
  return [...used.values()];
}

/** What tells objects apart, the surest first. */
interface Signatures {
  readonly inOrder: readonly [Int32Array, Int32Array];
  /** Where nothing better is found: with the number that it had, and without. */
  readonly inGaps: readonly [Int32Array, Int32Array];
  readonly id: Int32Array;
}

function signatures(used: readonly Used[], intern: Interner): Signatures {
  const column = (text: (used: Used) => string): Int32Array => Int32Array.from(used, (one) => intern(text(one)));
  const places = column(({ uses }) => `places ${[...uses[2]].join('\n')}`);
  return {
    inOrder: [
      column(({ uses }) => `full ${uses[0].join('\n')}`),
      column(({ uses }) => `bare ${uses[1].toSorted().join('\n')}`),
    ],
    inGaps: [column(({ id, uses }) => `same ${id}\n${[...uses[2]].join('\n')}`), places],
    id: column(({ id }) => `id ${id}`),
  };
}

/** Pairs the objects that `describe` finds in the leaves of both sides. */
function identify(base: Side, next: Side, intern: Interner, describe: readonly [Describe, Describe]): Identities {
  const [ours, theirs] = [usedBy(base, describe[0]), usedBy(next, describe[1])];
  const [oursBy, theirsBy] = [signatures(ours, intern), signatures(theirs, intern)];
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  const take = (pairs: readonly Pair[]): void => {
    for (const [one, other] of pairs) {
      partner.set(one, other);
      taken.add(other);
    }
  };
  let gaps: readonly Gap[] = [{ base: [...ours.keys()], next: [...theirs.keys()] }];
  const align = (levels: readonly Level[]): void => {
    const aligned = alignByLevels(gaps, levels);
    take(aligned.pairs);
    gaps = aligned.gaps;
  };
  const pairLeft = (level: Level): void => {
    take(
      pairAnywhere(
        gaps.flatMap((gap) => gap.base),
        gaps.flatMap((gap) => gap.next),
        level,
        false,
      ),
    );
    gaps = gaps.map((gap) => ({
      base: gap.base.filter((at) => !partner.has(at)),
      next: gap.next.filter((at) => !taken.has(at)),
    }));
  };
  const sure = oursBy.inOrder.map((keys, at) => ({ base: keys, next: theirsBy.inOrder[at] }));
  align(sure);
  sure.forEach(pairLeft);
  align(oursBy.inGaps.map((keys, at) => ({ base: keys, next: theirsBy.inGaps[at] })));
  pairLeft({ base: oursBy.id, next: theirsBy.id });
  const names = { base: new Map<string, string>(), next: new Map<string, string>() };
  theirs.forEach(({ id }) => {
    names.next.set(id, `new ${id}`);
  });
  ours.forEach(({ id }, at) => {
    const other = partner.get(at);
    names.base.set(id, other === undefined ? `base ${id}` : `new ${theirs[other].id}`);
  });
  return names;
}

/** What kind of object a target is: `framebuffer 3` without its number. */
export const targetClass = (target: string): string => target.replace(/ \d+/g, '');

/** Programs of the leaves, by id in decimal digits. */
export function identifyPrograms(
  base: Side,
  next: Side,
  intern: Interner,
  programs: { readonly base: ProgramKeys; readonly next: ProgramKeys } | undefined,
): Identities {
  const keysOf = (side: Side, keys: ProgramKeys | undefined): Map<number, string> => {
    const used = new Set(side.nodes.map(({ program }) => program));
    return new Map([...used].flatMap((id) => (id !== 0 && keys?.[id] !== undefined ? [[id, keys[id]] as const] : [])));
  };
  const [ours, theirs] = [keysOf(base, programs?.base), keysOf(next, programs?.next)];
  const known = new Set(ours.values());
  const both = new Set([...theirs.values()].filter((key) => known.has(key)));
  const describe =
    (keys: ReadonlyMap<number, string>): Describe =>
    ({ program, kind, name, target }) =>
      program === 0 || both.has(keys.get(program) ?? '')
        ? null
        : { id: String(program), what: `${kind} ${name} ${targetClass(target)}` };
  const byUse = identify(base, next, intern, [describe(ours), describe(theirs)]);
  const withKeys = (keys: ReadonlyMap<number, string>, names: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...names, ...[...keys].flatMap(([id, key]) => (both.has(key) ? [[String(id), key] as const] : []))]);
  return { base: withKeys(ours, byUse.base), next: withKeys(theirs, byUse.next) };
}

/** Targets of the leaves, by their own words; `canvas` is the same everywhere. */
export function identifyTargets(base: Side, next: Side, intern: Interner, programs: Identities): Identities {
  const describe =
    (names: ReadonlyMap<string, string>): Describe =>
    ({ target, kind, name, program }) =>
      target === targetClass(target)
        ? null
        : { id: target, what: `${kind} ${name} ${names.get(String(program)) ?? ''} ${targetClass(target)}` };
  return identify(base, next, intern, [describe(programs.base), describe(programs.next)]);
}
