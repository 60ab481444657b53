/** How a stream stands while it goes on: on a screen, or in one line. */
import { palette } from '../palette.ts';
import { printable } from '../printable.ts';
import { displayWidth, shorten } from '../text.ts';
import { fitSections, type Section, spareRank } from './fit.ts';
import {
  allocatorFact,
  linesFact,
  malformedFact,
  memoryTable,
  type Page,
  resourceTable,
  timesTable,
} from './sections.ts';
import type { QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';
import { msText, plural, sizeText } from './texts.ts';

/** What comes first where there is little room. */
const ranks = { headline: 0, all: 1, warning: 2, times: 3, memory: 4, lines: 5, allocator: 6, none: 7 };
/** Lines of a table above its first row. */
const headLines = 2;

const linesOf = (text: Iterable<string>): string[] => [...text].map((line) => line.replace(/\n$/, ''));

const one = (what: string, text: Iterable<string>, rank: number): Section => ({
  what,
  head: [],
  rows: [{ lines: linesOf(text), rank }],
});

function table(what: string, text: Iterable<string>, rankOf: (row: number) => number, above: string[] = []): Section {
  const lines = linesOf(text);
  return {
    what,
    head: [...above, ...lines.slice(0, headLines)],
    rows: lines.slice(headLines).map((line, row) => ({ lines: [line], rank: rankOf(row) })),
  };
}

function sections(report: QrhiStreamReport, page: Page): Section[] {
  const { usage } = report;
  const kinds = [...usage.memory.values()];
  // Of the kinds, the largest first; those that nothing has been of, last.
  const order = [...kinds].sort((a, b) => (a.peakBytes < b.peakBytes ? 1 : a.peakBytes > b.peakBytes ? -1 : 0));
  const memoryRank = (row: number): number => {
    if (row === kinds.length) return ranks.all;
    return kinds[row].created === 0 ? ranks.none : ranks.memory + order.indexOf(kinds[row]) / kinds.length;
  };
  return [
    {
      what: 'stream',
      head: [],
      rows: [
        { lines: linesOf(linesFact(report, page)), rank: ranks.lines },
        { lines: linesOf(malformedFact(usage, page)), rank: usage.malformed > 0 ? ranks.warning : ranks.none },
      ],
    },
    table('memory', memoryTable(usage, page), memoryRank),
    ...(usage.allocator ? [one('allocator', allocatorFact(usage.allocator, page), ranks.allocator)] : []),
    table('frame times', timesTable(usage, page), () => ranks.times),
    table('largest', resourceTable(usage.largest.slice(0, page.top), page), () => spareRank, [
      page.colors.strong(shorten('Largest', page.width ?? 80)),
    ]),
  ];
}

/**
 * What fits a screen of `height` lines while the stream goes on, under `headline`: the figures that move, without lists of
 * lines. What does not fit is told of in the last line. `report` is null while nothing streams.
 */
export function qrhiLiveLines(
  headline: string,
  report: QrhiStreamReport | null,
  { top, qt, width, color, height }: QrhiReportOptions & { readonly height: number },
): string[] {
  const page = { width, top, qt, colors: palette(color) };
  const title = width === null ? headline : shorten(headline, width);
  if (!report || height < 2) return [title];
  return fitSections([one('headline', [title], ranks.headline), ...sections(report, page)], height, (leftOut) => {
    const count = [...leftOut.values()].reduce((sum, each) => sum + each, 0);
    const short = `${plural(count, 'row')} not shown`;
    const whole = `${short}: ${[...leftOut].map(([what, rows]) => `${rows} of ${what}`).join(', ')}`;
    return page.colors.odd(width === null || displayWidth(whole) <= width ? whole : shorten(short, width));
  });
}

/** One line on how a stream stands. */
export function qrhiStatus({ title, usage }: QrhiStreamReport): string {
  const { lines, malformed, total, frameToFrame, gpuFrame, lastMs } = usage;
  const parts = [
    plural(lines, 'line'),
    ...(malformed === 0 ? [] : [`${malformed} malformed`]),
    ...(lastMs === null ? [] : [`at ${lastMs} ms`]),
    `${plural(total.liveCount, 'resource')} live of ${sizeText(total.liveBytes)} (peak ${sizeText(total.peakBytes)})`,
    ...(frameToFrame ? [`frames of ${msText(frameToFrame.last.avgMs)} ms`] : []),
    ...(gpuFrame ? [`GPU ${msText(gpuFrame.last.avgMs)} ms`] : []),
  ];
  return `${printable(title)}: ${parts.join(', ')}`;
}
