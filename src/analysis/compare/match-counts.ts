/** What tells events apart that look the same: how much each draws, and under which state. */
import type { CounterInfo } from '../../model/counter.ts';
import type { NodeReport, States } from '../../model/report.ts';
import type { Interner } from './interner.ts';
import type { Level } from './match-levels.ts';
import { noKey } from './match-sequence.ts';
import type { Side } from './match-side.ts';

/** What is known of both sides beside their events. */
export interface SideFacts {
  /** Of both sides, those that are exact. */
  readonly counters: readonly CounterInfo[];
  readonly base: States | undefined;
  readonly next: States | undefined;
}

/** Keys of what is equal, the strictest first. */
export interface CountLevels {
  /** All counters, the state and the target. */
  readonly exact: Level;
  /** All but what other draws may cover: samples that pass. */
  readonly drawn: Level;
  /** What is submitted alone: neither fragments nor memory. */
  readonly shape: Level;
  /** Whatever it counts, but only of what looks like nothing else on its side. */
  readonly only: Level;
}

type Kind = Exclude<keyof CountLevels, 'only'>;
const kinds: readonly Kind[] = ['exact', 'drawn', 'shape'];

/** Counters of sizes that the others are parts of. */
const memoryTotals: ReadonlySet<string> = new Set(['Bytes Bound', 'Bytes Touched']);
const afterTests = /samples passed/i;
const ofFragments = /samples|PS Invocations/i;

/** For how many of the levels a counter counts, from the strictest on. */
function countsFor({ set, name }: CounterInfo): number {
  if (afterTests.test(name)) return 1;
  return set === 'memory' || ofFragments.test(name) ? 2 : 3;
}

/** Small whole numbers as they are; others, and what reports have as text, by their digits. */
const numberOf = (value: unknown, intern: Interner): number =>
  typeof value === 'number' && (value | 0) === value ? value : ~intern.text(String(value));

const mix = (hash: number, value: number, by: number): number => {
  const mixed = Math.imul(hash ^ value, by);
  return mixed ^ (mixed >>> 15);
};

/** Of values so far, 62 bits: interned by themselves they would be a million pairs in a large frame. */
class Hash {
  #one = 0;
  #other = 0;

  clear(): void {
    this.#one = 0;
    this.#other = 1;
  }

  add(value: number): void {
    this.#one = mix(this.#one + 1, value, 0x9e3779b1);
    this.#other = mix(this.#other + 1, value, 0x85ebca6b);
  }

  key(of: number, intern: Interner): number {
    return intern.pair(intern.pair(of, this.#one >>> 1), this.#other >>> 1);
  }
}

/** Keys of one side, by kind: of leaves from what they look like and what is counted, of groups from `named` and what is in them. */
function keysOf(
  { nodes, children }: Side,
  { strict, loose, named }: Record<'strict' | 'loose' | 'named', Int32Array>,
  counters: readonly CounterInfo[],
  state: (node: NodeReport) => number,
  intern: Interner,
): Record<Kind, Int32Array> {
  const keys = { exact: loose.slice(), drawn: loose.slice(), shape: loose.slice() };
  const used = counters
    .map((counter) => ({ id: counter.id, levels: countsFor(counter) }))
    // What counts for all comes first, so that its part of the keys is made once.
    .sort((one, other) => other.levels - one.levels);
  const hash = new Hash();
  // Children stand behind their parents.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index];
    if (!node.isLeaf) {
      for (const kind of kinds)
        keys[kind][index] = intern.pair(named[index], intern.list(children[index].map((child) => keys[kind][child])));
      continue;
    }
    hash.clear();
    let levels = 3;
    const settle = (to: number): void => {
      for (; levels > to; levels--) keys[kinds[levels - 1]][index] = hash.key(loose[index], intern);
    };
    const cells = node.counters ?? {};
    for (const { id, levels: of } of used) {
      settle(of);
      hash.add(numberOf(cells[id]?.value, intern));
    }
    settle(1);
    keys.exact[index] = intern.pair(strict[index], intern.pair(hash.key(loose[index], intern), state(node)));
  }
  return keys;
}

/** The same without keys that stand more than once. */
function withoutRepeated(keys: Int32Array): Int32Array {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.map((key) => (counts.get(key) === 1 ? key : noKey));
}

/** Null where nothing is known that could tell events apart. */
export function countLevels(
  [base, next]: readonly [Side, Side],
  { strict, loose, named }: Record<'strict' | 'loose' | 'named', Level>,
  { counters, ...states }: SideFacts,
  intern: Interner,
): CountLevels | null {
  const used = counters.filter(({ set, name, exact }) => exact && (set === 'statistics' || memoryTotals.has(name)));
  const hasStates = states.base !== undefined && states.next !== undefined;
  if (used.length === 0 && !hasStates) return null;
  const stateOf = (side: 'base' | 'next') => {
    const numbers = new Map<number, number>();
    return ({ state = 0 }: NodeReport): number => {
      let number = numbers.get(state);
      if (number === undefined) {
        number = intern.text(hasStates ? JSON.stringify(states[side]?.[state] ?? null) : '');
        numbers.set(state, number);
      }
      return number;
    };
  };
  const ours = keysOf(
    base,
    { strict: strict.base, loose: loose.base, named: named.base },
    used,
    stateOf('base'),
    intern,
  );
  const theirs = keysOf(
    next,
    { strict: strict.next, loose: loose.next, named: named.next },
    used,
    stateOf('next'),
    intern,
  );
  const level = (kind: Kind): Level => ({ base: ours[kind], next: theirs[kind] });
  const only = { base: withoutRepeated(loose.base), next: withoutRepeated(loose.next) };
  return { exact: level('exact'), drawn: level('drawn'), shape: level('shape'), only };
}
