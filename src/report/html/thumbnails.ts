/** Which small picture belongs to each node of a tree. */
import type { NodeReport } from '../../model/report.ts';
import { lastThumbnail, type Thumbnail } from '../../model/thumbnails.ts';
import { printable } from '../printable.ts';
import type { HtmlColumn, HtmlThumbnail } from './data.ts';

/** By node, what its last action wrote. */
export function thumbnailsOf(
  nodes: readonly NodeReport[],
  thumbnails: readonly Thumbnail[] = [],
): (HtmlThumbnail | undefined)[] {
  /** By depth, the event at which the next node begins that stands there or further out; the last goes for those below. */
  const ends: number[] = [];
  const found: (HtmlThumbnail | undefined)[] = new Array(nodes.length).fill(undefined);
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { depth, eventId, isLeaf } = nodes[at];
    const first = eventId ?? 0;
    while (ends.length <= depth) ends.push(ends.at(-1) ?? Number.POSITIVE_INFINITY);
    const last = lastThumbnail(thumbnails, first, ends[depth]);
    ends.length = depth;
    ends.push(first);
    if (!last) continue;
    const text = last.reason === null ? last.target : `no picture: ${last.reason}`;
    const place = isLeaf && last.eventId === eventId ? '' : `after event ${last.eventId}: `;
    found[at] = { picture: last.picture, text: printable(place + text) };
  }
  return found;
}

/** Shown when asked for: rows are low. */
export const pictureColumn = (thumbnails: readonly (HtmlThumbnail | undefined)[]): HtmlColumn => ({
  key: 'picture',
  head: 'picture',
  meaning: 'what the action wrote, or the last action in the group',
  type: 'picture',
  isExtra: true,
  values: thumbnails.map((thumbnail) => thumbnail?.picture ?? null),
});
