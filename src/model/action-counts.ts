import { actionKind, drawCount, kindOfAll } from './actions.ts';
import { Bindings, followCalls } from './bindings.ts';
import type { CallStream } from './call-stream.ts';
import type { Canvas, Manifest } from './capture.ts';
import { Enclosures, enclosingOf } from './enclosures.ts';
import type { ActionKind } from './event-tree.ts';

export interface ActionCounts {
  /** A multi-draw counts each of its draws. */
  readonly draws: number;
  /** By kind, in the order in which the frame has them first. */
  readonly actions: Readonly<Partial<Record<ActionKind, number>>>;
}

/**
 * Counts the actions of a capture's frames, as their event trees have them, without building those: what most calls are is
 * told by their signature, and only blits and reads into buffers depend on what is bound.
 */
export class ActionCounter {
  readonly #canvas: Canvas;
  readonly #bindings = new Bindings();
  readonly #kinds: readonly ReturnType<typeof kindOfAll>[];
  readonly #enclosing: readonly ReturnType<typeof enclosingOf>[];
  /** By signature, whether its calls change bindings that matter. */
  readonly #binds: readonly boolean[];

  constructor({ signatures, canvas }: Pick<Manifest, 'signatures' | 'canvas'>) {
    this.#canvas = canvas;
    this.#kinds = signatures.map(kindOfAll);
    this.#enclosing = signatures.map(enclosingOf);
    const areNeeded = this.#kinds.includes('by bindings');
    this.#binds = signatures.map((signature) => areNeeded && Bindings.follows(signature));
  }

  /** To be called with what comes before the frame that is counted next. */
  follow(calls: CallStream): void {
    if (this.#binds.includes(true)) followCalls(this.#bindings, calls);
  }

  /** Frames are counted in order. */
  count(frame: CallStream): ActionCounts {
    const enclosures = new Enclosures(frame);
    const counts = new Map<ActionKind, number>();
    let draws = 0;
    const add = (kind: ActionKind, more: number) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      draws += more;
    };
    for (let index = 0; index < frame.length; index++) {
      const signature = frame.words[frame.starts[index]];
      const kind = this.#kinds[signature];
      const enclosing = this.#enclosing[signature];
      if (enclosing !== null) {
        if (enclosing === 'begin') enclosures.begin = index + 1;
        else if (enclosing === 'list') enclosures.openList(index + 1);
        else if (enclosing === 'end' ? enclosures.end() > 0 : enclosures.endList() > 0)
          add('draw', enclosing === 'end' ? 1 : 0);
      } else if (kind === 'by arguments' || kind === 'by bindings') {
        const call = frame.call(index);
        const found = enclosures.begin > 0 ? null : actionKind(call, this.#bindings, this.#canvas);
        if (found !== null && enclosures.takes()) add(found, found === 'draw' ? drawCount(call) : 0);
      } else if (kind !== null && enclosures.takes()) add(kind, kind === 'draw' ? 1 : 0);
      if (this.#binds[signature]) this.#bindings.apply(frame.call(index));
    }
    return { draws, actions: Object.fromEntries(counts) };
  }
}
