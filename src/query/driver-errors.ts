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
 * Bounded waiting for a driver's results, one for all that a source reads: 2 s for all waits of one reading together. A
 * reading that used them up leaves short tries to the next, until one has all its results in time: a driver that never
 * answers costs seconds, and not seconds a replay pass.
 */
export class Patience {
  #budgetNs = firstPatienceNs;
  #deadlineNs = 0;
  /** Of the last reading: results that came, and whether one did not. */
  #came = 0;
  #lacked = false;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));

  /** Begins a reading. */
  start(): void {
    if (this.#lacked) this.#budgetNs = leastPatienceNs;
    else if (this.#came > 0) this.#budgetNs = firstPatienceNs;
    this.#came = 0;
    this.#lacked = false;
    this.#deadlineNs = hostNs() + this.#budgetNs;
  }

  /** Asks until the answer is true, or the reading's time is up: then false. Asks at least once. */
  wait(isDone: () => boolean): boolean {
    for (let asked = 1; !isDone(); asked++) {
      if (hostNs() >= this.#deadlineNs) {
        this.#lacked = true;
        return false;
      }
      if (asked > eagerQuestions) Atomics.wait(this.#sleeper, 0, 0, pauseMs);
    }
    this.#came++;
    return true;
  }
}
