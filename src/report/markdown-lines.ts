/** Pieces of GitHub's Markdown that nothing in a name can break out of, and that keep to GitHub's limits. */
import type { CounterTable } from './counter-columns.ts';
import type { NamedRow } from './counter-lines.ts';
import { printable } from './printable.ts';
import { shorten } from './text.ts';

/** GitHub takes comments of up to 65,536 characters. */
export const mostCharacters = 60_000;
const widestName = 120;

export interface CharactersLeft {
  characters: number;
}

/** What Markdown, HTML, a formula or a link is made of; mentions of people and issues break at a comment. */
const active = /[&<>|\\`*_~[\]$]|:(?=\/\/)|[@#](?=\w)|w(?=ww\.)/gi;

/** Text that GitHub shows as it is: no markup in it works, and it mentions and links nothing. */
export function escapeMarkdown(text: string): string {
  return printable(text).replace(active, (character) =>
    /[@#w]/i.test(character) ? `${character}<!-- -->` : `&#${character.charCodeAt(0)};`,
  );
}

/** The name of a row of a tree. */
export const indentedName = ({ name, indent }: Pick<NamedRow, 'name' | 'indent'>): string =>
  '&emsp;'.repeat(Math.min(indent, 16)) + escapeMarkdown(shorten(name, widestName));

export const tableRow = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`;

/** One set: its heading, a table of its counters and what is doubtful of it, as far as there is room. */
export function* counterSection(of: CounterTable, rows: readonly NamedRow[], left: CharactersLeft): Generator<string> {
  const how = of.how === '' ? '' : `: ${escapeMarkdown(of.how)}`;
  const heads = ['event', 'name', ...of.columns.map(({ head }) => escapeMarkdown(head))];
  const start = [
    `**${escapeMarkdown(of.name)}**${how}\n\n`,
    of.columns.length === 0 ? '' : tableRow(heads) + tableRow(heads.map((head) => (head === 'name' ? ':---' : '---:'))),
    ...of.notes.map((note) => `${escapeMarkdown(note)}\n\n`),
  ];
  left.characters -= start.join('').length;
  if (left.characters < 0) {
    yield `**${escapeMarkdown(shorten(of.name, widestName))}** would make this longer than GitHub takes.\n\n`;
    return;
  }
  yield start[0];
  yield start[1];
  for (const [index, row] of of.columns.length === 0 ? [] : rows.entries()) {
    const values = of.columns.map(({ texts }) => escapeMarkdown(texts[index]));
    const text = tableRow([escapeMarkdown(row.event), indentedName(row), ...values]);
    left.characters -= text.length;
    if (left.characters < 0) {
      yield `\n${rows.length - index} more rows would make this longer than GitHub takes.\n`;
      break;
    }
    yield text;
  }
  if (of.columns.length > 0) yield '\n';
  yield* start.slice(2);
}
