/** A tree grid of which only the rows in view exist, in the elements that document.ts has for it. */
import type { HtmlColumn, HtmlTree } from '../data.ts';
import { byId, element } from './dom.ts';
import { fitColumns, showChooser, showHead } from './grid-head.ts';
import { pictureElement } from './pictures.ts';
import { familyOf, type Order, searchTexts, type TreeRow, treeRows } from './rows.ts';

const rowHeight = 24;
const indentWidth = 14;
/** Beyond those in view, so that scrolling shows no gaps; they come and go this many at a time. */
const spareRows = 8;

export interface TreeGrid {
  /** Another tree; its first row is chosen. */
  readonly show: (tree: HtmlTree) => void;
  /** Opens what a node stands in, scrolls to its row and marks it. */
  readonly choose: (index: number) => void;
}

/** `onChoose` is told each time a row is chosen; Enter on one goes to `details`. */
export function treeGrid(onChoose: (index: number) => void, details: HTMLElement): TreeGrid {
  const grid = byId('tree');
  const body = byId('rows');
  const search = byId<HTMLInputElement>('search');
  const closed = new Set<number>();
  let tree: HtmlTree = { depths: [], looks: [], columns: [] };
  let columns: readonly HtmlColumn[] = [];
  let family = familyOf([]);
  let texts: string[] = [];
  let matches: number[] | null = null;
  let order: Order | null = null;
  let rows: TreeRow[] = [];
  let rendered: readonly [first: number, end: number] = [0, 0];
  let chosen = 0;
  let isPrinting = false;

  function cellElement({ key, type, texts: shown = [], values = [] }: HtmlColumn, row: TreeRow): HTMLElement {
    const { index, hasChildren, isOpen } = row;
    if (type === 'bar') {
      const bar = element('span', { class: 'filled', style: `width:${(values[index] ?? 0) * 100}%` });
      return element('span', { role: 'gridcell', class: 'bar' }, bar);
    }
    if (type === 'picture') {
      const picture = values[index] ?? null;
      const content = picture === null ? [] : [pictureElement(picture, 'what it wrote')];
      return element('span', { role: 'gridcell', class: 'picture' }, ...content);
    }
    if (key !== 'name') return element('span', { role: 'gridcell', class: `${type} ${key}` }, shown[index]);
    const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, hasChildren ? (isOpen ? '▾' : '▸') : '');
    const style = `padding-inline-start:${tree.depths[index] * indentWidth}px`;
    return element('span', { role: 'rowheader', class: 'name', style, title: shown[index] }, mark, shown[index]);
  }

  function rowElement(row: TreeRow, at: number): HTMLElement {
    const { index, hasChildren, isOpen, place, siblings } = row;
    const attributes = {
      role: 'row',
      id: `row-${index}`,
      class: `row ${tree.looks[index]}`,
      style: `top:${at * rowHeight}px`,
      'aria-level': tree.depths[index] + 1,
      'aria-posinset': place,
      'aria-setsize': siblings,
      'aria-rowindex': at + 2,
      'aria-selected': 'false',
      'aria-expanded': hasChildren ? String(isOpen) : undefined,
    };
    const made = element('div', attributes, ...columns.map((column) => cellElement(column, row)));
    made.addEventListener('click', (event) => {
      if ((event.target as Element).classList.contains('mark')) toggle(index);
      choose(index);
    });
    return made;
  }

  /** Of the rows, the first and the end of those that are to be in the page. */
  function inView(): readonly [first: number, end: number] {
    if (isPrinting) return [0, rows.length];
    const from = Math.floor(grid.scrollTop / rowHeight / spareRows) - 1;
    const to = Math.ceil((grid.scrollTop + grid.clientHeight) / rowHeight / spareRows) + 1;
    return [Math.max(0, from * spareRows), to * spareRows];
  }

  /** Puts the rows in view into the page; on paper, all. */
  function render(): void {
    const [first, end] = inView();
    rendered = [first, end];
    body.replaceChildren(...rows.slice(first, end).map((row, at) => rowElement(row, first + at)));
    mark();
  }

  /** Shows which row is chosen, where it is in the page. */
  function mark(): void {
    body.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    const row = document.getElementById(`row-${chosen}`);
    row?.setAttribute('aria-selected', 'true');
    if (row) grid.setAttribute('aria-activedescendant', row.id);
    else grid.removeAttribute('aria-activedescendant');
  }

  /** Rows are rendered again only when others have come into view. */
  function scrolled(): void {
    const [first, end] = inView();
    if (first !== rendered[0] || end !== rendered[1]) render();
  }

  function findRows(): void {
    rows = treeRows(family, closed, matches, order);
    body.style.height = `${rows.length * rowHeight}px`;
    grid.setAttribute('aria-rowcount', String(rows.length + 1));
    const shown = `${rows.length} of ${tree.depths.length} rows`;
    byId('count').textContent = matches === null ? shown : `${matches.length} found, ${shown}`;
  }

  function refresh(): void {
    findRows();
    render();
  }

  function sort(next: Order | null): void {
    order = next;
    showHead(columns, order, sort);
    refresh();
  }

  function showColumns(shown: readonly HtmlColumn[]): void {
    columns = shown;
    fitColumns(grid, columns);
    showHead(columns, order, sort);
    render();
  }

  function toggle(index: number, open = closed.has(index)): void {
    if (open) closed.delete(index);
    else closed.add(index);
    refresh();
  }

  function choose(index: number): void {
    chosen = index;
    let isOpened = false;
    for (let at = family.parents[index]; at >= 0; at = family.parents[at]) isOpened = closed.delete(at) || isOpened;
    if (isOpened) refresh();
    const place = rows.findIndex((row) => row.index === index);
    if (place >= 0) {
      const top = place * rowHeight;
      const least = top + rowHeight + byId('head').offsetHeight - grid.clientHeight;
      grid.scrollTop = Math.max(least, Math.min(grid.scrollTop, top));
    }
    scrolled();
    mark();
    onChoose(index);
  }

  /** Rows that a key moves by; undefined for keys of another kind. */
  function steps(key: string): number | undefined {
    const page = Math.max(1, Math.floor(grid.clientHeight / rowHeight) - 2);
    const { length } = rows;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -length, End: length };
    return Object.hasOwn(by, key) ? by[key as keyof typeof by] : undefined;
  }

  /** Whether the key means something to the row. */
  function act(key: string, place: number): boolean {
    const row = rows[place];
    const step = steps(key);
    if (!row) return false;
    if (step !== undefined) choose(rows[Math.max(0, Math.min(rows.length - 1, place + step))].index);
    else if (key === 'ArrowRight') {
      if (row.hasChildren && !row.isOpen) toggle(row.index, true);
      else if (row.hasChildren && rows[place + 1]) choose(rows[place + 1].index);
    } else if (key === 'ArrowLeft') {
      if (row.isOpen && matches === null) toggle(row.index, false);
      else if (family.parents[row.index] >= 0) choose(family.parents[row.index]);
    } else if (key === 'Enter') details.focus();
    else return false;
    return true;
  }

  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid || event.ctrlKey || event.altKey || event.metaKey) return;
    const place = rows.findIndex(({ index }) => index === chosen);
    if (act(event.key, Math.max(0, place))) event.preventDefault();
  });
  grid.addEventListener('scroll', scrolled);
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase();
    matches = wanted === '' ? null : texts.flatMap((text, index) => (text.includes(wanted) ? [index] : []));
    refresh();
  });
  // Enter goes through what was found, in the order of the rows.
  search.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || !matches?.length) return;
    const found = new Set(matches);
    const places = rows.flatMap(({ index }) => (found.has(index) ? [index] : []));
    choose(places[(places.indexOf(chosen) + 1) % places.length]);
  });
  addEventListener('resize', scrolled);
  for (const event of ['beforeprint', 'afterprint'])
    addEventListener(event, () => {
      isPrinting = event === 'beforeprint';
      render();
    });

  function show(next: HtmlTree): void {
    tree = next;
    family = familyOf(tree.depths);
    texts = searchTexts(tree);
    closed.clear();
    matches = null;
    order = null;
    search.value = '';
    findRows();
    showChooser(tree.columns, showColumns);
    showColumns(tree.columns.filter(({ isExtra }) => !isExtra));
    choose(0);
  }
  return { show, choose };
}
