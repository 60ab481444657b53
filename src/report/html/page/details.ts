/** What is known of the chosen row: every column, its state, and its samples as histograms. */
import type { HtmlData, HtmlFrame, HtmlThumbnail } from '../data.ts';
import { byId, element, facts } from './dom.ts';
import { histogram } from './histogram.ts';
import { pictureElement } from './pictures.ts';

function thumbnailElements(thumbnail: HtmlThumbnail | undefined): HTMLElement[] {
  if (!thumbnail) return [];
  const { picture, text } = thumbnail;
  const caption = element('figcaption', {}, text);
  return [element('figure', {}, ...(picture === null ? [] : [pictureElement(picture, text)]), caption)];
}

export function showDetails({ tree, nodes }: HtmlFrame, index: number, states: HtmlData['states']): void {
  const { target, reason, state, durationNs, cpuNs, thumbnail } = nodes[index];
  const name = tree.columns.find(({ key }) => key === 'name')?.texts?.[index] ?? '';
  const columns = tree.columns.flatMap(({ key, head, texts }): [string, string][] =>
    texts && key !== 'name' && texts[index] !== '' ? [[head, texts[index]]] : [],
  );
  const others: [string, string][] = [
    ...(reason === null ? [] : [['reason', reason] as [string, string]]),
    ...(target === '' ? [] : [['target', target] as [string, string]]),
    ...(state === undefined ? [] : Object.entries(states[state] ?? {})),
  ];
  const pairs = [...columns, ...others].map((pair) => element('div', {}, ...facts([pair])));
  byId('details').replaceChildren(
    element('h2', { id: 'details-head' }, name),
    ...thumbnailElements(thumbnail),
    element('dl', { class: 'pairs' }, ...pairs),
    element('div', { class: 'histograms' }, ...histogram('time', durationNs), ...histogram('cpu', cpuNs ?? [])),
  );
}
