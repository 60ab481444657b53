/** The script of a comparison's page. */
import { byId, element, facts, pageData } from '../../html/page/dom.ts';
import { treeGrid } from '../../html/page/tree-grid.ts';
import type { ComparedHtmlData, ComparedHtmlFrame } from '../html-data.ts';

const { frames } = pageData<ComparedHtmlData>();
let frame: ComparedHtmlFrame | undefined;

function showDetails(index: number): void {
  if (!frame) return;
  const { tree, notes } = frame;
  const name = tree.columns.find(({ key }) => key === 'name')?.texts?.[index] ?? '';
  const pairs = tree.columns.flatMap(({ key, head, texts }) => {
    const text = texts?.[index].trim() ?? '';
    return key === 'name' || text === '' ? [] : [element('div', {}, ...facts([[head, text]]))];
  });
  byId('details').replaceChildren(
    element('h2', { id: 'details-head' }, name),
    element('dl', { class: 'pairs' }, ...pairs),
    ...notes[index].map((note) => element('p', {}, note)),
  );
}

const grid = treeGrid(showDetails, byId('details'));
const chooser = byId<HTMLSelectElement>('frame');

function showFrame(index: number): void {
  if (frame === frames[index]) return;
  frame = frames[index];
  chooser.value = String(index);
  byId('frame-facts').replaceChildren(...facts(frame.facts));
  byId('notes').replaceChildren(...frame.frameNotes.map((note) => element('li', {}, note)));
  grid.show(frame.tree);
}

chooser.append(...frames.map(({ title }, index) => element('option', { value: index }, title)));
chooser.addEventListener('change', () => showFrame(Number(chooser.value)));
for (const button of document.querySelectorAll<HTMLElement>('.findings button'))
  button.addEventListener('click', () => {
    showFrame(Number(button.dataset.frame));
    grid.choose(Number(button.dataset.row));
    byId('tree').focus();
  });
if (frames.length > 0) showFrame(0);
