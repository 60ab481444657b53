import { readPosition } from './notebook.ts';

const lookEveryMs = 250;

/**
 * Calls `hung`, once, when the position in a notebook has not moved for as long as `patienceMs` says at each look (0 is for
 * ever). Returns what stops looking.
 */
export function watchPosition(
  notebook: number,
  patienceMs: (position: Uint32Array) => number,
  hung: (afterMs: number) => void,
): () => void {
  let before = '';
  let movedMs = performance.now();
  const timer = setInterval(() => {
    const position = readPosition(notebook);
    const mostMs = patienceMs(position);
    const now = position.join();
    if (now !== before || mostMs === 0) {
      before = now;
      movedMs = performance.now();
    } else if (performance.now() - movedMs > mostMs) {
      clearInterval(timer);
      hung(mostMs);
    }
  }, lookEveryMs);
  return () => clearInterval(timer);
}
