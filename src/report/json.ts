import type { Report } from '../model/report.ts';

/** Control and direction characters that JSON lets through and a terminal would obey. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Whole numbers that a double would round are written as text of decimal digits. */
const exactly = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const text = (value: unknown): string =>
  JSON.stringify(value, exactly).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The members of an object but for one, as the start of an object that this one will end. */
function* openObject(value: object, last: string): Generator<string> {
  for (const [key, member] of Object.entries(value))
    if (key !== last && member !== undefined) yield `${text(key)}: ${text(member)},\n`;
  yield `${text(last)}: [`;
}

/** The whole report (SCHEMA.md), a line for each member, node and frame; options do not change it. */
export function* json(report: Report): Generator<string> {
  yield '{\n';
  yield* openObject(report, 'frames');
  for (const [index, frame] of report.frames.entries()) {
    yield index === 0 ? '\n{\n' : ',\n{\n';
    yield* openObject(frame, 'nodes');
    for (const [place, node] of frame.nodes.entries()) yield `${place === 0 ? '\n' : ',\n'}${text(node)}`;
    yield '\n]}';
  }
  yield '\n]\n}\n';
}
