/** A table for a comment on a pull request, in GitHub's flavour of Markdown. */
import type { Report } from '../model/report.ts';
import { type CounterTable, counterTables } from './counter-columns.ts';
import { cells, type FrameRows, frameRows, heads } from './frame-rows.ts';
import { rowNotes, warningTexts } from './notes.ts';
import type { ReportOptions } from './options.ts';
import { printable } from './printable.ts';
import { frameFacts, reportFacts } from './summary.ts';
import type { Cells, ColumnName } from './table-columns.ts';
import { shorten } from './text.ts';

/** GitHub takes comments of up to 65,536 characters. */
const mostCharacters = 60_000;
const widestName = 120;
const rightAligned: readonly ColumnName[] = ['event', 'draws', 'duration', 'spread', 'cpu', 'share'];

/** What Markdown, HTML, a formula or a link is made of; mentions of people and issues break at a comment. */
const active = /[&<>|\\`*_~[\]$]|:(?=\/\/)|[@#](?=\w)|w(?=ww\.)/gi;

/** Text that GitHub shows as it is: no markup in it works, and it mentions and links nothing. */
export function escapeMarkdown(text: string): string {
  return printable(text).replace(active, (character) =>
    /[@#w]/i.test(character) ? `${character}<!-- -->` : `&#${character.charCodeAt(0)};`,
  );
}

function cellText(name: ColumnName, row: Cells): string {
  if (name !== 'name') return escapeMarkdown(row[name]);
  return '&emsp;'.repeat(Math.min(row.indent, 16)) + escapeMarkdown(shorten(row.name, widestName));
}

const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`;

/** The rows that fit into the characters left, and how many did not. */
function* frameTable(shown: FrameRows, left: { characters: number }): Generator<string> {
  const columns = heads(shown).filter(([name]) => name !== 'bar');
  yield line(columns.map(([, head]) => head));
  yield line(columns.map(([name]) => (rightAligned.includes(name) ? '---:' : ':---')));
  for (const [index, row] of shown.rows.entries()) {
    const values = cells(shown, row);
    const text = line(columns.map(([name]) => cellText(name, values)));
    left.characters -= text.length;
    if (left.characters < 0) {
      yield `\n${shown.rows.length - index} more rows would make this longer than GitHub takes; \`--top\` shows the heaviest.\n`;
      return;
    }
    yield text;
  }
}

/** One set: its heading, a table of its counters and what is doubtful of it, as far as there is room. */
function* counterTable(of: CounterTable, rows: readonly Cells[], left: { characters: number }): Generator<string> {
  const how = of.how === '' ? '' : `: ${escapeMarkdown(of.how)}`;
  const heads = ['event', 'name', ...of.columns.map(({ head }) => escapeMarkdown(head))];
  const start = [
    `**${escapeMarkdown(of.name)}**${how}\n\n`,
    of.columns.length === 0 ? '' : line(heads) + line(heads.map((head) => (head === 'name' ? ':---' : '---:'))),
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
    const text = line([cellText('event', row), cellText('name', row), ...values]);
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

export function* markdown(report: Report, options: ReportOptions): Generator<string> {
  const left = { characters: mostCharacters };
  for (const frame of report.frames) {
    const shown = frameRows(frame, options);
    const title = report.capture.frames > 1 ? `, frame ${frame.frame}` : '';
    yield `### ${escapeMarkdown(report.capture.file)}${title}\n\n`;
    for (const { label, text } of frameFacts(frame, report)) yield `- **${label}** ${escapeMarkdown(text)}\n`;
    yield '\n';
    yield* frameTable(shown, left);
    yield '\n';
    for (const note of rowNotes(shown)) yield `${escapeMarkdown(note)}\n\n`;
    if (!report.counters) continue;
    const rows = shown.rows.map((row) => cells(shown, row));
    for (const of of counterTables(shown, report)) yield* counterTable(of, rows, left);
  }
  for (const warning of warningTexts(report)) yield `> **warning** ${escapeMarkdown(warning)}\n\n`;
  yield '<details><summary>How this was measured</summary>\n\n';
  for (const { label, text } of reportFacts(report))
    yield label === '' ? `  - ${escapeMarkdown(text)}\n` : `- **${label}** ${escapeMarkdown(text)}\n`;
  yield '\n</details>\n';
}
