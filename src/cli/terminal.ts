/** Whether a stream gets colour: NO_COLOR and FORCE_COLOR first, then whether it is a terminal. */
export function wantsColor(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  if (FORCE_COLOR) return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Columns of the terminal behind standard output; null when there is none. */
export const terminalWidth = (): number | null => (process.stdout.isTTY ? process.stdout.columns || 80 : null);
