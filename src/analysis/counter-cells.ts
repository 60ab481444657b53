/** From the runs of a metric set to what each node shows of each counter. */
import { type CounterInfo, type CounterValue, columnValue } from '../model/counter.ts';
import type { CounterRun, SetMeasurement } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { CounterCell } from '../model/report.ts';
import { compare, type Known, lowerMedian } from './counter-math.ts';
import { firstSaid } from './fold-up.ts';
import { countLeaves, rollUp } from './roll-up.ts';
import { type RolledUpCounter, type RunLeaves, rollUpCounter } from './roll-up-counter.ts';

const noValue = 'the driver gave no value';

/** Set apart by their unit and kind: the time that a set took itself, by which its averages are weighed. */
export const isOwnTime = ({ unit, kind }: CounterInfo): boolean => unit === 'ns' && kind === 'sum';

/** JSON has neither infinities nor a zero of its own for negatives. */
function clean(value: CounterValue): CounterValue {
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? value + 0 : null;
}

function leavesOf(run: CounterRun, counters: readonly CounterInfo[], leafTimes: readonly (number | null)[]): RunLeaves {
  const read = new Map<string, CounterValue[]>();
  const values = (id: string): CounterValue[] | undefined => {
    const known = read.get(id);
    const index = known ? -1 : counters.findIndex((counter) => counter.id === id);
    if (index < 0) return known;
    const column = run.columns[index];
    const list = leafTimes.map((_, leaf) => (run.failed.has(leaf) ? null : clean(columnValue(column, leaf))));
    read.set(id, list);
    return list;
  };
  const time = counters.find(isOwnTime);
  const own = time && values(time.id);
  return {
    values,
    weights: own ? own.map((value) => (value === null ? null : Number(value))) : leafTimes,
    objects: (id) => run.objects?.get(id),
  };
}

/** One counter in one run, for every node. */
interface RunNodes extends RolledUpCounter {
  /** Leaves without a value below (or at) each node, and what is said of the first; null when none is without. */
  readonly missing: { readonly counts: ArrayLike<number>; readonly reasons: readonly (string | null)[] } | null;
}

function nodesOf(tree: EventTree, counter: CounterInfo, run: CounterRun, leaves: RunLeaves): RunNodes {
  const rolled = rollUpCounter(tree, counter, leaves);
  const known = rolled.known ?? (leaves.values(counter.id) ?? []).map((value) => value !== null);
  if (known.every((isKnown) => isKnown)) return { ...rolled, missing: null };
  const counts = rollUp(
    tree,
    known.map((isKnown) => (isKnown ? 0 : 1)),
  ).values.map((count) => count || 0);
  const reasons = known.map((isKnown, leaf) => (isKnown ? null : (run.failed.get(leaf) ?? noValue)));
  return { ...rolled, missing: { counts, reasons: firstSaid(tree, reasons) } };
}

interface NodeRun {
  readonly value: CounterValue;
  readonly missing: number;
  readonly missingReason: string | null;
  readonly doubt: string | null;
}

/** How little a run's value is worth: less sound ones count only where there is none that is sounder. */
const unsoundness = ({ missing, doubt }: NodeRun): number => (missing > 0 ? 2 : doubt ? 1 : 0);

const inRuns = (some: number, all: number): string => (some === all ? '' : ` in ${some} of ${all} runs`);

function withoutValue(runs: readonly NodeRun[], leaves: number, isLeaf: boolean, without: string): CounterCell {
  const samples = runs.map(({ value }) => value);
  if (leaves === 0) return { value: null, samples, status: 'ok', reason: 'nothing in it was measured' };
  if (runs.length === 0) return { value: null, samples, status: 'failed', reason: 'it was not measured' };
  const missing = runs.find((run) => run.missing === leaves)?.missingReason;
  if (!missing) return { value: null, samples, status: 'ok', reason: without };
  const reason = isLeaf ? missing : `none of its leaves has a value: ${missing}`;
  return { value: null, samples, status: 'failed', reason };
}

/** Why a value is to be doubted, in few words. */
function doubtsOf(runs: readonly NodeRun[], isLeaf: boolean, differ: string | null): string[] {
  const doubts: string[] = [];
  const lacking = runs.filter(({ missing }) => missing > 0);
  if (lacking.length > 0) {
    const what = isLeaf ? 'it has no value' : 'some of its leaves have no value';
    doubts.push(`${what}${inRuns(lacking.length, runs.length)}: ${lacking[0].missingReason}`);
  }
  const doubt = runs.find((run) => run.doubt !== null)?.doubt;
  if (doubt) doubts.push(doubt);
  if (differ) doubts.push(differ);
  return doubts;
}

function difference(counted: readonly Known[]): string | null {
  if (counted.every((value) => value === counted[0])) return null;
  const sorted = [...counted].sort(compare);
  return `runs differ: ${sorted[0]} to ${sorted[sorted.length - 1]}`;
}

function cellOf(runs: readonly NodeRun[], leaves: number, isLeaf: boolean, exact: boolean, without: string) {
  const present = runs.filter(({ value }) => value !== null);
  if (present.length === 0) return withoutValue(runs, leaves, isLeaf, without);
  const best = Math.min(...present.map(unsoundness));
  const counted = present.flatMap((run) => (run.value !== null && unsoundness(run) === best ? [run.value] : []));
  const doubts = doubtsOf(runs, isLeaf, exact ? difference(counted) : null);
  const undefinedRuns = runs.filter(({ value, missing }) => value === null && missing === 0).length;
  if (exact && undefinedRuns > 0) doubts.push(`it has no value${inRuns(undefinedRuns, runs.length)}: ${without}`);
  const cell: CounterCell = {
    value: lowerMedian(counted),
    samples: runs.map(({ value }) => value),
    status: doubts.length > 0 ? 'questionable' : 'ok',
    reason: doubts.length > 0 ? doubts.join('; ') : null,
  };
  return cell;
}

/** The usual case, told apart for speed: every run has the same value. */
function sameInAllRuns(runs: readonly RunNodes[], node: number): CounterCell | null {
  const value = runs[0]?.values[node] ?? null;
  if (value === null || !runs.every(({ values }) => values[node] === value)) return null;
  return { value, samples: runs.map(() => value), status: 'ok', reason: null };
}

const lostCell = (reason: string, runs: number): CounterCell => ({
  value: null,
  samples: Array.from({ length: runs }, () => null),
  status: 'failed',
  reason,
});

/**
 * By counter id, a cell for each node of the tree: runs are rolled up one by one, then the lower median of those that
 * count is taken. `leafTimes` has the time of each leaf in nanoseconds (null where unknown), which averages are weighed by
 * where the set has no time of its own.
 */
export function counterCells(
  tree: EventTree,
  measurement: SetMeasurement,
  leafTimes: readonly (number | null)[],
): Map<string, CounterCell[]> {
  const { counters, runs, problem, lost } = measurement;
  const leafCounts = countLeaves(tree);
  const runLeaves = runs.map((run) => leavesOf(run, counters, leafTimes));
  const runDoubts = runs.map(({ questionable }) =>
    questionable.size === 0
      ? null
      : firstSaid(
          tree,
          leafTimes.map((_, leaf) => questionable.get(leaf) ?? null),
        ),
  );
  const cells = new Map<string, CounterCell[]>();
  for (const counter of counters) {
    const gone = problem ?? lost.get(counter.id);
    if (gone !== undefined) {
      const cell = lostCell(gone, runs.length);
      cells.set(
        counter.id,
        tree.nodes.map(() => cell),
      );
      continue;
    }
    const rolled = runs.map((run, index) => nodesOf(tree, counter, run, runLeaves[index]));
    const without = rolled[0]?.without ?? '';
    const isSound = rolled.every(({ missing, doubts }, run) => !missing && !doubts && !runDoubts[run]);
    cells.set(
      counter.id,
      tree.nodes.map(({ isLeaf }, node) => {
        const same = isSound ? sameInAllRuns(rolled, node) : null;
        if (same) return same;
        const nodeRuns = rolled.map(({ values, missing, doubts }, run) => ({
          value: values[node],
          missing: missing?.counts[node] ?? 0,
          missingReason: missing?.reasons[node] ?? null,
          doubt: runDoubts[run]?.[node] ?? doubts?.[node] ?? null,
        }));
        return cellOf(nodeRuns, leafCounts[node], isLeaf, counter.exact, without);
      }),
    );
  }
  return cells;
}
