/** Edits (one character put in, left out or replaced) between two texts, case aside. */
function distance(left: string, right: string): number {
  const [from, to] = [left.toLowerCase(), right.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++)
      next.push(Math.min(row[at] + (character === to[at] ? 0 : 1), row[at + 1] + 1, next[at] + 1));
    row = next;
  }
  return row[to.length];
}

/** The known name that is near enough to what was written to be meant. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(written.length / 3)) + 1;
  for (const name of names) {
    const edits = distance(written, name);
    if (edits < least) [best, least] = [name, edits];
  }
  return best;
}

/** `; did you mean X?` when a known name is near enough to what was written; else nothing. */
export function nearest(written: string, names: Iterable<string>): string {
  const name = nearestName(written, names);
  return name === undefined ? '' : `; did you mean ${name}?`;
}
