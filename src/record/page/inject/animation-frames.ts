import { replaceMethod } from './disguise.ts';

export interface Phase {
  /** Before the page's first callback for the next picture. */
  readonly begin: () => void;
  /** After its last. */
  readonly end: () => void;
}

const { apply } = Reflect;

/**
 * Calls `phase` around the callbacks that the page has asked for by requestAnimationFrame. The recorder's own callbacks
 * are the first and the last of each phase; the page gets the ids it would get without them. False where there are no such
 * callbacks, as in a worker's worker.
 */
export function watchAnimationFrames(phase: Phase): boolean {
  if (typeof requestAnimationFrame !== 'function') return false;
  const [request, cancel] = [requestAnimationFrame, cancelAnimationFrame];
  let lastId = 0;
  /** The browser's ids by the page's, of the callbacks that run now and of those for the next phase. */
  let running = new Map<unknown, number>();
  let coming = new Map<unknown, number>();
  let comingEnd = 0;

  const atBegin = (): void => {
    request(atBegin);
    comingEnd = request(phase.end);
    running = coming;
    coming = new Map();
    phase.begin();
  };
  try {
    request(atBegin);
  } catch {
    return false;
  }
  comingEnd = request(phase.end);

  replaceMethod(globalThis, 'requestAnimationFrame', (original) => ({
    requestAnimationFrame(this: unknown, ...args: unknown[]) {
      const id = apply(original, this, args) as number;
      cancel(comingEnd);
      comingEnd = request(phase.end);
      coming.set(++lastId, id);
      return lastId;
    },
  }));
  replaceMethod(globalThis, 'cancelAnimationFrame', (original) => ({
    cancelAnimationFrame(this: unknown, ...args: unknown[]) {
      const asked = Number(args[0]);
      const id = coming.get(asked) ?? running.get(asked);
      return apply(original, this, id === undefined && args.length > 0 ? [0] : [id].slice(0, args.length));
    },
  }));
  return true;
}
