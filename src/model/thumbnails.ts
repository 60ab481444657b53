/** Small pictures of what actions wrote, for people to look through a frame. */

export interface Thumbnail {
  /** The first event of the action. */
  readonly eventId: number;
  /** What it shows: `COLOR0 of framebuffer 3, 1024x1024`; empty when that could not be told. */
  readonly target: string;
  /** Index in {@link Thumbnails.pictures}; null when there is none, for a reason. */
  readonly picture: number | null;
  readonly reason: string | null;
}

export interface Thumbnails {
  /** PNG files, each one once. */
  readonly pictures: readonly Uint8Array[];
  /** By frame, of its actions that write a target, in order. */
  readonly frames: ReadonlyMap<number, readonly Thumbnail[]>;
}

/** The last thumbnail of the events from `first` up to `end`, which is not among them; undefined for none. */
export function lastThumbnail(thumbnails: readonly Thumbnail[], first: number, end: number): Thumbnail | undefined {
  let low = 0;
  let high = thumbnails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (thumbnails[middle].eventId < end) low = middle + 1;
    else high = middle;
  }
  const found = thumbnails[low - 1];
  return found && found.eventId >= first ? found : undefined;
}
