import type { HtmlTree } from '../data.ts';
import { familyOf } from './rows.ts';

export interface Box {
  readonly index: number;
  /** In parts of the frame's box, from 0 to 1. */
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

/**
 * A box for each node that took time, depth first; siblings follow each other as submitted. A node's time is its leaves'
 * in every run, though medians need not add up: children fill its box in the proportion of theirs.
 */
export function flameBoxes({ depths, columns }: HtmlTree): Box[] {
  const times = columns.find(({ key }) => key === 'durationNs')?.values ?? [];
  const { parents } = familyOf(depths);
  const sums = new Float64Array(depths.length);
  for (const [index, parent] of parents.entries()) if (parent >= 0) sums[parent] += times[index] ?? 0;
  const widths = new Float64Array(depths.length);
  /** Where the next child of each node begins. */
  const starts = new Float64Array(depths.length);
  return depths.flatMap((depth, index) => {
    const time = times[index] ?? 0;
    const parent = parents[index];
    if (time <= 0 || (parent >= 0 && widths[parent] === 0)) return [];
    const width = parent < 0 ? 1 : (widths[parent] * time) / sums[parent];
    const x = parent < 0 ? 0 : starts[parent];
    if (parent >= 0) starts[parent] += width;
    widths[index] = width;
    starts[index] = x;
    return [{ index, x, width, depth }];
  });
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
