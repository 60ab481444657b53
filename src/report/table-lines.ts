/** Lines of tables on a terminal: facts with their labels, rows in columns, and text below. */
import Table from 'cli-table3';
import type { Palette } from './palette.ts';
import type { Fact } from './summary.ts';
import type { Cells } from './table-columns.ts';
import { displayWidth, shorten, wrap } from './text.ts';

export const gap = 2;
export const widestName = 120;
export const narrowestName = 24;
const labelWidth = 10;
const narrowestText = 20;
/** Column n of the layout is made of the n-th private-use character, each one column wide. */
const firstFiller = 0xe000;
const filler = /([\ue000-\uf8ff])\1*/g;

/** The label stands on the first line of its text. */
export function* factLines(facts: readonly Fact[], width: number | null, { dim }: Palette): Generator<string> {
  for (const { label, text } of facts) {
    const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - labelWidth));
    for (const [index, line] of lines.entries()) yield `${dim((index === 0 ? label : '').padEnd(labelWidth))}${line}\n`;
  }
}

export interface Column {
  readonly width: number;
  readonly isLeft: boolean;
}

/** Indented, and shortened in its middle. */
export function nameText({ name, indent }: Pick<Cells, 'name' | 'indent'>, width: number): string {
  const margin = Math.min(2 * indent, Math.floor(width / 2));
  return ' '.repeat(margin) + shorten(name, width - margin);
}

/**
 * A row of the table, laid out by cli-table3, with fillers for the texts: laying out each row takes it 0.2 ms, which
 * frames of many draws do not have.
 */
export function layout(columns: readonly Column[]): string {
  const table = new Table({
    chars: Object.fromEntries(
      ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
        [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
      ),
    ),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: columns.map(({ width }) => width),
  });
  table.options.chars.middle = ' '.repeat(gap);
  table.push(columns.map(({ width }, index) => String.fromCharCode(firstFiller + index).repeat(width)));
  return table.toString();
}

/** One line: `text` says what stands in a column, no wider than it, `color` how it is painted. */
export function line<C extends Column>(
  template: string,
  columns: readonly C[],
  text: (column: C, index: number) => string,
  color: (text: string, column: C, index: number) => string,
): string {
  const filled = template.replace(filler, (run) => {
    const index = run.charCodeAt(0) - firstFiller;
    const column = columns[index];
    const plain = text(column, index);
    const margin = ' '.repeat(Math.max(0, column.width - displayWidth(plain)));
    const painted = color(plain, column, index);
    return column.isLeft ? painted + margin : margin + painted;
  });
  return `${filled.trimEnd()}\n`;
}

/** Under the heads. */
export const rule = (columns: readonly Column[], colors: Palette): string =>
  `${colors.dim('─'.repeat(columns.reduce((sum, { width }) => sum + width + gap, -gap)))}\n`;

export function* textLines(text: string, width: number | null, color: (text: string) => string): Generator<string> {
  for (const line of width === null ? [text] : wrap(text, width)) yield `${color(line)}\n`;
}
