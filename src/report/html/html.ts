/** The report as one HTML file, with its script, style and data inside: it loads nothing. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ResourceSize } from '../../model/life/resource-sizes.ts';
import { byteUnitFor, inByteUnit } from '../../model/quantity-text.ts';
import type { FrameReport, Report } from '../../model/report.ts';
import { counterTables } from '../counter-columns.ts';
import { frameRows } from '../frame-rows.ts';
import { jsonText } from '../json-text.ts';
import { warningTexts } from '../notes.ts';
import { defaultOptions, type ReportOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { type Fact, frameFacts, reportFacts } from '../summary.ts';
import type { HtmlFrame, HtmlNode } from './data.ts';
import { style } from './style.ts';

/** The build puts it there; this file's own folder is as deep below the project's, compiled or not. */
const scriptPath = fileURLToPath(new URL('../../../dist/report/html/page.js', import.meta.url));

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => printable(text).replace(/[&<>"]/g, (character) => entities[character]);

/** JSON inside a script element, which no text in it can end. */
const inScript = (value: unknown): string => jsonText(value).replaceAll('<', '\\u003c');

const round = (value: number | null | undefined): number | null =>
  value == null || !Number.isFinite(value) ? null : Math.round(value);

function frameData(frame: FrameReport, report: Report): HtmlFrame {
  const rows = frameRows(frame, defaultOptions);
  const columns = [...counterTables(rows, report)].flatMap((table) => table.columns);
  const nodes = rows.rows.map(
    ({ node }, index): HtmlNode => ({
      eventId: node.eventId,
      depth: node.depth,
      kind: node.kind,
      name: printable(node.name),
      draws: node.draws,
      durationNs: round(node.durationNs?.median),
      spreadNs: round(node.durationNs?.mad),
      cpuNs: round(node.cpuNs?.median),
      share: node.share,
      status: node.status,
      reason: node.reason === null ? null : printable(node.reason),
      samplesNs: node.samples.durationNs.map(round),
      counters: columns.map(({ texts }) => texts[index]),
    }),
  );
  const facts = frameFacts(frame, report).map(({ label, text }): [string, string] => [label, text]);
  return { frame: frame.frame, facts, counters: columns.map(({ head }) => head), nodes };
}

const factList = (facts: readonly Fact[]): string =>
  facts.map(({ label, text }) => `<dt>${escaped(label)}</dt><dd>${escaped(text)}</dd>`).join('\n');

function environmentFacts({ environment }: Report): Fact[] {
  const { vendor, os, cpu, cores, node } = environment;
  return [
    { label: 'vendor', text: vendor },
    { label: 'system', text: os },
    { label: 'processor', text: `${cpu}, ${cores} cores` },
    { label: 'node', text: node },
  ];
}

/** Each in its own unit: they lie far apart. */
function memoryText(sizeBytes: number): string {
  const unit = byteUnitFor(sizeBytes);
  return `${inByteUnit(sizeBytes, unit)} ${unit}`;
}

function resourceTable(resources: readonly ResourceSize[]): string {
  const rows = resources.map(
    ({ class: kind, id, name, sizeBytes, size }) =>
      `<tr><td>${kind}</td><td>${id}</td><td>${escaped(name)}</td><td>${size ? size.join('×') : ''}</td><td>${memoryText(sizeBytes)}</td></tr>\n`,
  );
  return `<section aria-labelledby="resources-head">
<h2 id="resources-head">Textures and buffers</h2>
<table><thead><tr><th scope="col">class</th><th scope="col">id</th><th scope="col">name</th><th scope="col">size</th><th scope="col">memory</th></tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
`;
}

const columns = ['event', 'name', 'kind', 'draws', 'time', 'share', 'bars'];
const columnHead = (name: string): string =>
  `<span role="columnheader" class="${name}">${name === 'bars' ? '<span class="hidden">bar</span>' : name}</span>`;

/** Renders piece by piece. Of the options only the resources count: a reader chooses order and rows in the page. */
export function* html(report: Report, { resources }: ReportOptions): Generator<string> {
  const warnings = warningTexts(report).map((text) => `<li>${escaped(text)}</li>`);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${escaped(report.capture.file)}: gpuprof</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(report.capture.file)}</h1>
<dl>
${factList(reportFacts(report))}
</dl>
<details><summary>Environment</summary><dl>
${factList(environmentFacts(report))}
</dl></details>
${warnings.length > 0 ? `<section aria-label="Warnings" class="warnings"><ul>${warnings.join('')}</ul></section>` : ''}
</header>
<main>
<section aria-labelledby="events-head">
<h2 id="events-head">Events</h2>
<dl id="frame-facts"></dl>
<div class="controls">
<label>Frame <select id="frame"></select></label>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<label>Order <select id="sort"><option value="order">as submitted</option><option value="duration">longest first</option><option value="name">by name</option></select></label>
<span id="count" role="status"></span>
</div>
<div id="tree" role="treegrid" aria-labelledby="events-head" aria-colcount="${columns.length}" tabindex="0">
<div id="head" role="row" aria-rowindex="1" class="row">${columns.map(columnHead).join('')}</div>
<div id="rows" role="rowgroup"></div>
</div>
</section>
<section id="details" aria-live="polite" aria-label="Chosen row"></section>
<section aria-labelledby="flame-head">
<h2 id="flame-head">Flame chart</h2>
<canvas id="flame" role="img" aria-label="Flame chart of the frame; the tree above has the same events and times"></canvas>
</section>
${resources ? resourceTable(resources) : ''}</main>
<script type="application/json" id="data">{"frames":[
`;
  for (const [index, frame] of report.frames.entries())
    yield `${index === 0 ? '' : ',\n'}${inScript(frameData(frame, report))}`;
  yield `]}</script>
<script type="module">
${readFileSync(scriptPath, 'utf8')}</script>
</body>
</html>
`;
}
