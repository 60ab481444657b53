import type { FrameChoice } from '../protocol.ts';
import type { WatchedContext } from './watched-context.ts';

/** Decides whether a frame that begins is the one that is wanted. */
export class ChosenFrame {
  readonly #choice: FrameChoice;
  readonly #realm: string;
  readonly #trigger: () => unknown;
  /** In the order in which they were made. */
  readonly #contexts: readonly WatchedContext[];
  #anyArmed = false;
  readonly #armed = new Set<number>();
  /** What the trigger last threw. */
  problem: string | undefined;

  constructor(choice: FrameChoice, realm: string, contexts: readonly WatchedContext[], trigger: () => unknown) {
    this.#choice = choice;
    this.#realm = realm;
    this.#contexts = contexts;
    this.#trigger = trigger;
  }

  /** Makes the next frame the one: of one context of one realm, or of any. */
  arm(realm: string | undefined, context: number | undefined): void {
    if (realm === undefined || context === undefined) this.#anyArmed = true;
    else if (realm === this.#realm) this.#armed.add(context);
  }

  /** Asked once as each frame begins, by its number from 1. */
  is(context: WatchedContext, frame: number): boolean {
    const choice = this.#choice;
    const index = this.#contexts.indexOf(context);
    switch (choice.kind) {
      case 'frame':
        return frame === choice.frame;
      case 'after':
        return this.#realm === ''
          ? performance.now() >= choice.afterMs
          : performance.timeOrigin + performance.now() >= choice.epochMs;
      case 'trigger':
        return this.#isTriggered();
      case 'armed':
        return this.#anyArmed || this.#armed.has(index);
      case 'known':
        return this.#realm === choice.realm && index === choice.context && frame === choice.frame;
    }
  }

  #isTriggered(): boolean {
    try {
      return Boolean(this.#trigger());
    } catch (error) {
      this.problem = String(error);
      return false;
    }
  }
}
