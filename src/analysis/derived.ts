/** Columns worked out from the times and from other counters. */
import type { CounterInfo, MetricSet } from '../model/counter.ts';
import type { CounterCell, NodeReport } from '../model/report.ts';

const duration = 'timer/duration';
const draws = 'draws';
const fragments = 'statistics/PS Invocations';
const passed = 'statistics/Samples Passed';
const targetSamples = 'memory/Target Samples';
const vertices = 'statistics/Input Vertices Read';
const primitives = 'statistics/Input Primitives';

function quotient(name: string, description: string, unit: string, of: string, by: string): CounterInfo {
  const id = `derived/${name}`;
  const parts = { of, by, scale: 1 };
  return { id, set: 'derived', name, description, unit, dataType: 'f64', kind: 'ratio', parts, exact: false };
}

const shareOfPeak: CounterInfo = {
  id: 'derived/share of peak',
  set: 'derived',
  name: 'share of peak',
  description: "Duration in percent of the frame's longest leaf; a group has the largest of its leaves.",
  unit: 'percent',
  dataType: 'f64',
  kind: 'maximum',
  exact: false,
};

/** Everything that can be derived; a ratio's parts may be `timer/duration` and `draws`, which every node has. */
export const derivedSet: MetricSet = {
  id: 'derived',
  source: 'derived',
  name: 'Derived',
  description: 'Worked out from the times and from other counters.',
  scope: 'context',
  counters: [
    quotient('ns per fragment', 'Duration over fragment shader invocations.', 'ns', duration, fragments),
    quotient('overdraw', 'Samples that pass over samples of the targets drawn to.', '', passed, targetSamples),
    quotient('vertices per primitive', 'Vertices read over primitives read.', '', vertices, primitives),
    quotient('time per draw', 'Duration over draws.', 'ns', duration, draws),
    shareOfPeak,
  ],
};

/** The counters of other sets that must be measured for a derived one, by id; none for one that needs only the times. */
export function derivedNeeds({ parts }: CounterInfo): string[] {
  return parts ? [parts.of, parts.by].filter((id) => id !== duration && id !== draws) : [];
}

type Cells = ReadonlyMap<string, readonly CounterCell[]>;
/** What stands on one side of a quotient; a reason is a clause about it. */
type Part = Pick<CounterCell, 'status' | 'reason'> & { readonly value: number | null };

function timeOf({ durationNs, status, reason }: NodeReport): Part {
  const why = reason === null ? '' : `: ${reason}`;
  if (!durationNs)
    return { value: null, status: status === 'failed' ? 'failed' : 'ok', reason: `its time is unknown${why}` };
  const value = durationNs.median;
  if (status === 'below-resolution') return { value, status: 'questionable', reason: 'its time is below resolution' };
  if (status === 'questionable') return { value, status, reason: `its time is questionable${why}` };
  return { value, status: 'ok', reason: null };
}

function partOf(id: string, node: NodeReport, index: number, cells: Cells): Part {
  if (id === duration) return timeOf(node);
  if (id === draws) return { value: node.draws, status: 'ok', reason: null };
  const cell = cells.get(id)?.[index];
  if (!cell) return { value: null, status: 'failed', reason: `${id} was not measured` };
  const value = cell.value === null ? null : Number(cell.value);
  return { value, status: cell.status, reason: cell.reason === null ? null : `${id}: ${cell.reason}` };
}

const cellOf = (value: number | null, status: CounterCell['status'], reason: string | null): CounterCell => ({
  value,
  samples: [],
  status,
  reason,
});

function quotientCell(of: Part, by: Part, divisor: string, scale: number): CounterCell {
  const missing = [of, by].find(({ value }) => value === null);
  if (of.value === null || by.value === null) return cellOf(null, missing?.status ?? 'ok', missing?.reason ?? null);
  if (by.value === 0) return cellOf(null, 'ok', divisor === draws ? 'it has no draws' : `${divisor} is 0`);
  const doubts = [of, by].flatMap(({ status, reason }) => (status === 'questionable' && reason ? [reason] : []));
  return cellOf(
    (scale * of.value) / by.value,
    doubts.length > 0 ? 'questionable' : 'ok',
    doubts.length > 0 ? doubts.join('; ') : null,
  );
}

const durationOf = (node: NodeReport | undefined): number => node?.durationNs?.median ?? 0;

/** The longest leaf below (or at) each node, and whether any leaf below it has no time. Nodes stand depth first. */
function longestLeaves(nodes: readonly NodeReport[]) {
  const longest: (NodeReport | undefined)[] = nodes.map((node) => (node.isLeaf && node.durationNs ? node : undefined));
  const untimed = nodes.map((node) => node.isLeaf && !node.durationNs);
  const hasLeaves = nodes.map(({ isLeaf }) => isLeaf);
  const open: number[] = [];
  const parents = nodes.map(({ depth }, index) => {
    open.length = Math.min(open.length, depth);
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return parent;
  });
  for (let index = nodes.length - 1; index >= 0; index--) {
    const parent = parents[index];
    if (parent < 0) continue;
    const mine = longest[index];
    if (mine && (!longest[parent] || durationOf(mine) >= durationOf(longest[parent]))) longest[parent] = mine;
    untimed[parent] ||= untimed[index];
    hasLeaves[parent] ||= hasLeaves[index];
  }
  return { longest, untimed, hasLeaves };
}

function sharesOfPeak(nodes: readonly NodeReport[]): CounterCell[] {
  const { longest, untimed, hasLeaves } = longestLeaves(nodes);
  const peak = longest[0];
  const peakNs = durationOf(peak);
  const doubtfulPeak = peak?.status === 'questionable' ? 'the time of the longest leaf is questionable' : null;
  return nodes.map((node, index) => {
    const leaf = longest[index];
    if (!hasLeaves[index]) return cellOf(null, 'ok', 'nothing in it was measured');
    if (!leaf) return cellOf(null, 'failed', node.isLeaf ? timeOf(node).reason : 'none of its leaves has a time');
    if (peakNs === 0) return cellOf(null, 'ok', 'no leaf has a time above 0');
    const doubts = [
      timeOf(leaf).reason,
      untimed[index] ? 'some of its leaves have no time' : null,
      leaf.status === 'questionable' ? null : doubtfulPeak,
    ].filter((doubt) => doubt !== null);
    const status = doubts.length > 0 ? 'questionable' : 'ok';
    return cellOf((100 * durationOf(leaf)) / peakNs, status, doubts.length > 0 ? doubts.join('; ') : null);
  });
}

/**
 * A cell for each node, from what the node and its other counters show, so that columns agree with one another: a parent's
 * comes from its own sums. `cells` has the counters measured, by id. Samples stay empty: the parts have theirs.
 */
export function derivedCells(counter: CounterInfo, nodes: readonly NodeReport[], cells: Cells): CounterCell[] {
  const { parts } = counter;
  if (!parts) return sharesOfPeak(nodes);
  return nodes.map((node, index) => {
    const of = partOf(parts.of, node, index, cells);
    const by = partOf(parts.by, node, index, cells);
    return quotientCell(of, by, parts.by, parts.scale);
  });
}
