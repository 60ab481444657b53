/** Which events of a comparison are shown, and in which order. */
import type { ComparedFrame, ComparedNode } from '../../model/comparison.ts';
import type { Finding } from '../../model/findings.ts';
import type { CompareReportOptions } from './options.ts';

export interface ComparedRow {
  readonly node: ComparedNode;
  /** Levels of indentation; 0 for every row of a flat list. */
  readonly indent: number;
  /** What to call it: its name in the tree, its path in a flat list. */
  readonly label: string;
  /** Whether deeper events, or what it stands in, account for what is said of it. */
  readonly isExplained: boolean;
}

type Selection = Pick<CompareReportOptions, 'all' | 'top'>;

/** Of a row, what the new side has, or what the base had. */
const eventOf = (node: ComparedNode) => node.new ?? node.base;

/** The events that the findings are about, in their order, and whether nothing explains one of them. */
function newsOf(frame: ComparedFrame, findings: readonly Finding[]): Map<ComparedNode, boolean> {
  const news = new Map<ComparedNode, boolean>();
  for (const { frame: of, node, isExplained } of findings)
    if (of === frame && node) news.set(node, news.get(node) || !isExplained);
  return news;
}

/**
 * Depth first: with `all` every event, else those that a finding is about and whatever they stand in; with `top` the N
 * events of the first findings, flat.
 */
export function selectComparedRows(
  frame: ComparedFrame,
  findings: readonly Finding[],
  { all, top }: Selection,
): ComparedRow[] {
  const news = newsOf(frame, findings);
  const row = (node: ComparedNode, isFlat: boolean): ComparedRow => ({
    node,
    indent: isFlat ? 0 : node.depth,
    label: (isFlat ? eventOf(node)?.path || eventOf(node)?.name : eventOf(node)?.name) ?? '',
    isExplained: news.get(node) === false,
  });
  if (top !== null) {
    const rest = all ? frame.nodes.filter((node) => !news.has(node)) : [];
    return [...news.keys(), ...rest].slice(0, top).map((node) => row(node, true));
  }
  const shown = frame.nodes.map((node) => all || news.has(node));
  for (let index = frame.nodes.length - 1; index >= 0; index--)
    if (shown[index] && frame.nodes[index].parent >= 0) shown[frame.nodes[index].parent] = true;
  return frame.nodes.filter((_, index) => shown[index]).map((node) => row(node, false));
}
