type Paint = (text: string) => string;

/** What colour means in a table. */
export interface Palette {
  readonly dim: Paint;
  readonly strong: Paint;
  readonly bar: Paint;
  readonly odd: Paint;
  readonly bad: Paint;
  readonly good: Paint;
}

const plain: Paint = (text) => text;
const sgr =
  (on: number, off: number): Paint =>
  (text) =>
    text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

const colored: Palette = {
  dim: sgr(2, 22),
  strong: sgr(1, 22),
  bar: sgr(36, 39),
  odd: sgr(33, 39),
  bad: sgr(31, 39),
  good: sgr(32, 39),
};
const uncolored: Palette = { dim: plain, strong: plain, bar: plain, odd: plain, bad: plain, good: plain };

export const palette = (color: boolean): Palette => (color ? colored : uncolored);
