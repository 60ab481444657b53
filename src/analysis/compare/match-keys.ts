/** What makes an event the same event, from strict to weak. */
import type { Identities } from './match-identities.ts';
import { targetClass } from './match-identities.ts';
import type { Level } from './match-levels.ts';
import { noKey } from './match-sequence.ts';
import type { Interner, Side } from './match-side.ts';

export interface MatchKeys {
  /** All of an action; a group's name and everything in it, in order. */
  readonly strict: Level;
  /** The same, whatever the number of a target. */
  readonly loose: Level;
  /** Groups only: the name. */
  readonly named: Level;
  /** Groups only, those with children: everything in it, whatever the name. */
  readonly content: Level;
  /** Actions only: all but the target. */
  readonly work: Level;
  /** What an event at the same place may still have in common, the most first. */
  readonly weak: readonly Level[];
}

/** Groups, and what stands for a group when measuring coarser than draws. */
const isGroup = ({ kind, isLeaf }: { readonly kind: string; readonly isLeaf: boolean }): boolean =>
  !isLeaf || kind === 'marker' || kind === 'pass';

/** The call of `glDrawElements(36)`; of a group measured as one, how much it draws, for that it keeps under other names. */
const callOf = (name: string, group: boolean, draws: number): string =>
  group ? `${draws} draws` : name.slice(0, name.indexOf('(') + 1) || name;

interface SideKeys {
  readonly strict: Int32Array;
  readonly loose: Int32Array;
  readonly named: Int32Array;
  readonly work: Int32Array;
  /** By weak level. */
  readonly weak: readonly Int32Array[];
}

function keysOf(
  side: Side,
  programs: ReadonlyMap<string, string>,
  targets: ReadonlyMap<string, string>,
  intern: Interner,
): SideKeys {
  const count = side.nodes.length;
  const column = (): Int32Array => new Int32Array(count).fill(noKey);
  const keys = { strict: column(), loose: column(), named: column(), work: column() };
  const weak = [column(), column(), column(), column()];
  // Children stand behind their parents.
  for (let index = count - 1; index >= 0; index--) {
    const node = side.nodes[index];
    const name = side.names[index];
    const group = isGroup(node);
    if (group) keys.named[index] = intern(`named ${name}`);
    if (!node.isLeaf) {
      const inside = side.children[index];
      for (const [at, kind] of (['strict', 'loose'] as const).entries()) {
        const content = inside.map((child) => keys[kind][child]).join(' ');
        keys[kind][index] = intern(`group ${name}\n${content}`);
        if (inside.length > 0) weak[at][index] = intern(`content ${content}`);
      }
      continue;
    }
    const { kind } = node;
    const program = node.program === 0 ? '' : (programs.get(String(node.program)) ?? '');
    const target = targets.get(node.target) ?? node.target;
    const likely = targetClass(node.target);
    const does = program || callOf(name, group, node.draws);
    keys.strict[index] = intern(`leaf ${kind}\n${name}\n${program}\n${target}`);
    keys.loose[index] = intern(`leaf ${kind}\n${name}\n${program}\nany ${likely}`);
    keys.work[index] = intern(`work ${kind}\n${name}\n${program}`);
    weak[0][index] = intern(`does ${kind}\n${does}\n${target}`);
    weak[1][index] = intern(`called ${kind}\n${name}\n${target}`);
    weak[2][index] = intern(`does ${kind}\n${does}\nany ${likely}`);
    weak[3][index] = intern(`called ${kind}\n${name}\nany ${likely}`);
  }
  return { ...keys, weak };
}

export function matchKeys(
  base: Side,
  next: Side,
  programs: Identities,
  targets: Identities,
  intern: Interner,
): MatchKeys {
  const ours = keysOf(base, programs.base, targets.base, intern);
  const theirs = keysOf(next, programs.next, targets.next, intern);
  const groupsOnly = (side: Side, keys: Int32Array): Int32Array =>
    keys.map((key, index) => (side.nodes[index].isLeaf ? noKey : key));
  const weak = ours.weak.map((keys, at): Level => ({ base: keys, next: theirs.weak[at] }));
  return {
    strict: { base: ours.strict, next: theirs.strict },
    loose: { base: ours.loose, next: theirs.loose },
    named: { base: ours.named, next: theirs.named },
    content: { base: groupsOnly(base, ours.weak[0]), next: groupsOnly(next, theirs.weak[0]) },
    work: { base: ours.work, next: theirs.work },
    weak,
  };
}
