/** Counters side by side: their heads, and a line for each row of the table above them. */
import type { CounterBlock } from './counter-blocks.ts';
import type { ValueTone } from './counter-columns.ts';
import type { Palette } from './palette.ts';
import type { Cells } from './table-columns.ts';
import { type Column, layout, line, nameText, rule } from './table-lines.ts';
import { shorten } from './text.ts';

/** What a line begins with. */
export type NamedRow = Pick<Cells, 'event' | 'name' | 'indent'>;

interface RowPaint<R> {
  readonly name: (text: string, row: R, column: 'event' | 'name') => string;
  /** Whether values of the row that are as usual stand out. */
  readonly isStrong: (row: R) => boolean;
}

const tones: Readonly<Record<ValueTone, keyof Palette | null>> = {
  ok: null,
  questionable: 'odd',
  failed: 'bad',
  more: 'bad',
  fewer: 'good',
  differs: 'odd',
  same: 'dim',
  unknown: 'dim',
};

export function* counterBlock<R extends NamedRow>(
  block: CounterBlock,
  rows: readonly R[],
  colors: Palette,
  paint: RowPaint<R>,
): Generator<string> {
  const event = block.eventWidth > 0 ? [{ width: block.eventWidth, isLeft: false }] : [];
  const name = { width: block.nameWidth, isLeft: true };
  const columns = [...event, name, ...block.columns.map(({ width }) => ({ width, isLeft: false }))];
  const template = layout(columns);
  const labels: readonly ('event' | 'name')[] = event.length > 0 ? ['event', 'name'] : ['name'];
  for (let at = 0; at < block.headLines; at++) {
    const head = (_: Column, index: number) => {
      if (index < labels.length) return at === block.headLines - 1 ? shorten(labels[index], columns[index].width) : '';
      const { headLines } = block.columns[index - labels.length];
      return headLines[at - block.headLines + headLines.length] ?? '';
    };
    yield line(template, columns, head, colors.dim);
  }
  yield rule(columns, colors);
  for (const [at, row] of rows.entries())
    yield line(
      template,
      columns,
      ({ width }, index) => {
        if (index >= labels.length) return block.columns[index - labels.length].column.texts[at];
        return labels[index] === 'event' ? row.event : nameText(row, width);
      },
      (text, _, index) => {
        if (index < labels.length) return paint.name(text, row, labels[index]);
        const tone = tones[block.columns[index - labels.length].column.statuses[at]];
        // Values may end in spaces, to stand below others.
        const value = text.trimEnd();
        const painted = tone === null ? (paint.isStrong(row) ? colors.strong(value) : value) : colors[tone](value);
        return painted + text.slice(value.length);
      },
    );
}
