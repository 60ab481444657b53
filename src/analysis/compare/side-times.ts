import type { FrameReport } from '../../model/report.ts';
import type { SideTime } from './time-change.ts';

type Metric = 'duration' | 'cpu';
type Samples = readonly (number | null)[];

/** Index of each node's parent, -1 for the frame; nodes stand depth first. */
function parentsOf(nodes: FrameReport['nodes']): number[] {
  const open: number[] = [];
  return nodes.map(({ depth }, index) => {
    open[depth] = index;
    return depth === 0 ? -1 : open[depth - 1];
  });
}

/** A parent that lacks a leaf in a run has no sum of that run to compare with its others. */
function withoutPartialSums(nodes: FrameReport['nodes'], samples: Samples[]): void {
  const lacking = nodes.map(({ isLeaf }, index) =>
    isLeaf ? new Set(samples[index].flatMap((value, run) => (value === null ? [run] : []))) : new Set<number>(),
  );
  const parents = parentsOf(nodes);
  for (let index = nodes.length - 1; index > 0; index--)
    for (const run of lacking[index]) lacking[parents[index]]?.add(run);
  nodes.forEach((_, index) => {
    if (lacking[index].size > 0)
      samples[index] = samples[index].map((value, run) => (lacking[index].has(run) ? null : value));
  });
}

/** The times of a frame's nodes, by index. */
export function nodeTimes(frame: FrameReport, metric: Metric): SideTime[] {
  const { nodes } = frame;
  const samples = nodes.map(
    (node): Samples => (metric === 'cpu' ? (node.samples.cpuNs ?? []) : node.samples.durationNs),
  );
  if (nodes.some(({ isLeaf }, index) => isLeaf && samples[index].includes(null))) withoutPartialSums(nodes, samples);
  const noneIsSound = frame.runs > 0 && frame.questionableRuns === frame.runs;
  return nodes.map((node, index) => ({
    medianNs: (metric === 'cpu' ? node.cpuNs : node.durationNs)?.median ?? null,
    samplesNs: samples[index],
    problem: noneIsSound || node.status === 'failed' ? node.reason : null,
  }));
}

/** The frame's own time, of runs with one bracket around all of it. */
export function plainTime(frame: FrameReport, metric: Metric): SideTime {
  const statistics = metric === 'cpu' ? frame.plainCpuNs : frame.plainNs;
  const samplesNs = (metric === 'cpu' ? frame.plainSamples?.cpuNs : frame.plainSamples?.durationNs) ?? [];
  return { medianNs: statistics?.median ?? null, samplesNs, problem: null };
}
