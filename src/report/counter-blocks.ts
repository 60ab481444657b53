/** How the counters of a set are spread over the width of a terminal. */
import type { CounterColumnText } from './counter-columns.ts';
import type { Cells } from './table-columns.ts';
import { displayWidth, shorten, wrap } from './text.ts';

const mostHeadLines = 3;
const widestWord = 24;
const narrowestName = 24;
const leastName = 8;

export interface BlockColumn {
  readonly column: CounterColumnText;
  readonly width: number;
  readonly headLines: readonly string[];
}

/** Counters that stand side by side; the rest follow in blocks below, with the same rows. */
export interface CounterBlock {
  /** 0 where there is no room for it. */
  readonly eventWidth: number;
  readonly nameWidth: number;
  readonly headLines: number;
  readonly columns: readonly BlockColumn[];
}

/** As narrow as its values and three lines of head let it be. */
function layOutColumn(column: CounterColumnText): BlockColumn {
  const words = column.head.split(' ').map((word) => shorten(word, widestWord));
  let width = 1;
  for (const word of words) width = Math.max(width, displayWidth(word));
  for (const text of column.texts) width = Math.max(width, text.length);
  const head = words.join(' ');
  while (wrap(head, width).length > mostHeadLines) width++;
  return { column, width, headLines: wrap(head, width) };
}

const widest = (widths: Iterable<number>): number => {
  let most = 0;
  for (const width of widths) most = Math.max(most, width);
  return most;
};

/**
 * As many columns a block as fit in `room`, never leaving one out. Names are at most `widestName` wide, and in a terminal
 * take two fifths of it, then what the columns of their block leave.
 */
export function counterBlocks(
  columns: readonly CounterColumnText[],
  rows: readonly Pick<Cells, 'event' | 'name' | 'indent'>[],
  room: number,
  { gap, widestName }: { readonly gap: number; readonly widestName: number },
): CounterBlock[] {
  const laidOut = columns.map(layOutColumn);
  const needed = widest(rows.map(({ name, indent }) => 2 * indent + displayWidth(shorten(name, widestName))));
  const fullName = Math.min(Math.max(needed, 'name'.length), widestName);
  const afterColumn = room - gap - widest(laidOut.map(({ width }) => width));
  const fullEvent = widest(['event'.length, ...rows.map(({ event }) => event.length)]);
  const eventWidth = afterColumn - fullEvent - gap >= Math.min(leastName, fullName) ? fullEvent : 0;
  const afterEvent = afterColumn - (eventWidth > 0 ? eventWidth + gap : 0);
  const share = Math.max(narrowestName, Math.floor(room * 0.4));
  const nameWidth = Math.max(1, Math.min(fullName, share, afterEvent));
  const start = (eventWidth > 0 ? eventWidth + gap : 0) + nameWidth;
  const blocks: BlockColumn[][] = [];
  let used = start;
  for (const column of laidOut) {
    if (blocks.length === 0 || used + gap + column.width > room) {
      blocks.push([]);
      used = start;
    }
    blocks[blocks.length - 1].push(column);
    used += gap + column.width;
  }
  return blocks.map((list) => {
    const left = room - start - list.reduce((sum, { width }) => sum + gap + width, 0);
    const headLines = widest(list.map((column) => column.headLines.length));
    return { eventWidth, nameWidth: Math.min(fullName, nameWidth + Math.max(0, left)), headLines, columns: list };
  });
}
