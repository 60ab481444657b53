/** What makes an event the same event, from strict to weak. */

import type { Interner } from './interner.ts';
import type { Identities, SideIdentities } from './match-identities.ts';
import type { Level } from './match-levels.ts';
import { noKey } from './match-sequence.ts';
import type { Side } from './match-side.ts';

interface Levels<Keys> {
  /** All of an action; a group's name and everything in it, in order. */
  readonly strict: Keys;
  /** The same, whatever the number of a target. */
  readonly loose: Keys;
  /** Groups whose name no sibling has: the name. Everything else: as strict. */
  readonly sibling: Keys;
  /** Groups only: the name. */
  readonly named: Keys;
  /** Groups only, those with children: everything in it, whatever the name. */
  readonly content: Keys;
  /** Actions only: all but the target. */
  readonly work: Keys;
  /** What an event at the same place may still have in common, the most first. */
  readonly weak: readonly Keys[];
}

export type MatchKeys = Levels<Level>;

/** By node: the name of a group that is the only one of this name among its siblings, else what is strict. */
function siblingKeys({ children, nodes }: Side, strict: Int32Array, named: Int32Array): Int32Array {
  const keys = strict.slice();
  for (const inside of children) {
    const only = new Map<number, number>();
    for (const child of inside)
      if (!nodes[child].isLeaf) only.set(named[child], only.has(named[child]) ? noKey : child);
    for (const [name, child] of only) if (child >= 0) keys[child] = name;
  }
  return keys;
}

/** The call of `glDrawElements(36)`; of a group measured as one, how much it draws: that it keeps under other names. */
const callOf = (name: string, isGroup: boolean, draws: number): string =>
  isGroup ? `${draws} draws` : name.slice(0, name.indexOf('(') + 1) || name;

function keysOf(side: Side, identities: SideIdentities, intern: Interner): Levels<Int32Array> {
  const { nodes, names, children } = side;
  const column = (): Int32Array => new Int32Array(nodes.length).fill(noKey);
  const keys = { strict: column(), loose: column(), named: column(), content: column(), work: column() };
  const weak = [column(), column(), column(), column()];
  const group = intern.text('group');
  // Children stand behind their parents.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const { isLeaf, kind, name, draws, program: id, target: words } = nodes[index];
    const isGroup = !isLeaf || kind === 'marker' || kind === 'pass';
    if (isGroup) keys.named[index] = intern.pair(group, names[index]);
    if (!isLeaf) {
      const strict = intern.list(children[index].map((child) => keys.strict[child]));
      const loose = intern.list(children[index].map((child) => keys.loose[child]));
      keys.strict[index] = intern.pair(keys.named[index], strict);
      keys.loose[index] = intern.pair(keys.named[index], loose);
      if (children[index].length === 0) continue;
      keys.content[index] = intern.pair(group, strict);
      weak[0][index] = keys.content[index];
      weak[1][index] = intern.pair(group, loose);
      continue;
    }
    const program = identities.programs.get(id) ?? intern.text('');
    const target = identities.targets.get(words) ?? intern.text(words);
    const likely = identities.classes.get(words) ?? noKey;
    const kindNumber = intern.text(kind);
    const called = intern.pair(kindNumber, names[index]);
    const does = intern.pair(kindNumber, id === 0 ? intern.text(callOf(name, isGroup, draws)) : program);
    const work = intern.pair(called, program);
    keys.work[index] = work;
    keys.strict[index] = intern.pair(work, target);
    keys.loose[index] = intern.pair(work, likely);
    weak[0][index] = intern.pair(does, target);
    weak[1][index] = intern.pair(called, target);
    weak[2][index] = intern.pair(does, likely);
    weak[3][index] = intern.pair(called, likely);
  }
  return { ...keys, sibling: siblingKeys(side, keys.strict, keys.named), weak };
}

export function matchKeys(base: Side, next: Side, identities: Identities, intern: Interner): MatchKeys {
  const ours = keysOf(base, identities.base, intern);
  const theirs = keysOf(next, identities.next, intern);
  const level = (key: 'strict' | 'loose' | 'sibling' | 'named' | 'content' | 'work'): Level => ({
    base: ours[key],
    next: theirs[key],
  });
  return {
    strict: level('strict'),
    loose: level('loose'),
    sibling: level('sibling'),
    named: level('named'),
    content: level('content'),
    work: level('work'),
    weak: ours.weak.map((keys, at) => ({ base: keys, next: theirs.weak[at] })),
  };
}
