/** A table for a comment on a pull request, in GitHub's flavour of Markdown. */
import type { Report } from '../model/report.ts';
import { counterTables } from './counter-columns.ts';
import { cells, type FrameRows, frameRows, heads } from './frame-rows.ts';
import {
  type CharactersLeft,
  counterSection,
  escapeMarkdown,
  indentedName,
  mostCharacters,
  tableRow,
} from './markdown-lines.ts';
import { rowNotes, warningTexts } from './notes.ts';
import type { ReportOptions } from './options.ts';
import { frameFacts, reportFacts } from './summary.ts';
import type { Cells, ColumnName } from './table-columns.ts';

const rightAligned: readonly ColumnName[] = ['event', 'draws', 'duration', 'spread', 'cpu', 'share'];

const cellText = (name: ColumnName, row: Cells): string =>
  name === 'name' ? indentedName(row) : escapeMarkdown(row[name]);

/** The rows that fit into the characters left, and how many did not. */
function* frameTable(shown: FrameRows, left: CharactersLeft): Generator<string> {
  const columns = heads(shown).filter(([name]) => name !== 'bar');
  yield tableRow(columns.map(([, head]) => head));
  yield tableRow(columns.map(([name]) => (rightAligned.includes(name) ? '---:' : ':---')));
  for (const [index, row] of shown.rows.entries()) {
    const values = cells(shown, row);
    const text = tableRow(columns.map(([name]) => cellText(name, values)));
    left.characters -= text.length;
    if (left.characters < 0) {
      yield `\n${shown.rows.length - index} more rows would make this longer than GitHub takes; \`--top\` shows the heaviest.\n`;
      return;
    }
    yield text;
  }
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
    for (const of of counterTables(shown, report)) yield* counterSection(of, rows, left);
  }
  for (const warning of warningTexts(report)) yield `> **warning** ${escapeMarkdown(warning)}\n\n`;
  yield '<details><summary>How this was measured</summary>\n\n';
  for (const { label, text } of reportFacts(report))
    yield label === '' ? `  - ${escapeMarkdown(text)}\n` : `- **${label}** ${escapeMarkdown(text)}\n`;
  yield '\n</details>\n';
}
