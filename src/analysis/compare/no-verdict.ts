import type { Comparison, TimeChange } from '../../model/comparison.ts';

/** Whether it was measured for a verdict; what is too short to matter is the same without one. */
const isJudged = ({ verdict, lowNs }: TimeChange): boolean =>
  verdict === 'undecided' || (verdict !== null && lowNs !== null);

/** Why nothing that was judged is decided. */
function undecidedReason(judged: readonly TimeChange[], { warnings }: Comparison): string {
  const same = warnings.find(({ code }) => code === 'same-measurement');
  if (same) return same.message;
  const few = warnings.find(({ code }) => code === 'few-runs');
  if (few && judged.every(({ lowNs }) => lowNs === null)) return few.message;
  const [reason, ...others] = new Set(judged.map((time) => time.reason));
  return others.length === 0 && reason !== null ? reason : 'the runs do not tell whether anything changed';
}

/**
 * Why a comparison of times came to no verdict on time at all, in a clause: no event could be timed, or all that was
 * judged is undecided. Null when it has one, and for events too short to matter.
 */
export function noVerdict(comparison: Comparison): string | null {
  const { frames } = comparison;
  const nodes = frames.flatMap((frame) => frame.nodes);
  const leaves = nodes.filter(({ isLeaf }) => isLeaf);
  const common = leaves.filter(({ base, new: next }) => base && next);
  if (common.length > 0 ? common.every(({ time }) => time.verdict === null) : leaves.length === 0)
    return `no event could be timed: ${(common[0] ?? nodes[0])?.time.reason ?? 'there are none'}`;
  const judged = [...frames.map(({ plain }) => plain), ...nodes.map(({ time }) => time)].filter(isJudged);
  if (judged.length === 0 || judged.some(({ verdict }) => verdict !== 'undecided')) return null;
  return undecidedReason(judged, comparison);
}
