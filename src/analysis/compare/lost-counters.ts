import type { Comparison } from '../../model/comparison.ts';

/**
 * Why the counters of a comparison say less than they should, in a clause; null when they do not. They should at least be
 * those of base. Where counters were asked for, each of either side should be compared on each event that both have, and
 * some should prove something.
 */
export function lostCounters({ counters, frames, warnings }: Comparison, areAsked: boolean): string | null {
  const left = warnings.find(({ code }) => code === 'counters-lost' || (areAsked && code === 'counters-left'));
  if (left) return left.message;
  if (!areAsked) return null;
  const exact = counters.filter((counter) => counter.exact);
  if (counters.length > 0 && exact.length === 0) return 'none of the counters is the same in every run';
  let unknown = 0;
  let first = '';
  for (const { nodes } of frames)
    for (const { base, new: next, isLeaf, counters: changes } of nodes) {
      if (!isLeaf || !base || !next) continue;
      for (const { id, name } of exact) {
        if (changes[id].verdict !== 'unknown') continue;
        if (unknown++ === 0) first = `${name} of ${next.path}: ${changes[id].reason}`;
      }
    }
  if (unknown === 0) return null;
  return `${unknown} ${unknown === 1 ? 'value is' : 'values are'} unknown, such as ${first}`;
}
