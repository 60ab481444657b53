import type { EventTree } from '../model/event-tree.ts';
import { median } from '../model/median.ts';
import type { FrameReport, NodeReport, NodeStatus, Statistics } from '../model/report.ts';
import type { FrameMeasurement, RunSample } from '../model/sample.ts';
import { countLeaves, type RolledUp, rollUp } from './roll-up.ts';
import { frameTimeline } from './run-timeline.ts';
import { statisticsOf, statisticsOfOne } from './statistics.ts';

/** A reading under this many floors says nothing about what was in the bracket. */
const resolutionFloors = 2;

const lessFloor = (readings: Float64Array, floor: number): Float64Array =>
  readings.map((reading) => Math.max(0, reading - floor));

interface RunValues {
  readonly run: RunSample;
  readonly raw: RolledUp;
  readonly duration: RolledUp;
  readonly cpu: RolledUp | null;
}

function valuesOf(tree: EventTree, run: RunSample): RunValues {
  return {
    run,
    raw: rollUp(tree, run.readingsNs),
    duration: rollUp(tree, lessFloor(run.readingsNs, run.floorNs)),
    cpu: run.cpuNs && run.cpuFloorNs !== null ? rollUp(tree, lessFloor(run.cpuNs, run.cpuFloorNs)) : null,
  };
}

interface Verdict {
  readonly status: NodeStatus;
  readonly reason: string | null;
}

const isSound: Verdict = { status: 'ok', reason: null };
/** By tenths of a floor: thousands of leaves share the few there are. */
const belowResolution = Array.from(
  { length: resolutionFloors * 10 + 1 },
  (_, tenths): Verdict => ({
    status: 'below-resolution',
    reason: `it reads ${(tenths / 10).toFixed(1)} times what an empty bracket reads`,
  }),
);

const floorsOf = ({ run, raw }: RunValues, node: number, leaves: number): number =>
  (raw.values[node] || 0) / (run.floorNs * leaves);

/** How many of the runs say so of a node. */
function countRuns(runs: readonly RunValues[], says: (run: RunValues, node: number) => boolean, node: number): number {
  let count = 0;
  for (const run of runs) if (says(run, node)) count++;
  return count;
}

const isUnknown = ({ raw }: RunValues, node: number): boolean => Number.isNaN(raw.values[node]);
const lacksLeaves = ({ raw }: RunValues, node: number): boolean => raw.missing[node] > 0;

/** What the values of a node over the counted runs are worth. */
function judge(
  node: number,
  leaves: number,
  counted: readonly RunValues[],
  allQuestionable: string | null,
  problem: string | null,
): Verdict {
  if (leaves === 0) return isSound;
  if (countRuns(counted, isUnknown, node) === counted.length) {
    const reason = counted.length === 0 ? (problem ?? 'it was not measured') : 'its queries gave no result in any run';
    return { status: 'failed', reason };
  }
  if (allQuestionable) return { status: 'questionable', reason: allQuestionable };
  const missing = countRuns(counted, lacksLeaves, node);
  if (missing > 0) {
    const what = leaves === 1 ? 'its query gave no result' : 'some of its leaves have no result';
    return { status: 'questionable', reason: `${what} in ${missing} of ${counted.length} runs` };
  }
  const [only] = counted;
  const floors =
    counted.length === 1 ? floorsOf(only, node, leaves) : median(counted.map((run) => floorsOf(run, node, leaves)));
  return floors >= resolutionFloors ? isSound : belowResolution[Math.round(floors * 10) || 0];
}

/** Statistics of a node over the runs that have all its leaves, or over all runs when none has. */
function over(runs: readonly RolledUp[], node: number): Statistics | null {
  // Most nodes of large frames, which are measured once.
  if (runs.length === 1) return Number.isFinite(runs[0].values[node]) ? statisticsOfOne(runs[0].values[node]) : null;
  // A parent lacking a leaf in a run has no sum of that run to compare with its others.
  const whole = runs.filter(({ missing }) => missing[node] === 0);
  return statisticsOf((whole.length > 0 ? whole : runs).map(({ values }) => values[node]));
}

/** A run's sum of all leaves. */
const complete = ({ values, missing }: RolledUp): number => (missing[0] > 0 ? Number.NaN : values[0]);

/** The counted runs' values of each quantity. */
interface Counted {
  readonly duration: readonly RolledUp[];
  readonly raw: readonly RolledUp[];
  readonly cpu: readonly RolledUp[];
}

/** All runs' values of each quantity; no CPU times where no run has any. */
interface Sampled {
  readonly duration: readonly RolledUp[];
  readonly raw: readonly RolledUp[];
  readonly cpu: readonly (RolledUp | null)[] | null;
}

const inEach = (runs: readonly (RolledUp | null)[], node: number): (number | null)[] =>
  runs.map((run) => (run === null || Number.isNaN(run.values[node]) ? null : run.values[node]));

function nodeReport(
  tree: EventTree,
  node: number,
  all: Sampled,
  counted: Counted,
  total: number | null,
  verdict: Verdict,
): NodeReport {
  const { parent, eventId, depth, kind, name, path, draws, isLeaf, program, target } = tree.nodes[node];
  const durationNs = over(counted.duration, node);
  const report: NodeReport & { state?: number } = {
    eventId,
    parentId: parent < 0 ? null : tree.nodes[parent].eventId,
    depth,
    kind,
    name,
    path,
    draws,
    isLeaf,
    program,
    target,
    durationNs,
    rawNs: over(counted.raw, node),
    cpuNs: over(counted.cpu, node),
    share: durationNs && total !== null && total > 0 ? durationNs.median / total : null,
    status: verdict.status,
    reason: verdict.reason,
    samples: {
      durationNs: inEach(all.duration, node),
      rawNs: inEach(all.raw, node),
      cpuNs: all.cpu && inEach(all.cpu, node),
    },
  };
  // Not spread in the literal: a report has a hundred thousand of these.
  const state = tree.states?.[node];
  if (state) report.state = state;
  return report;
}

/** The plain runs as they came. */
function plainSamplesOf(plain: FrameMeasurement['plain']): FrameReport['plainSamples'] {
  const hasCpu = plain.some(({ cpuNs }) => cpuNs !== null);
  return {
    durationNs: plain.map(({ durationNs }) => (Number.isFinite(durationNs) ? durationNs : null)),
    cpuNs: hasCpu ? plain.map(({ cpuNs }) => cpuNs) : null,
  };
}

/**
 * Statistics of one frame: for every leaf of its readings less the floor of their run, for every parent of its per-run
 * sums. Questionable runs stay in the samples but count in no statistic, unless all runs are questionable.
 */
export function analyseFrame(tree: EventTree, measurement: FrameMeasurement): FrameReport {
  const all = measurement.runs.map((run) => valuesOf(tree, run));
  const sound = all.filter(({ run }) => run.questionable === null);
  const counted = sound.length > 0 ? sound : all;
  const allQuestionable = all.length > 0 && sound.length === 0 ? all[0].run.questionable : null;
  const quantities: Counted = {
    duration: counted.map(({ duration }) => duration),
    raw: counted.map(({ raw }) => raw),
    cpu: counted.map(({ cpu }) => cpu).filter((cpu) => cpu !== null),
  };
  const samples: Sampled = {
    duration: all.map(({ duration }) => duration),
    raw: all.map(({ raw }) => raw),
    cpu: all.some(({ cpu }) => cpu !== null) ? all.map(({ cpu }) => cpu) : null,
  };
  const leaves = countLeaves(tree);
  const sumOfLeavesNs = statisticsOf(counted.map(({ duration }) => complete(duration)));
  const plainNs = statisticsOf(measurement.plain.map(({ durationNs }) => durationNs));
  const bracketedNs = statisticsOf(counted.map(({ run }) => run.bracketedNs));
  const timeline = frameTimeline(measurement.runs.flatMap(({ record }) => record ?? []));
  return {
    frame: measurement.frame,
    plainNs,
    plainCpuNs: statisticsOf(measurement.plain.map(({ cpuNs }) => cpuNs)),
    plainSamples: plainSamplesOf(measurement.plain),
    bracketedNs,
    sumOfLeavesNs,
    inflation: plainNs && bracketedNs && plainNs.median > 0 ? bracketedNs.median / plainNs.median : null,
    floorNs: statisticsOf(counted.map(({ run }) => run.floorNs)),
    runs: all.length,
    questionableRuns: all.length - sound.length,
    repeatedRuns: measurement.repeated,
    ...(timeline && { timeline }),
    nodes: tree.nodes.map((_, node) =>
      nodeReport(
        tree,
        node,
        samples,
        quantities,
        sumOfLeavesNs?.median ?? null,
        judge(node, leaves[node], counted, allQuestionable, measurement.problem),
      ),
    ),
  };
}
