import type { Palette } from '../palette.ts';
import { displayWidth, shorten } from '../text.ts';

const gap = 2;

export interface ColumnHead {
  readonly head: string;
  readonly isLeft?: boolean;
  /** Left out first where there is no room, the last such column first. */
  readonly isExtra?: boolean;
  /** Narrowed next, the first such column first, down to this many columns; then left out, the last first. */
  readonly least?: number;
}

/** Rows of printable texts as lines in columns under their heads, no wider than `width`; null for no limit. */
export function* columnLines(
  heads: readonly ColumnHead[],
  rows: readonly (readonly string[])[],
  width: number | null,
  colors: Palette,
  strongLast = false,
): Generator<string> {
  const widths = heads.map(({ head }, at) => Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[at]))));
  const total = (): number => widths.reduce((sum, each) => sum + (each === 0 ? 0 : each + gap), -gap);
  const excess = (): number => (width === null ? 0 : total() - width);
  const leaveOut = (which: (head: ColumnHead) => unknown): void => {
    for (const [at, head] of [...heads.entries()].reverse()) if (which(head) && excess() > 0) widths[at] = 0;
  };
  leaveOut(({ isExtra }) => isExtra);
  for (const [at, { least }] of heads.entries())
    if (least !== undefined && excess() > 0) widths[at] = Math.max(Math.min(least, widths[at]), widths[at] - excess());
  leaveOut(({ least }) => least !== undefined);
  const line = (cells: readonly string[], paint: (text: string) => string): string => {
    const parts = cells.flatMap((cell, at) => {
      if (widths[at] === 0) return [];
      const text = shorten(cell, widths[at]);
      const margin = ' '.repeat(widths[at] - displayWidth(text));
      return [heads[at].isLeft ? text + margin : margin + text];
    });
    const whole = parts.join(' '.repeat(gap)).trimEnd();
    return `${paint(width === null ? whole : shorten(whole, width))}\n`;
  };
  yield line(
    heads.map(({ head }) => head),
    colors.dim,
  );
  yield `${colors.dim('─'.repeat(Math.max(1, width === null ? total() : Math.min(total(), width))))}\n`;
  for (const [at, row] of rows.entries())
    yield line(row, strongLast && at === rows.length - 1 ? colors.strong : (text) => text);
}
