import type { Report } from '../model/report.ts';
import { jsonText, openObject } from './json-text.ts';

/** The whole report (SCHEMA.md), a line for each member, node and frame; options do not change it. */
export function* json(report: Report): Generator<string> {
  yield '{\n';
  yield* openObject(report, 'frames');
  for (const [index, frame] of report.frames.entries()) {
    yield index === 0 ? '\n{\n' : ',\n{\n';
    yield* openObject(frame, 'nodes');
    for (const [place, node] of frame.nodes.entries()) yield `${place === 0 ? '\n' : ',\n'}${jsonText(node)}`;
    yield '\n]}';
  }
  yield '\n]\n}\n';
}
