/** What a comparison should say and does not. Each is the reason why its capture is unmeasured, null when there is none. */
import type { Comparison, TimeChange } from '../../model/comparison.ts';
import type { CounterInfo } from '../../model/counter.ts';
import type { Report } from '../../model/report.ts';

const timesOf = ({ frames }: Comparison): TimeChange[] =>
  frames.flatMap(({ plain, nodes }) => [plain, ...nodes.map(({ time }) => time)]);

/**
 * Why no verdict on time was possible at all: times are judged, and none has an interval. `wantedSeconds`: the time that
 * it takes, null where that is not known.
 */
export function lackingRuns(
  comparison: Comparison,
  runs: number | undefined,
  wantedSeconds: number | null,
): string | null {
  const times = timesOf(comparison);
  if (times.some(({ lowNs }) => lowNs !== null) || !times.some(({ verdict }) => verdict === 'undecided')) return null;
  const { interleaved, pairs } = comparison.settings;
  const what = `${pairs} ${interleaved ? 'pairs of runs are' : 'runs are'} too few for any verdict on time`;
  const longer = wantedSeconds === null ? 'a longer "timeBudget"' : `a "timeBudget" of ${wantedSeconds}`;
  const remedy = runs === undefined ? `give it ${longer}` : 'raise "runs"';
  return `${what}; ${remedy}${interleaved ? '' : ', and write the baseline anew'}`;
}

/** Why counters of the baseline that were asked for have nothing beside them. */
export function lostCounters(asked: readonly CounterInfo[], { counters: sets = [] }: Report): string | null {
  const counted = new Set(sets.flatMap(({ counters }) => counters.map(({ id }) => id)));
  const [first, ...others] = asked.filter(({ id }) => !counted.has(id));
  if (!first) return null;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `the baseline has ${first.id}${more}, which could not be counted here; name in "counters" what to compare, or write the baseline anew`;
}

/** Why not every counter of the report is compared, on every event of both sides. */
export function lackingCounters(comparison: Comparison, { counters: sets = [] }: Report): string | null {
  const lost = sets.find(({ status }) => status === 'failed');
  if (lost) return `${lost.id} could not be counted: ${lost.reason}; "counters" can name what else to count`;
  const compared = new Set(comparison.counters.map(({ id }) => id));
  const [first, ...others] = sets.flatMap(({ counters }) => counters.filter(({ id }) => !compared.has(id)));
  if (first) {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return `the baseline does not have ${first.id}${more}; write it anew, or name in "counters" what to compare`;
  }
  for (const { nodes } of comparison.frames)
    for (const { base, new: next, counters } of nodes)
      for (const { id, exact } of comparison.counters) {
        const { verdict, reason, ...change } = counters[id] ?? { verdict: 'same' };
        const isLost = verdict === 'unknown' && exact && (change.base === null) !== (change.new === null);
        if (isLost && base && next) return `${id} of ${next.path || 'the frame'} could not be compared: ${reason}`;
      }
  return null;
}
