import type { FrameReport } from '../../model/report.ts';

/** Which leaves, by their number in the samples, each node of a frame covers: from `first` up to but without `end`. */
export interface LeafRanges {
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** The node of each leaf. */
  readonly nodes: readonly number[];
}

export function leafRanges({ nodes }: FrameReport): LeafRanges {
  const first = new Int32Array(nodes.length);
  const end = new Int32Array(nodes.length);
  const leaves: number[] = [];
  const open: number[] = [];
  const close = (depth: number): void => {
    while (open.length > 0 && nodes[open[open.length - 1]].depth >= depth) end[open.pop() as number] = leaves.length;
  };
  nodes.forEach((node, index) => {
    close(node.depth);
    first[index] = leaves.length;
    open.push(index);
    if (node.isLeaf) leaves.push(index);
  });
  close(0);
  return { first, end, nodes: leaves };
}

/** What a leaf took in a run, as the table counts it: with `raw`, the floor included; null without a result. */
export const leafDuration = (frame: FrameReport, node: number, run: number, raw: boolean): number | null =>
  frame.nodes[node].samples[raw ? 'rawNs' : 'durationNs'][run] ?? null;
