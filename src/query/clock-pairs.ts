import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { GlFunction } from '../gl/native.ts';
import type { ClockPair } from '../model/timeline.ts';
import { GL_TIMESTAMP, TimerQueries, timerQueriesMissing } from './timer-queries.ts';

/** One of this many readings is seldom interrupted; each takes about a microsecond. */
const readings = 32;

/** Why a context has no clock that can be read now and by queries, as one clause, or null when it has. */
export function deviceClockMissing(context: GlContext): string | null {
  const missing = timerQueriesMissing(context);
  if (missing) return missing;
  if (!context.find('glGetInteger64v')) return 'its clock can only be read by queries';
  return new TimerQueries(context).timestampBits() === 0 ? 'its clock has 0 bits' : null;
}

/** Reads the GPU's clock as it is now, which {@link GL_TIMESTAMP} queries read when the GPU gets to them. */
export class DeviceClock {
  readonly #context: GlContext;
  readonly #get: GlFunction;

  /** The context must have one: see {@link deviceClockMissing}. */
  constructor(context: GlContext) {
    this.#context = context;
    this.#get = context.require('glGetInteger64v');
  }

  /** Ticks of the clock, which are nanoseconds. */
  now(): bigint {
    const { scratch } = this.#context;
    this.#get(GL_TIMESTAMP, scratch.address);
    return scratch.u64[0];
  }

  /** Several readings, each between two of the host's clock. */
  pairs(): ClockPair[] {
    const { scratch } = this.#context;
    const pairs: ClockPair[] = [];
    for (let count = 0; count < readings; count++) {
      const hostBeforeNs = hostNs();
      this.#get(GL_TIMESTAMP, scratch.address);
      const hostAfterNs = hostNs();
      pairs.push({ hostBeforeNs, hostAfterNs, ticks: scratch.u64[0] });
    }
    return pairs;
  }
}
