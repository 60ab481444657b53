import { median } from '../model/median.ts';

/** Accepted range of a method's reading over the host clock's, both less their floors. */
export const trustBounds: readonly [number, number] = [0.75, 1.25];
/** A rung says something when the host clock read this many times its own floor. */
const leastOverFloor = 5;

export interface TrustReadings {
  /** Cost of each rung, in any unit. */
  readonly work: readonly number[];
  /** What the method and the host clock read, by rung, then repeat; NaN where a query gave no result. */
  readonly readNs: readonly (readonly number[])[];
  readonly hostNs: readonly (readonly number[])[];
  /** What they read around nothing. */
  readonly floorNs: number;
  readonly hostFloorNs: number;
  readonly questionable: string | null;
  readonly renderer: string;
}

export interface Verdict {
  readonly trusted: boolean;
  readonly reason: string;
  /** Median of the rungs' ratios, null when none could be taken. */
  readonly ratio: number | null;
}

const percent = (ratio: number): string => {
  const value = Math.max(0, ratio * 100);
  return `${value.toFixed(value < 10 ? 1 : 0)}%`;
};

/** Whether the readings follow the host clock and rise as the work does; the reason is one clause. */
export function judge(readings: TrustReadings): Verdict {
  const { work, readNs, hostNs, floorNs, hostFloorNs, questionable, renderer } = readings;
  if (questionable) return { trusted: false, reason: questionable, ratio: null };
  if (!readNs.flat().concat(floorNs).every(Number.isFinite))
    return { trusted: false, reason: 'some of its queries gave no result', ratio: null };
  const usable = work.map((_, rung) => rung).filter((rung) => median(hostNs[rung]) >= leastOverFloor * hostFloorNs);
  if (usable.length < 2)
    return { trusted: false, reason: 'no draw took long enough to check it against the host clock', ratio: null };
  const ratios = usable.map((rung) =>
    median(readNs[rung].map((read, repeat) => (read - floorNs) / (hostNs[rung][repeat] - hostFloorNs))),
  );
  const ratio = median(ratios);
  const [low, high] = trustBounds;
  if (!ratios.every((value) => value >= low && value <= high)) {
    const why = /llvmpipe/i.test(renderer) ? ' (llvmpipe bins the query into every tile and the last tile wins)' : '';
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const several = most - least > 0.1 ? `, between ${percent(least)} and ${percent(most)}` : '';
    return { trusted: false, reason: `reads ${percent(ratio)} of the host clock${several}${why}`, ratio };
  }
  const first = usable[0];
  const last = usable[usable.length - 1];
  const rise = (Math.min(...readNs[last]) - floorNs) / (Math.min(...readNs[first]) - floorNs);
  const workRise = work[last] / work[first];
  if (!(rise >= workRise / 2))
    return { trusted: false, reason: `grows ${rise.toFixed(1)}-fold where the work grows ${workRise}-fold`, ratio };
  return { trusted: true, reason: `reads ${percent(ratio)} of the host clock`, ratio };
}
