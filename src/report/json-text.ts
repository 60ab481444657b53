/** JSON in pieces, a line for each thing that there are many of. */

/** Control and direction characters, and those that are none, that JSON lets through and a terminal would obey. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/g;

/** Whole numbers of any size are text of decimal digits, whatever their value: a reader need not ask for the type. */
const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** Only what a double would round is text of decimal digits. */
export const whereRounded = (key: string, value: unknown): unknown =>
  typeof value === 'bigint' && value <= safe && value >= -safe ? Number(value) : digits(key, value);

/** Few things have such numbers, and asking for each value takes three times as long. */
function stringify(value: unknown, indent: number, exactly: typeof digits): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return JSON.stringify(value, exactly, indent);
  }
}

/** JSON that no terminal obeys; on one line, unless it is indented. */
export const jsonText = (value: unknown, indent = 0, exactly = digits): string =>
  stringify(value, indent, exactly).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The members of an object but for one, as the start of an object that this one will end. */
export function* openObject(value: object, last: string): Generator<string> {
  for (const [key, member] of Object.entries(value))
    if (key !== last && member !== undefined) yield `${jsonText(key)}: ${jsonText(member)},\n`;
  yield `${jsonText(last)}: [`;
}
