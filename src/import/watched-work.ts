import { createContext, Script } from 'node:vm';

const watched = new Script('work()');
/** Far more than unpacking takes. */
const msPerByte = 1 / 8192;

/**
 * Runs a library that malformed input makes loop for ever, or for seconds each time: it has so many milliseconds in all, and
 * earns more with every byte that it unpacks.
 */
export class WatchedWork {
  readonly #mostMs: number;
  #leftMs: number;
  readonly #context = createContext({}) as { work: () => void };

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
    this.#leftMs = mostMs;
  }

  /** Throws what `work` throws, and when the time is over. */
  run(work: () => void): void {
    this.#context.work = work;
    const startMs = performance.now();
    watched.runInContext(this.#context, { timeout: Math.max(1, Math.ceil(this.#leftMs)) });
    this.#leftMs -= performance.now() - startMs;
  }

  earn(unpackedBytes: number): void {
    this.#leftMs = Math.min(this.#mostMs, this.#leftMs + unpackedBytes * msPerByte);
  }
}
