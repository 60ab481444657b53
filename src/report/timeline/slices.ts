import type { FrameReport } from '../../model/report.ts';
import type { FrameTimeline, RunTimeline } from '../../model/timeline.ts';
import { type LeafRanges, leafDuration } from './leaf-ranges.ts';

/** A node's stretch of a track, in whole nanoseconds. */
export interface Slice {
  readonly node: number;
  readonly startNs: number;
  readonly endNs: number;
}

/** A leaf's stretch, and how far a group that ends with it reaches. */
interface Span {
  readonly startNs: number;
  readonly endNs: number;
  readonly groupEndNs: number;
}

/** The slices of all nodes, depth first: a group reaches from its first leaf that has a span to its last. */
function slicesOf(frame: FrameReport, ranges: LeafRanges, spans: readonly (Span | null)[]): Slice[] {
  return frame.nodes.flatMap(({ isLeaf }, node) => {
    let [first, last] = [ranges.first[node], ranges.end[node] - 1];
    while (first <= last && spans[first] === null) first++;
    while (last > first && spans[last] === null) last--;
    const [from, to] = [spans[first], spans[last]];
    if (first > last || !from || !to) return [];
    return [{ node, startNs: from.startNs, endNs: isLeaf ? to.endNs : to.groupEndNs }];
  });
}

/** When each node's calls were submitted; times count from `zeroNs` before the timeline's own zero. */
export function submissionSlices(frame: FrameReport, ranges: LeafRanges, run: RunTimeline, zeroNs: number): Slice[] {
  const spans = run.submitStartNs.map((timeNs, leaf): Span => {
    const [startNs, endNs] = [timeNs, run.submitEndNs[leaf]].map((each) => zeroNs + Math.round(each));
    return { startNs, endNs, groupEndNs: endNs };
  });
  return slicesOf(frame, ranges, spans);
}

/**
 * When each node was executed. A leaf's slice lasts as long as the table says, which is less than from its start to its
 * end: those have the cost of the bracket in them. Slices never overlap but for groups, which have all of their leaves within
 * them: viewers drop or move what does not nest.
 */
export function executionSlices(
  frame: FrameReport,
  ranges: LeafRanges,
  index: number,
  raw: boolean,
  zeroNs: number,
): Slice[] {
  const { startsNs, endsNs, submitStartNs } = (frame.timeline as FrameTimeline).runs[index];
  let free = Number.NEGATIVE_INFINITY;
  const spans = startsNs.map((timeNs, leaf): Span | null => {
    const durationNs = leafDuration(frame, ranges.nodes[leaf], index, raw);
    const doneNs = endsNs[leaf];
    if (timeNs === null || doneNs === null || durationNs === null) return null;
    // By the timer's own reading a bracket may have begun a little before its timestamp, but not before its submission.
    const begunNs = Math.max(submitStartNs[leaf], Math.min(timeNs, doneNs - durationNs));
    const startNs = Math.max(free, zeroNs + Math.round(begunNs));
    const endNs = startNs + Math.round(durationNs);
    // What takes no time at the very end of a group would lie behind it.
    free = Math.max(endNs, startNs + 1, zeroNs + Math.round(doneNs));
    return { startNs, endNs, groupEndNs: free };
  });
  return slicesOf(frame, ranges, spans);
}
