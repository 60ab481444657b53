import type { ComparedFrame, Comparison, TimeChange } from '../../model/comparison.ts';

const isFound = ({ verdict }: TimeChange): boolean => verdict === 'slower' || verdict === 'faster';

/** Whether more runs could still change something: an event is undecided. */
export const hasUndecided = ({ frames }: Comparison): boolean =>
  frames.some(
    ({ plain, nodes }) => plain.verdict === 'undecided' || nodes.some(({ time }) => time.verdict === 'undecided'),
  );

/** Whether an event is slower or faster, so that a second sitting has something to confirm. */
export const hasFound = ({ frames }: Comparison): boolean =>
  frames.some(({ plain, nodes }) => isFound(plain) || nodes.some(({ time }) => isFound(time)));

/** What both sittings say of one event: what was found stands only when it was found twice. */
function agreed(first: TimeChange, second: TimeChange): TimeChange {
  if (!isFound(first) || second.verdict === first.verdict) return isFound(first) ? second : first;
  return { ...second, verdict: 'undecided', reason: `${first.verdict} in one sitting, not confirmed by a second` };
}

/**
 * The comparison that two sittings of the same captures make together, the second with fresh processes and
 * `sitting: first`: what the first found is slower or faster when the second confirms it (decide.ts), else undecided,
 * and shows the second's times and the interval of both; all else is as the first has it.
 */
export function agree(first: Comparison, second: Comparison): Comparison {
  const frames = first.frames.map((frame, index): ComparedFrame => {
    const again = second.frames[index];
    return {
      ...frame,
      plain: agreed(frame.plain, again.plain),
      nodes: frame.nodes.map((node, at) => ({ ...node, time: agreed(node.time, again.nodes[at].time) })),
    };
  });
  return {
    ...first,
    frames,
    warnings: [
      ...first.warnings,
      {
        code: 'second-sitting',
        message: `what was slower or faster in ${first.settings.pairs} pairs of runs was measured again by fresh processes, in ${second.settings.pairs}, which are the times shown of it; its interval is that of both`,
      },
    ],
  };
}
