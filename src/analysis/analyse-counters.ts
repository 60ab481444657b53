import type { CounterInfo, MetricSet } from '../model/counter.ts';
import type { SetMeasurement } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { CounterCell, CounterSetReport, FrameReport } from '../model/report.ts';
import { counterCells, isOwnTime } from './counter-cells.ts';
import { setReport } from './counter-sets.ts';
import { derivedCells, derivedNeeds, derivedSet } from './derived.ts';

/** A frame with counters in its nodes, and the sets that they are of. */
export interface CountedFrame {
  readonly frame: FrameReport;
  readonly sets: readonly CounterSetReport[];
}

/**
 * The counters to measure where some of a set are asked for, in the set's order: a ratio needs its parts, and an average
 * the time that its parents weigh it by.
 */
export function countersToMeasure(set: MetricSet, asked: readonly CounterInfo[]): CounterInfo[] {
  const ids = new Set(asked.map(({ id }) => id));
  for (const { parts } of asked) for (const id of parts ? [parts.of, parts.by] : []) ids.add(id);
  const time = asked.some(({ kind }) => kind === 'average') ? set.counters.find(isOwnTime) : undefined;
  return set.counters.filter((counter) => ids.has(counter.id) || counter === time);
}

function derivedMeasurement(measurements: readonly SetMeasurement[], asked: readonly CounterInfo[]): SetMeasurement {
  const needs = new Set(asked.flatMap(derivedNeeds));
  const behind = measurements.find(
    ({ origin, counters }) => origin !== null && counters.some(({ id }) => needs.has(id)),
  );
  const origin = behind?.origin ?? null;
  return { set: derivedSet, counters: asked, origin, passes: 0, runs: [], problem: null, lost: new Map() };
}

/**
 * Adds counters to a frame: a cell for each node and counter whose id is in `shown`, those of the set `derived` included;
 * what was measured beside them only serves them. `frame` must be of the same tree. A frame's own values are untouched.
 */
export function countFrame(
  tree: EventTree,
  frame: FrameReport,
  measurements: readonly SetMeasurement[],
  shown: ReadonlySet<string>,
): CountedFrame {
  const leafTimes = tree.leaves.map((node) => frame.nodes[node].durationNs?.median ?? null);
  const cells = new Map<string, readonly CounterCell[]>();
  for (const measurement of measurements)
    for (const [id, list] of counterCells(tree, measurement, leafTimes)) cells.set(id, list);
  const derived = derivedSet.counters.filter(({ id }) => shown.has(id));
  for (const counter of derived) cells.set(counter.id, derivedCells(counter, frame.nodes, cells));
  const all = derived.length > 0 ? [...measurements, derivedMeasurement(measurements, derived)] : measurements;
  const sets = all.flatMap((measurement) => {
    const counters = measurement.counters.filter(({ id }) => shown.has(id));
    return counters.length > 0 ? [setReport(tree, measurement, counters, cells)] : [];
  });
  const ids = sets.flatMap(({ counters }) => counters.map(({ id }) => id));
  const nodes = frame.nodes.map((node, index) => ({
    ...node,
    counters: Object.fromEntries(
      ids.flatMap((id) => {
        const cell = cells.get(id)?.[index];
        return cell ? [[id, cell]] : [];
      }),
    ),
  }));
  return { frame: { ...frame, nodes }, sets };
}
