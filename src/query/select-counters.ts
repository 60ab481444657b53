import type { CounterInfo, MetricSet } from '../model/counter.ts';
import type { MetricSource } from './metric-source.ts';

/** Counters of one set that were asked for, in the set's order. */
export interface CounterSelection {
  readonly set: MetricSet;
  readonly counters: readonly CounterInfo[];
}

/** A counter, or a whole set, that a source names but cannot give. */
export interface LostCounter {
  readonly source: MetricSource['type'];
  /** Of the counter or the set. */
  readonly id: string;
  /** The set that it is a counter of; null for a whole set. */
  readonly set: MetricSet | null;
  readonly reason: string;
}

type Matcher = (texts: readonly string[]) => boolean;

/** `*` stands for any characters, also slashes; `?` for one; case does not count; `all` means everything. */
function matcherOf(glob: string): Matcher {
  if (glob.toLowerCase() === 'all') return () => true;
  const source = Array.from(glob.toLowerCase(), (character) => {
    if (character === '*') return '[^]*';
    return character === '?' ? '[^]' : character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  const pattern = new RegExp(`^${source.join('')}$`, 'u');
  return (texts) => texts.some((text) => pattern.test(text.toLowerCase()));
}

/** Matchers that remember whether they ever matched. */
function matchAny(patterns: readonly string[]) {
  const matchers = patterns.map(matcherOf);
  const matched = patterns.map(() => false);
  const matches: Matcher = (texts) => {
    const means = matchers.map((each) => each(texts));
    for (const [index, meant] of means.entries()) matched[index] ||= meant;
    return means.includes(true);
  };
  return { matches, unmatched: () => patterns.filter((_, index) => !matched[index]) };
}

const textsOf = ({ id, name, source }: MetricSet): string[] => [id, name, source];

/**
 * Which counters patterns mean: a pattern names a source (`intel`: all its sets), a set, a counter (by `SET/NAME` or by
 * name), with globs, or `all`. `unmatched` has the patterns that mean none of these sets' counters.
 */
export function selectCounters(
  sets: readonly MetricSet[],
  patterns: readonly string[],
): { readonly selected: readonly CounterSelection[]; readonly unmatched: readonly string[] } {
  const { matches, unmatched } = matchAny(patterns);
  const selected = sets.flatMap((set): CounterSelection[] => {
    const counters = set.counters.filter(({ id, name }) => matches([id, name, ...textsOf(set)]));
    return counters.length > 0 ? [{ set, counters }] : [];
  });
  return { selected, unmatched: unmatched() };
}

/** The set that a lost id is a counter of, if it is one. */
function setOf(id: string, { sets }: MetricSource): MetricSet | null {
  const within = sets.filter((set) => id.startsWith(`${set.id}/`));
  return within.reduce<MetricSet | null>((best, set) => (best && best.id.length > set.id.length ? best : set), null);
}

/** Which of the counters and sets that the sources cannot give these patterns mean, and the patterns that mean none. */
export function selectLost(
  sources: readonly MetricSource[],
  patterns: readonly string[],
): { readonly lost: readonly LostCounter[]; readonly unmatched: readonly string[] } {
  const { matches, unmatched } = matchAny(patterns);
  const lost = sources.flatMap((source) =>
    [...source.lost].flatMap(([id, reason]): LostCounter[] => {
      const set = setOf(id, source);
      const name = id.slice((set?.id ?? source.type).length + 1);
      if (!matches([id, name, ...(set ? textsOf(set) : [source.type])])) return [];
      return [{ source: source.type, id, set, reason }];
    }),
  );
  return { lost, unmatched: unmatched() };
}
