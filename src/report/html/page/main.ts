/** The HTML report's script: a tree grid of which only the rows in view exist, and what belongs to the chosen row. */
import type { HtmlData, HtmlFrame } from '../data.ts';
import { showDetails } from './details.ts';
import { byId, durationText, element } from './dom.ts';
import { showFlame } from './flame.ts';
import { familyOf, type SortKey, type TreeRow, treeRows } from './rows.ts';

const rowHeight = 24;
/** Beyond those in view, so that scrolling shows no gaps. */
const spareRows = 10;

const data = JSON.parse(byId('data').textContent ?? '') as HtmlData;
const grid = byId('tree');
const body = byId('rows');
const search = byId<HTMLInputElement>('search');
const sort = byId<HTMLSelectElement>('sort');
const closed = new Set<number>();
let frame: HtmlFrame = data.frames[0];
let family = familyOf(frame.nodes);
let rows: TreeRow[] = [];
let chosen = 0;

function rowElement({ index, node, hasChildren, isOpen }: TreeRow, place: number): HTMLElement {
  const cell = (name: string, ...content: (Node | string)[]) =>
    element('span', { role: 'gridcell', class: name }, ...content);
  const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, hasChildren ? (isOpen ? '▾' : '▸') : '');
  const name = cell('name', mark, node.name);
  name.style.paddingInlineStart = `${node.depth * 14}px`;
  const bar = element('span', { class: 'bar', style: `width:${(node.share ?? 0) * 100}%` });
  const made = element(
    'div',
    {
      role: 'row',
      id: `row-${index}`,
      class: `row ${node.status}`,
      style: `top:${place * rowHeight}px`,
      'aria-level': node.depth + 1,
      'aria-rowindex': place + 2,
      'aria-selected': String(index === chosen),
      'aria-expanded': hasChildren ? String(isOpen) : undefined,
    },
    cell('event', String(node.eventId ?? '')),
    name,
    cell('kind', node.kind),
    cell('draws', String(node.draws)),
    cell('time', durationText(node.durationNs)),
    cell('share', node.share === null ? '' : `${(node.share * 100).toFixed(1)}%`),
    cell('bars', bar),
  );
  made.addEventListener('click', (event) => {
    if ((event.target as Element).classList.contains('mark')) toggle(index);
    choose(index);
  });
  return made;
}

/** Puts the rows in view into the page. */
function render(): void {
  const first = Math.max(0, Math.floor(grid.scrollTop / rowHeight) - spareRows);
  const last = Math.min(rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / rowHeight) + spareRows);
  body.style.height = `${rows.length * rowHeight}px`;
  body.replaceChildren(...rows.slice(first, last).map((row, place) => rowElement(row, first + place)));
  const isThere = document.getElementById(`row-${chosen}`) !== null;
  if (isThere) grid.setAttribute('aria-activedescendant', `row-${chosen}`);
  else grid.removeAttribute('aria-activedescendant');
}

function refresh(): void {
  rows = treeRows(frame.nodes, family, closed, search.value, sort.value as SortKey);
  grid.setAttribute('aria-rowcount', String(rows.length + 1));
  byId('count').textContent = `${rows.length} of ${frame.nodes.length} rows`;
  render();
}

function toggle(index: number, open = closed.has(index)): void {
  if (open) closed.delete(index);
  else closed.add(index);
  refresh();
}

function choose(index: number): void {
  chosen = index;
  for (let at = family.parents[index]; at >= 0; at = family.parents[at]) closed.delete(at);
  refresh();
  const place = rows.findIndex((row) => row.index === index);
  const head = byId('head').offsetHeight;
  const top = place * rowHeight;
  if (top < grid.scrollTop) grid.scrollTop = top;
  const below = top + rowHeight + head - grid.clientHeight;
  if (below > grid.scrollTop) grid.scrollTop = below;
  render();
  showDetails(frame.nodes[index], frame.counters);
}

/** Rows that a key moves by; undefined for keys of another kind. */
const steps = (key: string): number | undefined => {
  const page = Math.max(1, Math.floor(grid.clientHeight / rowHeight) - 2);
  const by: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  return Object.hasOwn(by, key) ? by[key] : undefined;
};

grid.addEventListener('keydown', (event) => {
  const place = Math.max(
    0,
    rows.findIndex(({ index }) => index === chosen),
  );
  const step = steps(event.key);
  const row = rows[place];
  if (row && step !== undefined) choose(rows[Math.max(0, Math.min(rows.length - 1, place + step))].index);
  else if (row && event.key === 'ArrowRight') {
    if (row.hasChildren && !row.isOpen) toggle(row.index, true);
    else if (row.hasChildren && rows[place + 1]) choose(rows[place + 1].index);
  } else if (row && event.key === 'ArrowLeft') {
    if (row.hasChildren && row.isOpen) toggle(row.index, false);
    else if (family.parents[row.index] >= 0) choose(family.parents[row.index]);
  } else return;
  event.preventDefault();
});
grid.addEventListener('scroll', render);
search.addEventListener('input', refresh);
sort.addEventListener('change', refresh);

function showFrame(shown: HtmlFrame): void {
  frame = shown;
  family = familyOf(frame.nodes);
  closed.clear();
  byId('frame-facts').replaceChildren(
    ...frame.facts.flatMap(([label, text]) => [element('dt', {}, label), element('dd', {}, text)]),
  );
  choose(0);
  showFlame(frame.nodes, choose);
}

const frames = byId<HTMLSelectElement>('frame');
frames.append(...data.frames.map(({ frame }, index) => element('option', { value: index }, String(frame))));
frames.addEventListener('change', () => showFrame(data.frames[Number(frames.value)]));
showFrame(frame);
