import type { FrameReport } from '../../model/report.ts';
import type { RunTimeline } from '../../model/timeline.ts';
import { type LeafRanges, leafDuration } from './leaf-ranges.ts';

/** A node's stretch of a track, in whole nanoseconds of the host's monotonic clock. */
export interface Slice {
  readonly node: number;
  readonly startNs: number;
  readonly endNs: number;
}

type Span = readonly [startNs: number, endNs: number] | null;

/** The slices of all nodes, depth first: a group reaches from its first leaf that has a span to its last. */
function slicesOf(frame: FrameReport, ranges: LeafRanges, spans: readonly Span[]): Slice[] {
  return frame.nodes.flatMap((_, node) => {
    let [first, last] = [ranges.first[node], ranges.end[node] - 1];
    while (first <= last && spans[first] === null) first++;
    while (last > first && spans[last] === null) last--;
    const [from, to] = [spans[first], spans[last]];
    return first <= last && from && to ? [{ node, startNs: from[0], endNs: to[1] }] : [];
  });
}

/** When each node's calls were submitted. */
export function submissionSlices(frame: FrameReport, ranges: LeafRanges, run: RunTimeline, originNs: number): Slice[] {
  const whole = (timeNs: number) => originNs + Math.round(timeNs);
  return slicesOf(
    frame,
    ranges,
    run.submitStartNs.map((startNs, leaf): Span => [whole(startNs), whole(run.submitEndNs[leaf])]),
  );
}

/**
 * When each node was executed. A leaf's slice lasts as long as the table says, which is less than from its start to its
 * end: those have the cost of the bracket in them.
 */
export function executionSlices(frame: FrameReport, ranges: LeafRanges, index: number, raw: boolean): Slice[] {
  const { runs, originNs } = frame.timeline ?? { runs: [], originNs: 0 };
  const { startsNs, endsNs } = runs[index];
  return slicesOf(
    frame,
    ranges,
    startsNs.map((startNs, leaf): Span => {
      const durationNs = leafDuration(frame, ranges.nodes[leaf], index, raw);
      const endNs = endsNs[leaf];
      if (startNs === null || endNs === null || durationNs === null) return null;
      // By the timer's own reading a bracket may have begun a little before its timestamp.
      const start = originNs + Math.round(Math.min(startNs, endNs - durationNs));
      return [start, start + Math.round(durationNs)];
    }),
  );
}
