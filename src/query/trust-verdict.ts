import { median } from '../model/median.ts';
import type { TrustRung } from '../model/sample.ts';

/** Accepted range of a method's reading over the host clock's, both less their floors. */
export const trustBounds: readonly [number, number] = [0.75, 1.25];
/** A rung says something when the host clock read this many times its own floor. */
const leastOverFloor = 5;

export interface TrustReadings {
  /** Each rung's work in any unit, and what the method and the host clock read; NaN where a query gave no result. */
  readonly rungs: readonly TrustRung[];
  /** What they read around nothing. */
  readonly floorNs: number;
  readonly hostFloorNs: number;
  readonly questionable: string | null;
  /** Whether the method reads queries that llvmpipe bins; then the reason says so. */
  readonly binned: boolean;
}

export interface Verdict {
  readonly trusted: boolean;
  readonly reason: string;
  /** Median of the rungs' ratios, null when none could be taken. */
  readonly ratio: number | null;
  /** Whether other work on the machine may be to blame, so that it is worth another try. */
  readonly noisy: boolean;
}

const percent = (ratio: number): string => {
  const value = Math.max(0, ratio * 100);
  return `${value.toFixed(value < 10 ? 1 : 0)}%`;
};

const refuse = (reason: string, ratio: number | null = null, noisy = false): Verdict => ({
  trusted: false,
  reason,
  ratio,
  noisy,
});

/** Whether the readings follow the host clock and rise as the work does; the reason is one clause. */
export function judge({ rungs, floorNs, hostFloorNs, questionable, binned }: TrustReadings): Verdict {
  if (questionable) return refuse(questionable);
  if (!rungs.every(({ readNs }) => Number.isFinite(readNs)) || !Number.isFinite(floorNs))
    return refuse('some of its queries gave no result');
  const usable = rungs.filter((rung) => rung.hostNs >= leastOverFloor * hostFloorNs);
  if (usable.length < 2) return refuse('no draw took long enough to check it against the host clock', null, true);
  const ratios = usable.map(({ readNs, hostNs }) => (readNs - floorNs) / (hostNs - hostFloorNs));
  const ratio = median(ratios);
  const [low, high] = trustBounds;
  const within = ratios.filter((value) => value >= low && value <= high).length;
  if (within < ratios.length) {
    const why = binned ? ' (llvmpipe bins the query into every tile and the last tile wins)' : '';
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const several = most - least > 0.1 ? `, between ${percent(least)} and ${percent(most)}` : '';
    return refuse(`reads ${percent(ratio)} of the host clock${several}${why}`, ratio, within > 0);
  }
  const first = usable[0];
  const last = usable[usable.length - 1];
  const rise = (last.readNs - floorNs) / (first.readNs - floorNs);
  const workRise = last.work / first.work;
  if (!(rise >= workRise / 2))
    return refuse(`grows ${rise.toFixed(1)}-fold where the work grows ${workRise}-fold`, ratio, true);
  return { trusted: true, reason: `reads ${percent(ratio)} of the host clock`, ratio, noisy: false };
}
