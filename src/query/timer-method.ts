import type { GlContext } from '../gl/context.ts';
import type { TimerMethodName } from '../model/sample.ts';
import { hostClockReader } from './clock-reader.ts';
import { ElapsedReader } from './elapsed-reader.ts';
import { GL_TIME_ELAPSED, GL_TIMESTAMP, TimerQueries, timerQueriesMissing } from './timer-queries.ts';
import type { TimerReader } from './timer-reader.ts';
import { TimestampReader } from './timestamp-reader.ts';

/** A way to time a bracket on one context. */
export interface TimerMethod {
  readonly name: TimerMethodName;
  /** Whether each bracket is a submission of its own, between two finishes. */
  readonly isolate: boolean;
  /** Width of its counter; null for the host clock. */
  readonly bits: number | null;
  createReader(): TimerReader;
}

/** From the cheapest to the dearest. */
export const timerMethodNames: readonly TimerMethodName[] = ['elapsed', 'timestamp', 'finish'];

function counterBits(context: GlContext, target: number): number {
  return timerQueriesMissing(context) === null ? new TimerQueries(context).bits(target) : 0;
}

/**
 * The finish method's clock. llvmpipe bins GL_TIMESTAMP queries with the draws, even between two finishes, and then they
 * read a thousandth of the time (measured), so a software renderer is timed by the host clock, which is its own clock.
 */
export function finishMethod(context: GlContext): TimerMethod {
  const bits = context.software ? 0 : counterBits(context, GL_TIMESTAMP);
  return bits > 0
    ? { name: 'finish', isolate: true, bits, createReader: () => new TimestampReader(context) }
    : { name: 'finish', isolate: true, bits: null, createReader: hostClockReader };
}

/** The method on this context, or why it is not to be had there, as one clause. */
export function timerMethod(context: GlContext, name: TimerMethodName): TimerMethod | string {
  if (name === 'finish') return finishMethod(context);
  const missing = timerQueriesMissing(context);
  if (missing) return missing;
  const target = name === 'elapsed' ? GL_TIME_ELAPSED : GL_TIMESTAMP;
  const bits = counterBits(context, target);
  if (bits === 0) return 'its counter has 0 bits';
  const createReader = () => (name === 'elapsed' ? new ElapsedReader(context) : new TimestampReader(context));
  return { name, isolate: false, bits, createReader };
}
