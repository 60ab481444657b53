/** A comparison as one HTML file, with its script, style, data and pictures inside: it loads nothing. */
import type { Comparison, ComparisonSide } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { type Finding, findings } from '../../model/findings.ts';
import { packageFile } from '../../package-file.ts';
import { escaped, factList, htmlDocument, inScript, textTable, treeGrid, warningList } from '../html/document.ts';
import { environmentFacts } from '../html/sections.ts';
import { comparisonFacts } from './facts.ts';
import { comparedHtmlFrame } from './html-frame.ts';
import { compareStyle } from './html-style.ts';
import type { CompareReportOptions } from './options.ts';
import type { ComparedPicture, ComparedPictures } from './pictures.ts';

/** The build puts it there. */
const scriptPath = packageFile('dist/report/compare/page.js');

/** The tree has them all. */
const mostFindings = 200;

const percent = (part: number): string => `${Number((part * 100).toPrecision(3))}%`;

/** Those about an event are buttons that lead to its row. */
function findingList(list: readonly Finding[], { frames }: Comparison): string {
  const told = list.filter(({ isExplained }) => !isExplained);
  if (told.length === 0) return '';
  const places = new Map(
    frames.map(({ nodes }, index) => [nodes, new Map(nodes.map((node, at) => [node, [index, at]]))]),
  );
  const items = told.slice(0, mostFindings).map(({ message, isWorse, frame, node }) => {
    const [index, at] = (node && places.get(frame.nodes)?.get(node)) ?? [];
    const text = escaped(message);
    const shown =
      index === undefined ? text : `<button type="button" data-frame="${index}" data-row="${at}">${text}</button>`;
    return `<li${isWorse ? ' class="worse"' : ''}>${shown}</li>\n`;
  });
  const more = told.length - mostFindings;
  return `<section aria-labelledby="findings-head">
<h2 id="findings-head">Findings</h2>
<ul class="findings">
${items.join('')}${more > 0 ? `<li>and ${more} more: the events below have them all</li>\n` : ''}</ul>
</section>
`;
}

function figure(name: string, { width, height, png }: ComparedPicture, caption: string): string {
  const source = `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;
  return `<figure><img src="${source}" width="${width}" height="${height}" alt="${escaped(name)}"><figcaption>${escaped(caption)}</figcaption></figure>\n`;
}

function differenceText({ base, new: next, difference }: ComparedPictures): string {
  if (difference === null)
    return `The canvases have two sizes, ${base.width}×${base.height} and ${next.width}×${next.height}: their pixels are not compared.`;
  const { pixels, differing, maxDifference, meanDifference } = difference;
  if (differing === 0) return `All ${pixels} pixels are equal.`;
  return `${differing} of ${pixels} pixels differ (${percent(differing / pixels)}), by ${maxDifference} of 255 at most and ${meanDifference.toPrecision(2)} on average.`;
}

function pictureSection(pictures: ComparedPictures, labels: readonly [string, string]): string {
  const { base, new: next, difference } = pictures;
  const scaled =
    difference && difference.scale > 1 ? `, ${Number(difference.scale.toPrecision(3))} times as large` : '';
  const shown =
    difference && difference.differing > 0 ? figure('pixel differences', difference, `difference${scaled}`) : '';
  return `<section aria-labelledby="pictures-head">
<h2 id="pictures-head">Pictures</h2>
<p id="difference">${escaped(differenceText(pictures))}</p>
<div class="pictures">
${figure(`canvas of base`, base, `base: ${labels[0]}`)}${figure(`canvas of new`, next, `new: ${labels[1]}`)}${shown}</div>
</section>
`;
}

/** Every fact of each side beside the other's. */
function environmentTable({ base, new: next }: Comparison): string {
  const facts = (side: ComparisonSide) => [
    ...environmentFacts(side),
    {
      label: 'variables',
      text: Object.entries(side.env)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    },
    { label: 'recorded by', text: side.capture.origin.producer },
    { label: 'timer', text: side.settings.method ?? 'none' },
  ];
  const [left, right] = [facts(base), facts(next)];
  const rows = left.map(({ label, text }, index) => [label, text, right[index].text]);
  return textTable('environments', 'Environments', [{ head: 'fact' }, { head: 'base' }, { head: 'new' }], rows);
}

function body(comparison: Comparison, list: readonly Finding[], pictures: ComparedPictures | undefined): string {
  const labels = [comparison.base.label, comparison.new.label] as const;
  const isWorse = list.some((finding) => finding.isWorse);
  return `<header>
<h1>${escaped(labels.join(' → '))}</h1>
<p id="verdict"${isWorse ? ' class="worse"' : ''}>${escaped(findingsSummary(list))}</p>
${factList(comparisonFacts(comparison))}${warningList(comparison.warnings.map(({ message }) => message))}</header>
<main>
${findingList(list, comparison)}<section aria-labelledby="events-head">
<h2 id="events-head">Events</h2>
<dl id="frame-facts"></dl>
${treeGrid('<label>Frame <select id="frame"></select></label>\n')}<ul id="notes"></ul>
</section>
<section id="details" aria-labelledby="details-head" tabindex="-1"></section>
${pictures ? pictureSection(pictures, labels) : ''}${environmentTable(comparison)}</main>
`;
}

function* data(comparison: Comparison, list: readonly Finding[]): Generator<string> {
  yield '{"frames":[\n';
  for (const [index, frame] of comparison.frames.entries())
    yield `${index === 0 ? '' : ',\n'}${inScript(comparedHtmlFrame(frame, comparison, list))}`;
  yield ']}';
}

/** Of the options only the pictures count: a reader chooses order and rows in the page. */
export function compareHtml(comparison: Comparison, { pictures }: CompareReportOptions): Generator<string> {
  const list = findings(comparison);
  const title = `${comparison.base.label} and ${comparison.new.label}`;
  return htmlDocument(title, body(comparison, list, pictures), data(comparison, list), scriptPath, compareStyle);
}
