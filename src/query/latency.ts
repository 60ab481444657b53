import type { GlContext } from '../gl/context.ts';
import { DeviceClock } from './clock-pairs.ts';
import { GL_TIMESTAMP, TimerQueries } from './timer-queries.ts';

/** How far the GPU is behind its calls: GL_TIMESTAMP as it is now against a query of it after all calls so far. */
export class Latency {
  readonly #queries: TimerQueries;
  readonly #clock: DeviceClock;
  readonly #bits: number;
  readonly #query: number;
  #asked = 0n;

  /** The context must have a clock to ask: see deviceClockMissing. */
  constructor(context: GlContext) {
    this.#queries = new TimerQueries(context);
    this.#clock = new DeviceClock(context);
    this.#bits = this.#queries.timestampBits();
    [this.#query] = this.#queries.reserve(1);
  }

  ask(): void {
    this.#asked = this.#clock.now();
    this.#queries.counter(this.#query, GL_TIMESTAMP);
  }

  /** Of the last {@link ask}, in nanoseconds; null without a result. */
  read(): number | null {
    let reached: bigint | null = null;
    this.#queries.reading(() => {
      reached = this.#queries.timestamp(this.#query);
    });
    return reached === null ? null : Number(BigInt.asIntN(this.#bits, reached - this.#asked));
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
