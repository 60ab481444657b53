import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import { enumName } from '../gl/enums.ts';
import type { GlFunction } from '../gl/native.ts';

/** A context has a handful of error flags; one that is lost says so for ever. */
const mostErrors = 16;

/** GL errors around calls that a driver may refuse: forget what came before, call, take what came of it. */
export class DriverErrors {
  readonly #getError: GlFunction;

  constructor(context: GlContext) {
    this.#getError = context.require('glGetError');
  }

  /** The first error since the last time, or 0; leaves none behind. Allocates nothing. */
  take(): number {
    const first = this.#getError();
    if (first !== 0) for (let more = 1; more < mostErrors && this.#getError() !== 0; more++);
    return first;
  }

  /** Makes a call and returns the error it raised by name, or null; earlier errors are forgotten. */
  of(call: () => void): string | null {
    this.take();
    call();
    const error = this.take();
    return error === 0 ? null : enumName(error);
  }
}

/** A result that the GPU has finished is there at once: a driver that has none by then will hardly have it later. */
const firstPatienceNs = 2e9;
const leastPatienceNs = 20e6;
/** Asked this often without a pause; then the processor is left to the driver's own threads. */
const eagerQuestions = 100;
const pauseMs = 1;

/**
 * Bounded waiting for a driver's results: 2 s for all waits of one reading together; after a reading that used them up,
 * a quarter of that for the next, so that a driver that never answers costs seconds and not a run's worth of each.
 */
export class Patience {
  #budgetNs = firstPatienceNs;
  #deadlineNs = 0;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));

  /** Begins a reading. */
  start(): void {
    this.#deadlineNs = hostNs() + this.#budgetNs;
  }

  /** Asks until the answer is true, or the reading's time is up: then false. Asks at least once. */
  wait(isDone: () => boolean): boolean {
    for (let asked = 1; !isDone(); asked++) {
      if (hostNs() >= this.#deadlineNs) {
        this.#budgetNs = Math.max(leastPatienceNs, this.#budgetNs / 4);
        return false;
      }
      if (asked > eagerQuestions) Atomics.wait(this.#sleeper, 0, 0, pauseMs);
    }
    return true;
  }
}
