/** Text of captures and drivers is untrusted: nothing in it may move a cursor, break a line or hide what is written. */
const lineSeparators = '\u2028\u2029';
const directionMarks = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069';
const invisible = '\u00ad\u180e\u200b\u200c\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff';
const controls = new RegExp(`[\\p{Cc}\\p{Cs}${lineSeparators}${directionMarks}${invisible}]`, 'gu');

function picture(control: string): string {
  const code = control.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

const plain = /^[\x20-\x7e]*$/;

/** The text on one line, with every control character replaced by a visible one (escape becomes `␛`). */
export function printable(text: string): string {
  return plain.test(text) ? text : text.replace(controls, picture);
}
