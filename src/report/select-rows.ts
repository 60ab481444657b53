import type { FrameReport, NodeReport, Statistics } from '../model/report.ts';
import type { ReportOptions } from './options.ts';

export interface Row {
  readonly node: NodeReport;
  /** Levels of indentation; 0 for every row of a flat list. */
  readonly indent: number;
  /** What to call it: its name in the tree, its path in a flat list. */
  readonly label: string;
}

type Selection = Pick<ReportOptions, 'top' | 'sort' | 'depth' | 'filter' | 'raw' | 'metric'>;

/** The statistics a report rests on: CPU time, the duration, or the raw reading. */
export function metricOf(node: NodeReport, { metric, raw }: Pick<ReportOptions, 'metric' | 'raw'>): Statistics | null {
  if (metric === 'cpu') return node.cpuNs;
  return raw ? node.rawNs : node.durationNs;
}

function matcher(filter: string | null): (node: NodeReport) => boolean {
  if (filter === null) return () => true;
  const text = filter.toLowerCase();
  return (node) => node.name.toLowerCase().includes(text) || node.path.toLowerCase().includes(text);
}

/** Falling by the metric; what has no value comes last; equals stay in event order. */
function heavierFirst(options: Selection): (left: NodeReport, right: NodeReport) => number {
  const weight = (node: NodeReport): number => metricOf(node, options)?.median ?? -1;
  return (left, right) => weight(right) - weight(left);
}

/** Index of each node's parent in a depth-first list, -1 for the frame. */
function parentsOf(nodes: readonly NodeReport[]): number[] {
  const open: number[] = [];
  return nodes.map((node, index) => {
    open.length = Math.min(open.length, node.depth);
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return parent;
  });
}

/** The tree, depth first: nodes that match and whatever they stand in. */
function treeRows(nodes: readonly NodeReport[], options: Selection): Row[] {
  const matches = matcher(options.filter);
  const parents = parentsOf(nodes);
  const shown = nodes.map((node) => matches(node) && (options.depth === null || node.depth <= options.depth));
  for (let index = nodes.length - 1; index > 0; index--) if (shown[index]) shown[parents[index]] = true;
  const row = (node: NodeReport): Row => ({ node, indent: node.depth, label: node.name });
  if (options.sort === 'order') return nodes.filter((_, index) => shown[index]).map(row);
  const children: number[][] = nodes.map(() => []);
  const roots: number[] = [];
  for (let index = nodes.length - 1; index >= 0; index--) {
    if (shown[index]) (children[parents[index]] ?? roots).push(index);
  }
  // Siblings lie last to first, as a stack wants them.
  const order = heavierFirst(options);
  for (const siblings of children) siblings.sort((left, right) => order(nodes[right], nodes[left]) || right - left);
  const rows: Row[] = [];
  const stack = roots;
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    rows.push(row(nodes[index]));
    stack.push(...children[index]);
  }
  return rows;
}

function topRows(nodes: readonly NodeReport[], top: number, options: Selection): Row[] {
  const matches = matcher(options.filter);
  const leaves = nodes.filter((node) => node.isLeaf && matches(node));
  const heaviest = new Set([...leaves].sort(heavierFirst(options)).slice(0, top));
  const shown = options.sort === 'duration' ? [...heaviest] : leaves.filter((leaf) => heaviest.has(leaf));
  return shown.map((node) => ({ node, indent: 0, label: node.path }));
}

/** The rows of a frame that the options ask for, in the order in which they are shown. */
export function selectRows(frame: FrameReport, options: Selection): Row[] {
  return options.top === null ? treeRows(frame.nodes, options) : topRows(frame.nodes, options.top, options);
}
