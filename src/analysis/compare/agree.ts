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
  if (!isFound(first)) return first;
  if (second.verdict === first.verdict) return second;
  const again =
    second.verdict === null || second.verdict === 'undecided' ? 'could not confirm it' : `says ${second.verdict}`;
  return { ...second, verdict: 'undecided', reason: `${first.verdict} in one sitting, but a second one ${again}` };
}

/**
 * The comparison that two sittings of the same captures make together, the second with fresh processes and
 * `sitting: first`: an event is slower or faster when both say so, else undecided. What was found shows the second
 * sitting's times, all else the first's.
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
        message: `what was slower or faster in ${first.settings.pairs} pairs of runs was measured again by fresh processes, in ${second.settings.pairs}, which are the times shown of it`,
      },
    ],
  };
}
