/** Measuring, shortening and wrapping printable text (printable.ts) by the columns it takes on a terminal. */
import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;
/** ASCII and what tables draw with, bars and arrows above all: a column each. */
const narrow = /^[\x20-\x7e–…→µ±█▏▎▍▌▋▊▉]*$/;

/** Columns a printable text takes on a terminal. */
export const displayWidth = (text: string): number => (narrow.test(text) ? text.length : stringWidth(text));

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As many whole characters from the start of `characters` as fit in `width` columns. */
function take(characters: readonly string[], width: number): string {
  let text = '';
  let used = 0;
  for (const character of characters) {
    used += displayWidth(character);
    if (used > width || text.length > width * 8) break;
    text += character;
  }
  return text;
}

/** Shortens printable text in its middle, so that it takes at most `width` columns. */
export function shorten(text: string, width: number): string {
  if (text.length <= width * 8 && displayWidth(text) <= width) return text;
  if (width < 2) return '…'.slice(0, Math.max(0, width));
  const head = Math.ceil((width - 1) / 2);
  if (ascii.test(text)) return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
  // A long text is cut before it is taken apart: a character is rarely more than a few code units.
  const first = Array.from(graphemes.segment(text.slice(0, width * 8)), (part) => part.segment);
  const last = Array.from(graphemes.segment(text.slice(-width * 8)), (part) => part.segment).reverse();
  const tail = take(last, width - 1 - head);
  const reversed = Array.from(graphemes.segment(tail), (part) => part.segment)
    .reverse()
    .join('');
  return `${take(first, head)}…${reversed}`;
}

/** Breaks printable text at spaces into lines of at most `width` columns; a longer word stands alone, shortened. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || displayWidth(longer) <= width) line = longer;
    else {
      lines.push(shorten(line, width));
      line = word;
    }
  }
  return [...lines, shorten(line, width)];
}
