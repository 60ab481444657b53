import type { FrameReport } from '../../model/report.ts';
import type { FrameTimeline, RunTimeline } from '../../model/timeline.ts';
import { type LeafRanges, leafDuration } from './leaf-ranges.ts';

/** A node's stretch of a track, in whole nanoseconds. */
export interface Slice {
  readonly node: number;
  readonly startNs: number;
  readonly endNs: number;
}

/** By leaf, its stretch, and how far a group that ends with it reaches; NaN where it is not known. */
export interface LeafSpans {
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly groupEndNs: Float64Array;
}

export const hasSpan = ({ startNs }: LeafSpans, leaf: number): boolean => !Number.isNaN(startNs[leaf]);

/** The slices of all nodes, depth first: a group reaches from its first leaf that has a span to its last. */
export function* slices(frame: FrameReport, ranges: LeafRanges, spans: LeafSpans): Generator<Slice> {
  for (let node = 0; node < frame.nodes.length; node++) {
    let first = ranges.first[node];
    let last = ranges.end[node] - 1;
    while (first <= last && !hasSpan(spans, first)) first++;
    while (last > first && !hasSpan(spans, last)) last--;
    if (first > last) continue;
    const endNs = frame.nodes[node].isLeaf ? spans.endNs[last] : spans.groupEndNs[last];
    yield { node, startNs: spans.startNs[first], endNs };
  }
}

/** When each leaf's calls were submitted; times count from `zeroNs` before the timeline's own zero. */
export function submissionSpans(run: RunTimeline, zeroNs: number): LeafSpans {
  const at = (timeNs: number) => zeroNs + Math.round(timeNs);
  const endNs = Float64Array.from(run.submitEndNs, at);
  return { startNs: Float64Array.from(run.submitStartNs, at), endNs, groupEndNs: endNs };
}

/**
 * When each leaf was executed. Its slice lasts as long as the table says, which is less than from its start to its end:
 * those have the cost of the bracket in them. Slices never overlap but for groups, which have all of their leaves within
 * them: viewers drop or move what does not nest.
 */
export function executionSpans(
  frame: FrameReport,
  ranges: LeafRanges,
  index: number,
  raw: boolean,
  zeroNs: number,
): LeafSpans {
  const { startsNs, endsNs, submitStartNs } = (frame.timeline as FrameTimeline).runs[index];
  const unknown = () => new Float64Array(startsNs.length).fill(Number.NaN);
  const spans: LeafSpans = { startNs: unknown(), endNs: unknown(), groupEndNs: unknown() };
  let free = Number.NEGATIVE_INFINITY;
  for (let leaf = 0; leaf < startsNs.length; leaf++) {
    const durationNs = leafDuration(frame, ranges.nodes[leaf], index, raw);
    const timeNs = startsNs[leaf];
    const doneNs = endsNs[leaf];
    if (timeNs === null || doneNs === null || durationNs === null) continue;
    // By the timer's own reading a bracket may have begun a little before its timestamp, but not before its submission.
    const begunNs = Math.max(submitStartNs[leaf], Math.min(timeNs, doneNs - durationNs));
    const startNs = Math.max(free, zeroNs + Math.round(begunNs));
    const endNs = startNs + Math.round(durationNs);
    // What takes no time at the very end of a group would lie behind it.
    free = Math.max(endNs, startNs + 1, zeroNs + Math.round(doneNs));
    spans.startNs[leaf] = startNs;
    spans.endNs[leaf] = endNs;
    spans.groupEndNs[leaf] = free;
  }
  return spans;
}
