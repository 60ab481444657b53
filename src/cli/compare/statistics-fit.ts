/** Whether the statistics of a report are those of its samples, as far as the samples tell. */
import type { FrameReport, NodeReport, Statistics } from '../../model/report.ts';

type Samples = readonly (number | null)[];

export interface StatisticsFault {
  readonly path: readonly string[];
  readonly value: number;
  readonly problem: string;
}

/** A baseline has whole nanoseconds. */
const roundingNs = 1;
const rising = ['min', 'low95', 'median', 'high95', 'max'] as const satisfies readonly (keyof Statistics)[];

/** What is wrong in the order of the five, whatever the samples are. */
function disorder(statistics: Statistics): (typeof rising)[number] | null {
  for (let at = 1; at < rising.length; at++)
    if (!(statistics[rising[at - 1]] <= statistics[rising[at]])) return rising[at];
  return null;
}

/**
 * The field that no choice of `runs` of the samples can have: the others are those of questionable runs, which count
 * nowhere.
 */
function misfit({ min, median, max, runs }: Statistics, samples: Samples): keyof Statistics | null {
  let [known, below, above] = [0, 0, 0];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const sample of samples) {
    if (sample === null) continue;
    known++;
    if (sample < least) least = sample;
    if (sample > most) most = sample;
    if (sample < median - roundingNs) below++;
    else if (sample > median + roundingNs) above++;
  }
  if (runs > known) return 'runs';
  const uncounted = known - runs;
  const side = Math.floor(runs / 2) + uncounted;
  if (below > side || above > side) return 'median';
  // With all counted both ends are there; with some, they are within.
  if (min < least - roundingNs || (uncounted === 0 && min > least + roundingNs)) return 'min';
  return max > most + roundingNs || (uncounted === 0 && max < most - roundingNs) ? 'max' : null;
}

/** Samples may be left out, as a baseline does with those that are not compared. */
function faultOf(
  field: string,
  statistics: Statistics | null,
  samples: Samples | null | undefined,
): StatisticsFault | null {
  if (statistics === null) return null;
  const wrong = disorder(statistics);
  if (wrong !== null) return { path: [field, wrong], value: statistics[wrong], problem: 'is out of order' };
  const unfit = samples && samples.length > 0 ? misfit(statistics, samples) : null;
  return unfit && { path: [field, unfit], value: statistics[unfit], problem: 'does not fit the samples' };
}

export const nodeFault = ({ durationNs, rawNs, cpuNs, samples }: NodeReport): StatisticsFault | null =>
  faultOf('durationNs', durationNs, samples.durationNs) ??
  faultOf('rawNs', rawNs, samples.rawNs) ??
  faultOf('cpuNs', cpuNs, samples.cpuNs);

/** Of the frame's own times. */
export const plainFault = ({
  plainNs,
  plainCpuNs,
  plainSamples,
}: Pick<FrameReport, 'plainNs' | 'plainCpuNs' | 'plainSamples'>): StatisticsFault | null =>
  faultOf('plainNs', plainNs, plainSamples?.durationNs) ?? faultOf('plainCpuNs', plainCpuNs, plainSamples?.cpuNs);
