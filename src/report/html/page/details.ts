/** What is known of the chosen row: its samples as a histogram, and its counters. */
import type { HtmlNode } from '../data.ts';
import { byId, durationText, element } from './dom.ts';

const mostBins = 24;

/** How many samples lie in each of equal parts of their range. */
function histogram(samples: readonly number[]): { low: number; high: number; counts: number[] } {
  const low = Math.min(...samples);
  const high = Math.max(...samples);
  const counts = new Array<number>(low === high ? 1 : Math.min(mostBins, samples.length)).fill(0);
  for (const sample of samples)
    counts[Math.min(counts.length - 1, Math.floor(((sample - low) / (high - low || 1)) * counts.length))]++;
  return { low, high, counts };
}

function histogramElement(samples: readonly number[]): HTMLElement {
  const { low, high, counts } = histogram(samples);
  const most = Math.max(...counts);
  const label = `${samples.length} samples from ${durationText(low)} to ${durationText(high)}`;
  const bars = counts.map((count) => element('span', { style: `height:${(count / most) * 100}%` }));
  return element(
    'figure',
    {},
    element('div', { class: 'histogram', role: 'img', 'aria-label': `Histogram: ${label}` }, ...bars),
    element('figcaption', {}, label),
  );
}

export function showDetails(node: HtmlNode, counters: readonly string[]): void {
  const event = node.eventId === null ? '' : `, event ${node.eventId}`;
  const spread = node.spreadNs === null ? '' : ` ± ${durationText(node.spreadNs)}`;
  const facts: [string, string][] = [
    ['time', node.durationNs === null ? (node.reason ?? 'not measured') : `${durationText(node.durationNs)}${spread}`],
    ...(node.cpuNs === null ? [] : [['cpu', durationText(node.cpuNs)] as [string, string]]),
    ...(node.status === 'ok' || node.durationNs === null
      ? []
      : [['status', [node.status, node.reason].filter(Boolean).join(': ')] as [string, string]]),
    ...counters.map((name, index): [string, string] => [name, node.counters[index]]),
  ];
  const samples = node.samplesNs.filter((sample) => sample !== null);
  byId('details').replaceChildren(
    element('h2', {}, `${node.name} (${node.kind}${event})`),
    element('dl', {}, ...facts.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)])),
    ...(samples.length > 0 ? [histogramElement(samples)] : []),
  );
}
