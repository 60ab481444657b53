/** The head of a tree grid: which columns are shown, how wide, and in whose order the rows stand. */
import type { HtmlColumn } from '../data.ts';
import { byId, element } from './dom.ts';
import type { Order } from './rows.ts';

const drawnWidths = { bar: '160px', picture: '48px' };
const nameWidth = 'min(260px, 45vw)';
const widestText = 24;
const gap = 12;
const margins = 20;

/** Letters are wider than digits, and a head has a sign of its order. */
const headWidth = (letters: number): number => Math.ceil(letters * 1.2) + 2;

/** In digits' widths: as wide as the widest text, and as a head of two lines. */
function width({ texts = [], head, type }: HtmlColumn): number {
  const words = head.split(' ').map(({ length }) => length);
  const widest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const needed = type === 'text' ? Math.min(headWidth(widest), widestText) : widest + 1;
  return Math.max(needed, headWidth(Math.max(...words, Math.ceil(head.length / 2))));
}

/** Gives the grid its columns' widths; the name takes what is left. */
export function fitColumns(grid: HTMLElement, columns: readonly HtmlColumn[]): void {
  const widths = columns.map((column) => {
    if (column.key === 'name') return `minmax(${nameWidth}, 1fr)`;
    return column.type === 'bar' || column.type === 'picture' ? drawnWidths[column.type] : `${width(column)}ch`;
  });
  const least = widths.map((text, index) => (columns[index].key === 'name' ? nameWidth : text));
  grid.style.setProperty('--columns', widths.join(' '));
  grid.style.setProperty('--width', `calc(${least.join(' + ')} + ${gap * (columns.length - 1) + margins}px)`);
}

const direction = (column: HtmlColumn, order: Order | null): string | undefined => {
  if (order === null) return column.key === 'eventId' ? 'ascending' : undefined;
  if (order.column.key !== column.key) return undefined;
  return order.isFalling ? 'descending' : 'ascending';
};

/** The order after a click on a column: the largest first, names from A; then the other way round; events as submitted. */
function nextOrder(column: HtmlColumn, order: Order | null): Order | null {
  if (column.key === 'eventId' && (order === null || order.column.key !== 'eventId'))
    return order === null ? { column, isFalling: true } : null;
  if (order?.column.key === column.key)
    return column.key === 'eventId' ? null : { column, isFalling: !order.isFalling };
  return { column, isFalling: column.type !== 'text' };
}

/** Fills the head: a button in each column but bars and pictures; the arrow keys go from one to the next. */
export function showHead(
  columns: readonly HtmlColumn[],
  order: Order | null,
  sort: (order: Order | null) => void,
): void {
  const head = byId('head');
  const focused = head.contains(document.activeElement) ? document.activeElement?.getAttribute('data-key') : null;
  const buttons: HTMLElement[] = [];
  const cells = columns.map((column) => {
    const attributes = { role: 'columnheader', class: column.type, title: column.meaning };
    if (column.type === 'bar') return element('span', attributes, element('span', { class: 'hidden' }, column.head));
    if (column.type === 'picture') return element('span', attributes, column.head);
    const sorted = direction(column, order);
    const button = element('button', { type: 'button', 'data-key': column.key, tabindex: -1 }, column.head);
    button.addEventListener('click', () => sort(nextOrder(column, order)));
    buttons.push(button);
    return element('span', { ...attributes, 'aria-sort': sorted }, button);
  });
  head.replaceChildren(...cells);
  const current = buttons.find((button) => button.dataset.key === focused) ?? buttons[0];
  current?.setAttribute('tabindex', '0');
  if (focused != null) current?.focus();
  head.onkeydown = ({ key, target }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const next = buttons[buttons.indexOf(target as HTMLElement) + step];
    if (step === 0 || !next) return;
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  };
}

/** A box to tick for each column but the name; `change` is called with the columns to show. */
export function showChooser(all: readonly HtmlColumn[], change: (shown: readonly HtmlColumn[]) => void): void {
  const boxes = all.map((column) => {
    const box = element('input', { type: 'checkbox' }) as HTMLInputElement;
    box.checked = !column.isExtra;
    box.addEventListener('change', () => change(all.filter((_, index) => boxes[index].checked)));
    return box;
  });
  const labels = all.flatMap(({ key, head, meaning }, index) =>
    key === 'name' ? [] : [element('label', { title: meaning }, boxes[index], ` ${head}`)],
  );
  const set = byId('columns').querySelector('fieldset');
  set?.replaceChildren(...[...set.children].slice(0, 1), ...labels);
}
