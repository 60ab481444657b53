/** What the script of a comparison's page gets. */
import type { HtmlTree } from '../html/data.ts';

export interface ComparedHtmlFrame {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly tree: HtmlTree;
  /** By node, what is known of it beside its columns. */
  readonly notes: readonly (readonly string[])[];
  /** Of marks in the cells, and of counters. */
  readonly frameNotes: readonly string[];
}

export interface ComparedHtmlData {
  readonly frames: readonly ComparedHtmlFrame[];
}
