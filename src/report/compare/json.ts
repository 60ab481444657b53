import type { Comparison } from '../../model/comparison.ts';
import { jsonText, openObject } from '../json-text.ts';

/** The whole comparison (SCHEMA.md), a line for each member, event and frame; no line break behind it. */
export function* comparisonObject(comparison: Comparison): Generator<string> {
  yield '{\n';
  yield* openObject(comparison, 'frames');
  for (const [index, frame] of comparison.frames.entries()) {
    yield index === 0 ? '\n{\n' : ',\n{\n';
    yield* openObject(frame, 'nodes');
    for (const [place, node] of frame.nodes.entries()) yield `${place === 0 ? '\n' : ',\n'}${jsonText(node)}`;
    yield '\n]}';
  }
  yield '\n]\n}';
}

/** Options do not change it. */
export function* compareJson(comparison: Comparison): Generator<string> {
  yield* comparisonObject(comparison);
  yield '\n';
}
