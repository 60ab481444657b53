/** One report out of those of several processes, which differ by where their code and memory lie. */
import type { FrameReport, NodeReport, NodeStatus, Report, Statistics, Warning } from '../../model/report.ts';
import { statisticsOf } from '../statistics.ts';

type Samples = readonly (number | null)[];

const fromBest: readonly NodeStatus[] = ['ok', 'below-resolution', 'questionable', 'failed'];

const worse = (one: NodeReport, other: NodeReport): NodeReport =>
  fromBest.indexOf(other.status) > fromBest.indexOf(one.status) ? other : one;

/** Null when any is. */
const joined = (lists: readonly (Samples | null)[]): Samples | null =>
  lists.every((list) => list !== null) ? lists.flat() : null;

/** Of what has no samples: over the processes. */
const overMedians = (each: readonly (Statistics | null)[]): Statistics | null =>
  statisticsOf(each.map((statistics) => statistics?.median ?? null));

function pooledNode(nodes: readonly NodeReport[], totalNs: number): NodeReport {
  const samples = {
    durationNs: nodes.flatMap((node) => node.samples.durationNs),
    rawNs: nodes.flatMap((node) => node.samples.rawNs),
    cpuNs: joined(nodes.map((node) => node.samples.cpuNs)),
  };
  const durationNs = statisticsOf(samples.durationNs);
  const { status, reason } = nodes.reduce(worse);
  return {
    ...nodes[0],
    durationNs,
    rawNs: statisticsOf(samples.rawNs),
    cpuNs: samples.cpuNs && statisticsOf(samples.cpuNs),
    share: durationNs && totalNs > 0 ? durationNs.median / totalNs : null,
    status,
    reason,
    samples,
  };
}

function pooledFrame(frames: readonly FrameReport[]): FrameReport {
  const plainSamples = {
    durationNs: frames.flatMap((frame) => frame.plainSamples?.durationNs ?? []),
    cpuNs: joined(frames.map((frame) => frame.plainSamples?.cpuNs ?? null)),
  };
  const plainNs = statisticsOf(plainSamples.durationNs);
  const bracketedNs = overMedians(frames.map((frame) => frame.bracketedNs));
  const sumOfLeavesNs = statisticsOf(frames.flatMap(({ nodes }) => nodes[0].samples.durationNs));
  const sum = (of: (frame: FrameReport) => number): number => frames.reduce((total, frame) => total + of(frame), 0);
  return {
    ...frames[0],
    plainNs,
    plainCpuNs: plainSamples.cpuNs && statisticsOf(plainSamples.cpuNs),
    plainSamples,
    bracketedNs,
    sumOfLeavesNs,
    inflation: plainNs && bracketedNs && plainNs.median > 0 ? bracketedNs.median / plainNs.median : null,
    floorNs: overMedians(frames.map((frame) => frame.floorNs)),
    runs: sum(({ runs }) => runs),
    questionableRuns: sum(({ questionableRuns }) => questionableRuns),
    repeatedRuns: sum(({ repeatedRuns }) => repeatedRuns),
    nodes: frames[0].nodes.map((_, index) =>
      pooledNode(
        frames.map(({ nodes }) => nodes[index]),
        sumOfLeavesNs?.median ?? 0,
      ),
    ),
  };
}

/** The first of each kind: numbers in them differ from process to process. */
const distinct = (warnings: readonly Warning[]): Warning[] =>
  [...new Map(warnings.toReversed().map((warning) => [warning.code, warning])).values()].reverse();

/**
 * The runs of all processes as those of one measurement; at least one report, all of one capture measured alike. Statistics
 * are those of all samples, and of floors and brackets those of the processes' medians; counters and GL errors are the
 * first's. What is doubtful in one process is so in all.
 */
export function poolReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (reports.length === 1) return first;
  return {
    ...first,
    frames: first.frames.map((_, index) => pooledFrame(reports.map(({ frames }) => frames[index]))),
    warnings: distinct(reports.flatMap(({ warnings }) => warnings)),
  };
}
