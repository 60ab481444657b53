/** The report as one HTML file, with its script, style and data inside: it loads nothing. */
import type { Report } from '../../model/report.ts';
import { packageFile } from '../../package-file.ts';
import { warningTexts } from '../notes.ts';
import type { ReportOptions } from '../options.ts';
import { reportFacts } from '../summary.ts';
import { escaped, factList, htmlDocument, inScript, treeGrid, warningList } from './document.ts';
import { frameData } from './frame-data.ts';
import { environmentFacts, errorTable, originFacts, resourceTable, runTable, trustTable } from './sections.ts';

/** The build puts it there. */
const scriptPath = packageFile('dist/report/html/page.js');

const body = (report: Report, { resources }: ReportOptions): string => `<header>
<h1>${escaped(report.capture.file)}</h1>
${factList(reportFacts(report))}${warningList(warningTexts(report))}</header>
<main>
<section aria-labelledby="events-head">
<h2 id="events-head">Events</h2>
<dl id="frame-facts"></dl>
${treeGrid('<label>Frame <select id="frame"></select></label>\n')}<ul id="notes"></ul>
</section>
<section id="details" aria-labelledby="details-head" tabindex="-1"></section>
<section aria-labelledby="flame-head">
<h2 id="flame-head">Flame chart</h2>
<p id="flame-keys" class="hint">Arrow keys move, Enter or a double click zooms in, Escape shows the whole frame.</p>
<div id="flame-box">
<canvas id="flame" role="application" aria-roledescription="flame chart" aria-labelledby="flame-head" aria-describedby="flame-keys" tabindex="0"></canvas>
<div id="flame-tip" hidden aria-hidden="true"></div>
</div>
<p id="flame-at" role="status"></p>
</section>
${resources ? resourceTable(resources) : ''}${errorTable(report.glErrors)}${runTable(report)}<section aria-labelledby="environment-head">
<h2 id="environment-head">Environment</h2>
${factList([...environmentFacts(report), ...originFacts(report)])}</section>
${trustTable(report)}</main>
`;

function* data(report: Report, options: ReportOptions): Generator<string> {
  yield '{"pictures":[';
  for (const [index, picture] of (options.thumbnails?.pictures ?? []).entries())
    yield `${index === 0 ? '' : ',\n'}"${Buffer.from(picture).toString('base64')}"`;
  yield `],"states":${inScript(report.states ?? {})},"frames":[\n`;
  for (const [index, frame] of report.frames.entries())
    yield `${index === 0 ? '' : ',\n'}${inScript(frameData(frame, report, options))}`;
  yield ']}';
}

/** Renders piece by piece. Of the options, those that shape rows do not count: a reader chooses in the page. */
export const html = (report: Report, options: ReportOptions): Generator<string> =>
  htmlDocument(report.capture.file, body(report, options), data(report, options), scriptPath);
