/** Ends of the process that this program means, beside those of a configuration that runs in it. */
let isOwn = false;

/** Ends the process at once; exit handlers still run. */
export function endProcess(code: number): never {
  isOwn = true;
  process.exit(code);
}

export const endsItself = (): boolean => isOwn;
