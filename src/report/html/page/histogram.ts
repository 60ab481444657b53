import { durationText } from '../../../model/units.ts';
import { element } from './dom.ts';

const mostBins = 24;

/** How many samples lie in each of equal parts of their range. */
function countsOf(samples: readonly number[], low: number, high: number): number[] {
  const counts = new Array<number>(low === high ? 1 : Math.min(mostBins, samples.length)).fill(0);
  for (const sample of samples)
    counts[Math.min(counts.length - 1, Math.floor(((sample - low) / (high - low || 1)) * counts.length))]++;
  return counts;
}

/** The samples of all runs, in nanoseconds, as a picture with its text; nothing when there are none. */
export function histogram(name: string, samplesNs: readonly (number | null)[]): HTMLElement[] {
  const samples = samplesNs.filter((sample) => sample !== null);
  if (samples.length === 0) return [];
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  const counts = countsOf(samples, low, high);
  const most = Math.max(...counts);
  const step = (high - low) / counts.length;
  const bars = counts.map((count, at) => {
    const title = `${count} from ${durationText(low + at * step)} to ${durationText(low + (at + 1) * step)}`;
    return element('span', { style: `height:${(count / most) * 100}%`, title });
  });
  const failed = samplesNs.length - samples.length;
  const lost = failed > 0 ? `; ${failed} failed` : '';
  const range = low === high ? `, ${durationText(low)}` : `s from ${durationText(low)} to ${durationText(high)}`;
  const text = `${name}: ${samples.length} sample${range}${lost}`;
  return [
    element(
      'figure',
      {},
      element('div', { class: 'histogram', role: 'img', 'aria-label': `Histogram of ${text}` }, ...bars),
      element('figcaption', {}, text),
    ),
  ];
}
