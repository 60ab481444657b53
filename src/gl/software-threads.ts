import { availableParallelism } from 'node:os';
import { GpuprofError } from '../errors.ts';
import type { GlContext } from './context.ts';

/** llvmpipe's own upper limit, and SwiftShader's. */
const mostThreads = 16;

/**
 * Sets how many worker threads a software renderer gets; call it before the first context opens. 0 makes llvmpipe's
 * calling thread draw (SwiftShader takes one worker then): a heavy draw takes one core's time, and duration equals CPU
 * time. Measured on 2 cores, a draw of 128x128 pixels and its finish take 37 to 38 us on llvmpipe without workers and 82
 * to 165 us with them, moving with the machine's load, so 0 is the command line's default. 'default' leaves the
 * environment as it is.
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

/** As the environment says, else a thread for each core; llvmpipe takes none on a single core. */
function threadsInEffect(): number {
  const asked = Number.parseInt(process.env.LP_NUM_THREADS ?? '', 10);
  if (asked >= 0) return Math.min(asked, mostThreads);
  const cores = availableParallelism();
  return cores > 1 ? Math.min(cores, mostThreads) : 0;
}

/** Worker threads that SwiftShader is to have: it needs one. */
export const swiftShaderThreads = (): number => Math.max(1, threadsInEffect());

/** Worker threads in effect on llvmpipe and in the swiftshader driver, null on other renderers. */
export function softwareThreads({ driver, renderer }: GlContext): number | null {
  if (driver === 'swiftshader') return swiftShaderThreads();
  return /llvmpipe/i.test(renderer) ? threadsInEffect() : null;
}
