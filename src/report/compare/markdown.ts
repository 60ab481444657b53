/** A comparison for a comment on a pull request, in GitHub's flavour of Markdown. */
import type { Comparison } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { type Finding, findings } from '../../model/findings.ts';
import {
  type CharactersLeft,
  counterSection,
  escapeMarkdown,
  indentedName,
  mostCharacters,
  tableRow,
} from '../markdown-lines.ts';
import { printable } from '../printable.ts';
import { shorten } from '../text.ts';
import { type ComparedCells, type ComparedColumn, type ComparedFrameCells, comparedCells } from './cells.ts';
import { comparedCounters } from './counters.ts';
import { comparedFrameFacts, comparedNotes, comparisonFacts, frameTitle } from './facts.ts';
import type { CompareReportOptions } from './options.ts';

const mostFindings = 10;
const widestText = 400;
const leftAligned: readonly ComparedColumn[] = ['name', 'verdict'];

/** What would begin a heading or a list. */
const lineStart = /^[-+#=\d]/;
const entity = (character: string): string => `&#${character.charCodeAt(0)};`;

const short = (text: string): string => escapeMarkdown(shorten(printable(text), widestText));

const cellText = (column: ComparedColumn, cells: ComparedCells): string =>
  column === 'name' ? indentedName(cells) : escapeMarkdown(cells[column]);

/** What nothing else explains, a sentence each. */
export function* findingLines(list: readonly Finding[]): Generator<string> {
  const told = list.filter(({ isExplained }) => !isExplained);
  for (const { message, isWorse } of told.slice(0, mostFindings))
    yield isWorse ? `- **${short(message)}**\n` : `- ${short(message).replace(lineStart, entity)}\n`;
  if (told.length > mostFindings) yield `- and ${told.length - mostFindings} more\n`;
  if (told.length > 0) yield '\n';
}

/** The rows that fit into the characters left, and how many did not. */
function* frameTable({ heads, rows }: ComparedFrameCells, left: CharactersLeft): Generator<string> {
  const start =
    tableRow(heads.map(([, head]) => head)) +
    tableRow(heads.map(([column]) => (leftAligned.includes(column) ? ':---' : '---:')));
  left.characters -= start.length;
  yield start;
  for (const [index, cells] of rows.entries()) {
    const text = tableRow(heads.map(([column]) => cellText(column, cells)));
    left.characters -= text.length;
    if (left.characters < 0) {
      yield `\n${rows.length - index} more rows would make this longer than GitHub takes; \`--top\` shows the largest changes.\n`;
      return;
    }
    yield text;
  }
}

/** The events of a comparison and their counters, without a heading; nothing where there is no room. */
export function* comparedTables(
  comparison: Comparison,
  list: readonly Finding[],
  options: CompareReportOptions,
  left: CharactersLeft,
): Generator<string> {
  for (const frame of comparison.frames) {
    if (left.characters < 0) return;
    const shown = comparedCells(frame, comparison, list, options);
    const title = frameTitle(frame, comparison);
    if (title !== '') yield `#### ${title}\n\n`;
    for (const { label, text } of comparedFrameFacts(frame)) yield `**${label}** ${short(text)}\n\n`;
    if (shown.rows.length > 0) {
      yield* frameTable(shown, left);
      yield '\n';
    }
    for (const note of comparedNotes(shown, comparison)) yield `${short(note)}\n\n`;
    if (shown.rows.length === 0) continue;
    for (const of of comparedCounters(shown, comparison, { unit: options.unit })) {
      if (left.characters < 0) return;
      yield* counterSection(of, shown.rows, left);
    }
  }
}

/** What was compared, folded. */
export function* comparisonDetails(comparison: Comparison): Generator<string> {
  yield '<details><summary>How this was compared</summary>\n\n';
  for (const { label, text } of comparisonFacts(comparison))
    yield label === '' ? `  - ${short(text)}\n` : `- **${label}** ${short(text)}\n`;
  yield '\n</details>\n';
}

export function* compareMarkdown(comparison: Comparison, options: CompareReportOptions): Generator<string> {
  const left = { characters: mostCharacters };
  const list = findings(comparison);
  yield `### ${short(comparison.base.label)} → ${short(comparison.new.label)}\n\n`;
  yield `**${findingsSummary(list)}**\n\n`;
  yield* findingLines(list);
  yield* comparedTables(comparison, list, options, left);
  for (const { message } of comparison.warnings) yield `> **warning** ${short(message)}\n\n`;
  yield* comparisonDetails(comparison);
}
