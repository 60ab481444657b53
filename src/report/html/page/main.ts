/** The script of a replay's report. */
import type { HtmlData, HtmlFrame } from '../data.ts';
import { showDetails } from './details.ts';
import { byId, element, facts, pageData } from './dom.ts';
import { flameChart } from './flame.ts';
import { usePictures } from './pictures.ts';
import { treeGrid } from './tree-grid.ts';

const data = pageData<HtmlData>();
usePictures(data.pictures);
let frame: HtmlFrame = data.frames[0];

const flame = flameChart((index) => grid.choose(index));
const grid = treeGrid((index) => {
  showDetails(frame, index, data.states);
  flame.mark(index);
}, byId('details'));

function showFrame(shown: HtmlFrame): void {
  frame = shown;
  byId('frame-facts').replaceChildren(...facts(frame.facts));
  byId('notes').replaceChildren(...frame.notes.map((note) => element('li', {}, note)));
  flame.show(frame.tree);
  grid.show(frame.tree);
}

const frames = byId<HTMLSelectElement>('frame');
frames.append(...data.frames.map(({ frame }, index) => element('option', { value: index }, String(frame))));
frames.addEventListener('change', () => showFrame(data.frames[Number(frames.value)]));
showFrame(frame);
