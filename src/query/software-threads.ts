import { availableParallelism } from 'node:os';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';

/** llvmpipe's own upper limit. */
const mostThreads = 16;

/**
 * Sets how many worker threads llvmpipe gets; call it before the first context opens. 0 makes the calling thread draw: a
 * heavy draw then takes one core's time, and duration equals CPU time. Measured on 2 cores, a draw of 128x128 pixels and
 * its finish take 37 to 38 us without workers and 82 to 165 us with them, moving with the machine's load, so 0 is the
 * command line's default. 'default' leaves the environment as it is.
 */
export function setSoftwareThreads(threads: number | 'default'): void {
  if (threads !== 'default') process.env.LP_NUM_THREADS = String(threads);
}

/** Reads the value of `--software-threads`; throws GpuprofError `bad-usage`. */
export function parseSoftwareThreads(text: string): number | 'default' {
  if (text === 'default') return text;
  const threads = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (threads <= mostThreads) return threads;
  throw new GpuprofError('bad-usage', `"${text}" is no number of software threads`, {
    hint: `use 0 to ${mostThreads}, or default`,
  });
}

/** Worker threads in effect on llvmpipe, null on other renderers. */
export function softwareThreads(context: GlContext): number | null {
  if (!/llvmpipe/i.test(context.renderer)) return null;
  const asked = Number.parseInt(process.env.LP_NUM_THREADS ?? '', 10);
  if (asked >= 0) return Math.min(asked, mostThreads);
  const cores = availableParallelism();
  return cores > 1 ? Math.min(cores, mostThreads) : 0;
}
