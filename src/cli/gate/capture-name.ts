/** Names of captures, which are those of folders with baselines too. */

const mostCharacters = 100;
/** File systems take 255. */
const mostBytes = 200;

/** Why it cannot be a capture's name: the end of a sentence; undefined when it can. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '' || /^\.+$/.test(name)) return 'is no name; write one with letters';
  if (/\p{Cc}|\p{Cs}/u.test(name)) return 'is no name; leave out control characters';
  if (name.length > mostCharacters || Buffer.byteLength(name) > mostBytes)
    return `is too long for a name; ${mostCharacters} characters (${mostBytes} bytes) at most`;
  return undefined;
}
