import type { GateResult } from '../../model/gate.ts';
import { comparisonObject } from '../compare/json.ts';
import { jsonText, openObject } from '../json-text.ts';

/** The whole result (SCHEMA.md), a line for each member, check and event; options do not change it. */
export function* gateJson(result: GateResult): Generator<string> {
  yield '{\n';
  yield* openObject(result, 'captures');
  for (const [index, capture] of result.captures.entries()) {
    const { comparison, ...rest } = capture;
    yield index === 0 ? '\n{\n' : ',\n{\n';
    yield* openObject(rest, 'checks');
    for (const [place, check] of capture.checks.entries()) yield `${place === 0 ? '\n' : ',\n'}${jsonText(check)}`;
    yield '\n],\n"comparison": ';
    if (comparison === null) yield 'null';
    else yield* comparisonObject(comparison);
    yield '}';
  }
  yield '\n]\n}\n';
}
