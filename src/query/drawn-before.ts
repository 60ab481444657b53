import type { EventNode, EventTree } from '../model/event-tree.ts';

/**
 * What has been drawn in frames so far. Drivers compile a program for the state that it first draws under, so that a frame
 * with something new must be warmed up before it is measured; one without finds everything made.
 */
export class DrawnBefore {
  readonly #seen = new Set<string>();

  /** Takes a frame in. Returns whether all that its leaves draw with had been drawn with; false where leaves hold several. */
  follow({ nodes, leaves, states }: EventTree): boolean {
    let isWarm = true;
    let last: EventNode | undefined;
    let lastState = 0;
    for (const leaf of leaves) {
      const node = nodes[leaf];
      const { kind, program, target } = node;
      const state = states?.[leaf] ?? 0;
      if (kind === 'pass' || kind === 'marker' || kind === 'frame' || (kind === 'draw' && state === 0)) isWarm = false;
      // Most are like the one before.
      const isLike = last?.kind === kind && last.program === program && lastState === state && last.target === target;
      last = node;
      lastState = state;
      if (isLike) continue;
      const key = `${kind} ${program} ${state} ${target}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      isWarm = false;
    }
    return isWarm;
  }
}
