/** Lines of tables on a terminal: facts with their labels, rows in columns, and text below. */
import Table from 'cli-table3';
import type { Palette } from './palette.ts';
import type { Fact } from './summary.ts';
import type { Cells } from './table-columns.ts';
import { displayWidth, shorten, wrap } from './text.ts';

export const gap = 2;
export const widestName = 120;
const narrowestName = 24;
const labelWidth = 10;
const narrowestText = 20;
/** Column n of the layout is made of the n-th private-use character, each one column wide. */
const firstFiller = 0xe000;
const parts = /([\ue000-\uf8ff])\1*|[^\ue000-\uf8ff]+/g;

/** What a CI runner would take for a command to itself: `::error::` that begins a line, `##[error]` anywhere. */
const runnerCommand = /^(\s*):(?=:)|##(?=[a-z]*\[)/gi;

/** The line, so that no name in it gives a CI runner commands. */
const quiet = (text: string): string =>
  !text.includes('::') && !text.includes('##')
    ? text
    : text.replace(runnerCommand, (command, margin?: string) => (command === '##' ? '#♯' : `${margin}∶`));

/** The label stands on the first line of its text. */
export function* factLines(facts: readonly Fact[], width: number | null, { dim }: Palette): Generator<string> {
  for (const { label, text } of facts) {
    const margin = Math.max(labelWidth, label.length + 1);
    const lines = width === null ? [text] : wrap(text, Math.max(narrowestText, width - margin));
    for (const [index, line] of lines.entries())
      yield quiet(`${dim((index === 0 ? label : '').padEnd(margin))}${line}\n`);
  }
}

export interface Column {
  readonly width: number;
  readonly isLeft: boolean;
}

export interface NamedColumn<N extends string> extends Column {
  readonly name: N;
  readonly head: string;
}

interface Fit<N extends string> {
  /** Columns of the terminal; null for no limit. */
  readonly width: number | null;
  readonly leftAligned: readonly N[];
  /** Which go first where there is no room. */
  readonly dispensable: readonly N[];
  /** Widths that do not depend on the texts. */
  readonly fixed?: Readonly<Partial<Record<N, number>>>;
}

/** The columns that are shown, each as wide as it needs to be; the name takes what is left of the terminal. */
export function fitColumns<N extends string>(
  heads: readonly (readonly [N, string])[],
  rows: readonly ({ readonly [name in N]: string } & Pick<Cells, 'name' | 'indent'>)[],
  { width, leftAligned, dispensable, fixed }: Fit<N>,
): NamedColumn<N>[] {
  const widths = new Map<string, number>();
  for (const [name, head] of heads) {
    let needed = fixed?.[name] ?? displayWidth(head);
    for (const row of fixed?.[name] === undefined ? rows : [])
      needed = Math.max(
        needed,
        name === 'name' ? 2 * row.indent + Math.min(displayWidth(row.name), widestName) : displayWidth(row[name]),
      );
    widths.set(name, needed);
  }
  const room = width ?? Number.POSITIVE_INFINITY;
  const others = (): number => [...widths].reduce((sum, [name, each]) => sum + (name === 'name' ? 0 : each + gap), 0);
  const nameWidth = Math.min(widths.get('name') ?? 0, widestName);
  for (const name of dispensable) if (others() + Math.min(nameWidth, narrowestName) > room) widths.delete(name);
  widths.set('name', Math.max(1, Math.min(nameWidth, room - others())));
  return heads.flatMap(([name, head]) => {
    const each = widths.get(name);
    return each === undefined ? [] : [{ name, head, width: each, isLeft: leftAligned.includes(name) }];
  });
}

/** Indented, and shortened in its middle. */
export function nameText({ name, indent }: Pick<Cells, 'name' | 'indent'>, width: number): string {
  const margin = Math.min(2 * indent, Math.floor(width / 2));
  return ' '.repeat(margin) + shorten(name, width - margin);
}

/** A row's parts from left to right: text, or the number of the column that stands there. */
export type Layout = readonly (string | number)[];

/**
 * A row of the table, laid out by cli-table3, with fillers for the texts: laying out each row takes it 0.2 ms, which
 * frames of many draws do not have.
 */
export function layout(columns: readonly Column[]): Layout {
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
  return Array.from(table.toString().matchAll(parts), ([part, filler]) =>
    filler === undefined ? part : filler.charCodeAt(0) - firstFiller,
  );
}

/** One line: `text` says what stands in a column, no wider than it, `color` how it is painted. */
export function line<C extends Column>(
  template: Layout,
  columns: readonly C[],
  text: (column: C, index: number) => string,
  color: (text: string, column: C, index: number) => string,
): string {
  let filled = '';
  for (const part of template) {
    if (typeof part === 'string') {
      filled += part;
      continue;
    }
    const column = columns[part];
    const plain = text(column, part);
    const margin = ' '.repeat(Math.max(0, column.width - displayWidth(plain)));
    const painted = color(plain, column, part);
    filled += column.isLeft ? painted + margin : margin + painted;
  }
  return quiet(`${filled.trimEnd()}\n`);
}

/** Under the heads. */
export const rule = (columns: readonly Column[], colors: Palette): string =>
  `${colors.dim('─'.repeat(columns.reduce((sum, { width }) => sum + width + gap, -gap)))}\n`;

export function* textLines(text: string, width: number | null, color: (text: string) => string): Generator<string> {
  for (const line of width === null ? [text] : wrap(text, width)) yield quiet(`${color(line)}\n`);
}
