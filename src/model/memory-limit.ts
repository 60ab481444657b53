/** How much memory files from outside may make this process and the driver take. What each may ask for is a share of it. */
import { GpuprofError } from '../errors.ts';

/** Bytes, handed on to the processes that this one starts. */
const variable = 'GPUPROF_MAX_MEMORY';
const defaultBytes = 4 * 2 ** 30;

/** Sets the limit for whatever is read from now on. */
export function limitMemory(bytes: number): void {
  process.env[variable] = String(bytes);
}

/** So many bytes: `part` of the limit, which is 4 GiB unless it has been set. */
export function shareOfMemory(part: number): number {
  const set = Number(process.env[variable]);
  return Math.floor((set > 0 ? set : defaultBytes) * part);
}

/**
 * Most bytes that a process which replays may take: what its capture may hold, as much again in the driver, and a GiB for
 * the programs and for shaders that are compiled, which no call tells the size of.
 */
export const processBytes = (): number => shareOfMemory(2) + 2 ** 30;

/** `512 MiB`; small amounts in bytes. */
export const bytesText = (bytes: number): string =>
  bytes < 2 ** 20 ? `${bytes} bytes` : `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;

/** The hint of what is refused for its size. */
export const memoryHint = 'raise --max-memory (GPUPROF_MAX_MEMORY) for a file that you trust';

/** The refusal of what is over its share; `what` goes before the size, as `a.png has`. */
export const tooLarge = (
  code: 'bad-capture' | 'bad-input',
  what: string,
  bytes: number,
  mostBytes: number,
): GpuprofError =>
  new GpuprofError(code, `${what} ${bytesText(bytes)}; at most ${bytesText(mostBytes)}`, { hint: memoryHint });
