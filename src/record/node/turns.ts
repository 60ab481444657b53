import { setImmediate } from 'node:timers';

/**
 * Tells when a turn of the event loop ends: when its callbacks and their microtasks have run. An immediate does, which is
 * the first of its phase for ever, since it is set before the program runs and then each time before any other of its phase
 * runs: also a program that draws from one immediate to the next has a turn for each. It keeps no process alive.
 */
export class Turns {
  readonly #ended: () => void;
  #immediate: NodeJS.Immediate;

  constructor(ended: () => void) {
    this.#ended = ended;
    this.#immediate = this.#next();
  }

  #next(): NodeJS.Immediate {
    return setImmediate(() => {
      this.#immediate = this.#next();
      this.#ended();
    }).unref();
  }

  /** Something waits for the end of this turn: the loop does not sleep before. */
  await(): void {
    this.#immediate.ref();
  }
}
