/** Pieces of HTML that nothing in a name can break out of, and the file around them. */
import { readFileSync } from 'node:fs';
import { jsonText } from '../json-text.ts';
import { printable } from '../printable.ts';
import type { Fact } from '../summary.ts';
import { style } from './style.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML shows it, also in attributes. */
export const escaped = (text: string): string => printable(text).replace(/[&<>"]/g, (character) => entities[character]);

/** JSON inside a script element, which no text in it can end. */
export const inScript = (value: unknown): string => jsonText(value).replaceAll('<', '\\u003c');

/** A fact without a label continues the one before. */
export const factList = (facts: readonly Fact[]): string =>
  `<dl>\n${facts.map(({ label, text }) => `${label === '' ? '' : `<dt>${escaped(label)}</dt>`}<dd>${escaped(text)}</dd>\n`).join('')}</dl>\n`;

export interface TextColumn {
  readonly head: string;
  readonly isNumber?: boolean;
}

/** A table that scrolls by itself where there is no room. */
export function textTable(
  id: string,
  title: string,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string {
  const classOf = (index: number) => (columns[index].isNumber ? ' class="number"' : '');
  const heads = columns.map(({ head }, index) => `<th scope="col"${classOf(index)}>${escaped(head)}</th>`);
  const body = rows.map(
    (cells) => `<tr>${cells.map((text, index) => `<td${classOf(index)}>${escaped(text)}</td>`).join('')}</tr>\n`,
  );
  return `<section aria-labelledby="${id}-head">
<h2 id="${id}-head">${escaped(title)}</h2>
<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-head">
<table><thead><tr>${heads.join('')}</tr></thead>
<tbody>
${body.join('')}</tbody></table>
</div>
</section>
`;
}

export const warningList = (texts: readonly string[]): string =>
  texts.length === 0
    ? ''
    : `<section aria-label="Warnings" class="warnings"><ul>${texts.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul></section>\n`;

/** Where the grid of an event tree goes (page/tree-grid.ts); `controls` stand before its search. */
export const treeGrid = (controls: string): string => `<div class="controls">
${controls}<label>Search <input id="search" type="search" autocomplete="off"></label>
<details id="columns"><summary>Columns</summary><fieldset><legend class="hidden">Columns shown</legend></fieldset></details>
<span id="count" role="status"></span>
</div>
<div id="tree" role="treegrid" aria-labelledby="events-head" tabindex="0">
<div id="head" role="row" aria-rowindex="1" class="row"></div>
<div id="rows" role="rowgroup"></div>
</div>
`;

/**
 * The whole file: `body` is HTML, `data` the pieces of the JSON that the script at `scriptPath` reads, `ownStyle` what other
 * pages do not have. Loads nothing.
 */
export function* htmlDocument(
  title: string,
  body: string,
  data: Iterable<string>,
  scriptPath: string,
  ownStyle = '',
): Generator<string> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${escaped(title)}: gpuprof</title>
<style>${style}${ownStyle}</style>
</head>
<body>
${body}<script type="application/json" id="data">`;
  yield* data;
  yield `</script>
<script type="module">
${readFileSync(scriptPath, 'utf8')}</script>
</body>
</html>
`;
}
