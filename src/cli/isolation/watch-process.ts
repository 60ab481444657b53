import { readFileSync } from 'node:fs';
import { word } from '../../model/position.ts';
import { readPosition } from './notebook.ts';
import type { Loss } from './tell-loss.ts';

const lookEveryMs = 250;

/** What a process has in memory and in swap, in MiB; 0 where the system does not tell. */
function mebibytesOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kibibytes = [...status.matchAll(/^Vm(?:RSS|Swap):\s*(\d+) kB$/gm)].map(([, digits]) => Number(digits));
    return kibibytes.reduce((sum, one) => sum + one, 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Calls `lost`, once, with why a process is to be ended: its position in the notebook has not moved for as long as
 * `patienceMs` says at each look (0 is for ever), or it takes more memory than stands there. Returns what stops looking.
 */
export function watchProcess(
  pid: number | undefined,
  notebook: number,
  patienceMs: (position: Uint32Array) => number,
  lost: (loss: Loss) => void,
): () => void {
  let before = '';
  let movedMs = performance.now();
  const lose = (loss: Loss) => {
    clearInterval(timer);
    lost(loss);
  };
  const timer = setInterval(() => {
    const position = readPosition(notebook);
    const mostMebibytes = position[word.mostMebibytes];
    if (mostMebibytes > 0 && mebibytesOf(pid) > mostMebibytes) {
      lose({ how: 'grown', mostMebibytes });
      return;
    }
    const mostMs = patienceMs(position);
    const now = position.join();
    if (now !== before || mostMs === 0) {
      before = now;
      movedMs = performance.now();
    } else if (performance.now() - movedMs > mostMs) lose({ how: 'hung', patienceMs: mostMs });
  }, lookEveryMs);
  return () => clearInterval(timer);
}
