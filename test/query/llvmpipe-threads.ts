import { readdirSync, readFileSync } from 'node:fs';

/** Names of llvmpipe's worker threads in this process. */
export function llvmpipeThreads(): string[] {
  return readdirSync('/proc/self/task')
    .map((id) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim())
    .filter((name) => name.startsWith('llvmpipe'));
}
