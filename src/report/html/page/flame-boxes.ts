import type { HtmlTree } from '../data.ts';

export interface Box {
  readonly index: number;
  /** In parts of the frame's time, from 0 to 1. */
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

/** A box for each node that took time, depth first; siblings follow each other as submitted. */
export function flameBoxes({ depths, columns }: HtmlTree): Box[] {
  const times = columns.find(({ key }) => key === 'durationNs')?.values ?? [];
  const total = times[0] ?? 0;
  if (total <= 0) return [];
  const starts: number[] = [0];
  const boxes: Box[] = [];
  for (const [index, depth] of depths.entries()) {
    const x = starts[depth] ?? 0;
    const width = (times[index] ?? 0) / total;
    if (width > 0) boxes.push({ index, x, width, depth });
    starts[depth] = x + width;
    starts[depth + 1] = x;
  }
  return boxes;
}

/** The box that an arrow key leads to: the next of the same depth, the one around, the longest in it. */
export function neighbour(boxes: readonly Box[], from: Box, key: string): Box | undefined {
  const at = boxes.indexOf(from);
  if (key === 'ArrowUp') return boxes.slice(0, at).findLast(({ depth }) => depth === from.depth - 1);
  if (key === 'ArrowRight') return boxes.slice(at + 1).find(({ depth }) => depth === from.depth);
  if (key === 'ArrowLeft') return boxes.slice(0, at).findLast(({ depth }) => depth === from.depth);
  if (key !== 'ArrowDown') return undefined;
  let longest: Box | undefined;
  for (const box of boxes.slice(at + 1)) {
    if (box.depth <= from.depth) break;
    if (box.depth === from.depth + 1 && box.width > (longest?.width ?? 0)) longest = box;
  }
  return longest;
}
