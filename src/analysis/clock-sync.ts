/** Brings a device's clock and the host's together, from readings of both at both ends of a run and within it. */
import type { ClockPair } from '../model/timeline.ts';

/** GL timestamps are nanoseconds: a clock that runs off faster than this is broken, or was set. */
const mostDrift = 1e-3;
/** How much a rate may change in a nanosecond: 0.01 millionths in a second, as oscillators do while they warm up. */
const wander = 1e-17;
/** Part of a wrapping clock's range by which a value may lie before where it is expected. */
const slackPart = 8n;

/** From ticks to the host's time. */
export interface ClockFit {
  /** Host time of an unwrapped value of the device's clock, in nanoseconds. */
  toHostNs(ticks: bigint): number;
  /** What the device's clock, unwrapped, showed at a host time. */
  toTicks(hostNs: number): bigint;
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
 * The value from an eighth of the clock's range before `expected` to 7/8 after it that the clock shows as `ticks`. A clock of
 * 64 bits does not wrap within the life of a machine.
 */
export const unwrapNear = (ticks: bigint, bits: number, expected: bigint): bigint =>
  bits < 64 ? unwrapTicks(ticks, bits, expected - (1n << BigInt(bits)) / slackPart) : ticks;

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

/** A reading of both clocks, the device's unwrapped. */
interface Knot {
  readonly hostNs: number;
  readonly ticks: bigint;
  readonly widthNs: number;
}

/** From one knot to the next. */
interface Stretch {
  readonly from: Knot;
  readonly to: Knot;
  readonly rate: number;
}

function stretchBetween(from: Knot, to: Knot): Stretch {
  return { from, to, rate: Number(to.ticks - from.ticks) / (to.hostNs - from.hostNs) };
}

const spanOf = ({ from, to }: Stretch): number => to.hostNs - from.hostNs;
const rateUncertainty = (stretch: Stretch, step: number): number =>
  ((stretch.from.widthNs + stretch.to.widthNs) / 2 + step) / spanOf(stretch);

/** Why a stretch says nothing, as one clause, or null. */
function brokenStretch(stretch: Stretch, step: number): string | null {
  if (!(spanOf(stretch) > 0 && stretch.rate > 0)) return 'its clock stood still or went back';
  return Math.abs(stretch.rate - 1) > mostDrift + rateUncertainty(stretch, step)
    ? `its clock ran at ${stretch.rate.toPrecision(4)} times the host's`
    : null;
}

/** However the clocks drift within a stretch, as long as their rates change no faster than they {@link wander}. */
const uncertaintyOf = (stretch: Stretch, step: number): number =>
  Math.max(stretch.from.widthNs, stretch.to.widthNs) / 2 + step + (wander * spanOf(stretch) ** 2) / 4;

/**
 * Fits a line through the tightest pairs of each two readings that follow each other. Between them an error is no larger
 * than the larger half of the two widths, one step of the clock, and what an uneven drift makes of it. Takes two readings or
 * more, each of several pairs, in order. Returns why there is no fit, as one clause, when the clock stood, went back or ran
 * off.
 */
export function fitClocks(readings: readonly (readonly ClockPair[])[], bits: number): ClockFit | string {
  const step = clockStep(readings, bits);
  const knots: Knot[] = [];
  for (const pair of readings.map(tightestPair)) {
    const hostNs = middle(pair);
    const last = knots.at(-1);
    const ticks = last
      ? unwrapNear(pair.ticks, bits, last.ticks + BigInt(Math.round(hostNs - last.hostNs)))
      : pair.ticks;
    knots.push({ hostNs, ticks, widthNs: width(pair) });
  }
  const stretches = knots.slice(1).map((knot, index) => stretchBetween(knots[index], knot));
  for (const stretch of stretches) {
    const broken = brokenStretch(stretch, step);
    if (broken) return broken;
  }
  const whole = stretchBetween(knots[0], knots[knots.length - 1]);
  const stretchWhere = (isBefore: (knot: Knot) => boolean): Stretch =>
    stretches.find(({ to }) => isBefore(to)) ?? stretches[stretches.length - 1];
  return {
    toHostNs(ticks) {
      const { from, rate } = stretchWhere((knot) => ticks < knot.ticks);
      return from.hostNs + Number(ticks - from.ticks) / rate;
    },
    toTicks(hostNs) {
      const { from, rate } = stretchWhere((knot) => hostNs < knot.hostNs);
      return from.ticks + BigInt(Math.round((hostNs - from.hostNs) * rate));
    },
    uncertaintyNs: Math.max(...stretches.map((stretch) => uncertaintyOf(stretch, step))),
    driftPpm: (whole.rate - 1) * 1e6,
    driftUncertaintyPpm: rateUncertainty(whole, step) * 1e6,
  };
}
