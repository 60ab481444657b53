/** Globs over event paths: names with `/` between them, a `/` inside a name written as `\/`. */

/** Parts between the slashes that no backslash stands before. */
const split = (text: string): string[] => text.match(/(?:\\.|[^/\\]|\\$)+/gs) ?? [];

const unescaped = (name: string): string => name.replaceAll('\\/', '/');

/** One name's pattern: `*` any characters, `?` one, a backslash takes the next as it is. */
function nameMatcher(part: string): RegExp {
  const source = (part.match(/\\.|./gsu) ?? []).map((token) => {
    if (token === '*') return '[^]*';
    if (token === '?') return '[^]';
    const literal = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}

/** `**` as null. */
type Part = RegExp | null;

function matches(parts: readonly Part[], names: readonly string[]): boolean {
  // Which numbers of leading names the parts so far can stand for.
  let reached = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part !== null) {
        if (at < names.length && part.test(names[at])) next.add(at + 1);
        continue;
      }
      // At the end something must be below.
      for (let to = index === parts.length - 1 ? at + 1 : at; to <= names.length; to++) next.add(to);
    }
    reached = next;
  }
  return reached.has(names.length);
}

/**
 * Whether paths are meant by a glob: `*` and `?` stay within a name, `**` stands for any number of names (none as well,
 * except at the end), `\/`, `\*`, `\?` and `\\` are the characters themselves.
 */
export function pathGlob(glob: string): (path: string) => boolean {
  const parts = split(glob).map((part) => (part === '**' ? null : nameMatcher(part)));
  return (path) => matches(parts, split(path).map(unescaped));
}
