import type { QrhiResource } from '../../model/qrhi/usage.ts';

type Created = Omit<QrhiResource, 'isLive'>;

/** In falling order of size; what came first goes first. */
export const bySize = (left: Created, right: Created): number =>
  left.sizeBytes === right.sizeBytes ? left.line - right.line : left.sizeBytes < right.sizeBytes ? 1 : -1;

/** The largest of what was ever created, each resource once, at its largest. */
export class Largest {
  readonly #most: number;
  readonly #kept: Created[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(created: Created): void {
    const kept = this.#kept;
    const least = kept.at(-1);
    if (created.sizeBytes === 0n || this.#most === 0) return;
    if (kept.length === this.#most && least && created.sizeBytes <= least.sizeBytes) return;
    const same = kept.findIndex(({ kind, res }) => kind === created.kind && res === created.res);
    if (same !== -1) {
      if (kept[same].sizeBytes >= created.sizeBytes) return;
      kept.splice(same, 1);
    } else if (kept.length === this.#most) kept.pop();
    const place = kept.findIndex((other) => bySize(created, other) < 0);
    kept.splice(place === -1 ? kept.length : place, 0, created);
  }

  figures(): readonly Created[] {
    return this.#kept;
  }
}
