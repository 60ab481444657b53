/** Brings a device's clock and the host's together, from readings of both at both ends of a run. */
import type { ClockPair } from '../model/timeline.ts';

/** GL timestamps are nanoseconds: a clock that runs off faster than this is broken, or was set. */
const mostDrift = 1e-3;
/** Part of a wrapping clock's range by which a value may lie before where it is expected. */
const slackPart = 8n;

/** From ticks to the host's time. */
export interface ClockFit {
  /** Host time of an unwrapped value of the device's clock, in nanoseconds. */
  toHostNs(ticks: bigint): number;
  /** The unwrapped value of a wrapped one that was taken at `hostNs` or up to 7/8 of the clock's range later. */
  unwrap(ticks: bigint, hostNs: number): bigint;
  /** How far a host time between the two ends may be off. */
  readonly uncertaintyNs: number;
  /** How much faster the device's clock runs, in millionths, and how far that may be off. */
  readonly driftPpm: number;
  readonly driftUncertaintyPpm: number;
}

const width = ({ hostBeforeNs, hostAfterNs }: ClockPair): number => hostAfterNs - hostBeforeNs;
const middle = ({ hostBeforeNs, hostAfterNs }: ClockPair): number => (hostBeforeNs + hostAfterNs) / 2;

/** The pair whose host readings lie closest together: it says most. Throws RangeError for none. */
export function tightestPair(pairs: readonly ClockPair[]): ClockPair {
  if (pairs.length === 0) throw new RangeError('no pair of clocks');
  return pairs.reduce((best, pair) => (width(pair) < width(best) ? pair : best));
}

/** The smallest value of at least `atLeast` that a clock of so many bits shows as `ticks`. */
export function unwrapTicks(ticks: bigint, bits: number, atLeast: bigint): bigint {
  const range = 1n << BigInt(bits);
  const ahead = (ticks - atLeast) % range;
  return atLeast + (ahead < 0n ? ahead + range : ahead);
}

/**
 * What all steps between readings that follow each other at once are multiples of, 0 where there are no two: a clock that
 * moves every 32 ns reads up to 32 ns late.
 */
export function clockStep(series: readonly (readonly ClockPair[])[], bits: number): number {
  let step = 0n;
  for (const pairs of series)
    for (let index = 1; index < pairs.length; index++) {
      let other = BigInt.asUintN(bits, pairs[index].ticks - pairs[index - 1].ticks);
      while (other !== 0n) [step, other] = [other, step % other];
    }
  return Number(step);
}

/**
 * Fits a line through the tightest pair of each end. Between them an error is no larger than the larger half of the two
 * widths and one step of the clock, however the clocks drift, as long as they drift evenly. Returns why there is no fit,
 * as one clause, when the clock stood, went back or ran off.
 */
export function fitClocks(before: readonly ClockPair[], after: readonly ClockPair[], bits: number): ClockFit | string {
  const first = tightestPair(before);
  const last = tightestPair(after);
  const firstNs = middle(first);
  const spanNs = middle(last) - firstNs;
  const slack = (1n << BigInt(bits)) / slackPart;
  /** A clock of 64 bits does not wrap within the life of a machine. */
  const near = (ticks: bigint, expected: bigint) => (bits < 64 ? unwrapTicks(ticks, bits, expected - slack) : ticks);
  const lastTicks = near(last.ticks, first.ticks + BigInt(Math.round(spanNs)));
  const spanTicks = Number(lastTicks - first.ticks);
  if (!(spanNs > 0 && spanTicks > 0)) return 'its clock stood still or went back';
  const rate = spanTicks / spanNs;
  const rateUncertainty = (width(first) + width(last)) / 2 / spanNs;
  const step = clockStep([before, after], bits);
  if (Math.abs(rate - 1) > mostDrift + rateUncertainty + step / spanNs)
    return `its clock ran at ${rate.toPrecision(4)} times the host's`;
  return {
    toHostNs: (ticks) => firstNs + Number(ticks - first.ticks) / rate,
    unwrap: (ticks, hostNs) => near(ticks, first.ticks + BigInt(Math.round((hostNs - firstNs) * rate))),
    uncertaintyNs: Math.max(width(first), width(last)) / 2 + step,
    driftPpm: (rate - 1) * 1e6,
    driftUncertaintyPpm: (rateUncertainty + step / spanNs) * 1e6,
  };
}
