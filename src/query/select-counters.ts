import type { CounterInfo, MetricSet } from '../model/counter.ts';

/** Counters of one set that were asked for, in the set's order. */
export interface CounterSelection {
  readonly set: MetricSet;
  readonly counters: readonly CounterInfo[];
}

/** `*` stands for any characters, also slashes; `?` for one; case does not count. */
function globMatcher(glob: string): (text: string) => boolean {
  const source = Array.from(glob.toLowerCase(), (character) => {
    if (character === '*') return '[^]*';
    return character === '?' ? '[^]' : character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  const pattern = new RegExp(`^${source.join('')}$`, 'u');
  return (text) => pattern.test(text.toLowerCase());
}

/**
 * Which counters patterns mean: a pattern names a source (`intel`: all its sets), a set, a counter (by `SET/NAME` or by
 * name), with globs, or `all`. `unmatched` has the patterns that mean none of these sets' counters.
 */
export function selectCounters(
  sets: readonly MetricSet[],
  patterns: readonly string[],
): { readonly selected: readonly CounterSelection[]; readonly unmatched: readonly string[] } {
  const matchers = patterns.map((pattern) => (pattern.toLowerCase() === 'all' ? () => true : globMatcher(pattern)));
  const matched = patterns.map(() => false);
  const selected = sets.flatMap((set): CounterSelection[] => {
    const counters = set.counters.filter((counter) => {
      const texts = [counter.id, counter.name, set.id, set.name, set.source];
      const means = matchers.map((matches) => texts.some(matches));
      for (const [index, meant] of means.entries()) matched[index] ||= meant;
      return means.includes(true);
    });
    return counters.length > 0 ? [{ set, counters }] : [];
  });
  return { selected, unmatched: patterns.filter((_, index) => !matched[index]) };
}
