/** How much memory files from outside may make this process and the driver take. What each may ask for is a share of it. */

/** Bytes, handed on to the processes that this one starts. */
const variable = 'GPUPROF_MAX_MEMORY';
const defaultBytes = 4 * 2 ** 30;

/** Sets the limit for whatever is read from now on. */
export function limitMemory(bytes: number): void {
  process.env[variable] = String(bytes);
}

/** So many bytes: `part`, from 0 to 1, of the limit, which is 4 GiB unless it has been set. */
export function shareOfMemory(part: number): number {
  const set = Number(process.env[variable]);
  return Math.floor((set > 0 ? set : defaultBytes) * part);
}

/** `512 MiB`; small amounts in bytes. */
export const bytesText = (bytes: number): string =>
  bytes < 2 ** 20 ? `${bytes} bytes` : `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;

/** The hint of what is refused for its size. */
export const memoryHint = 'raise --max-memory (GPUPROF_MAX_MEMORY) for a file that you trust';
