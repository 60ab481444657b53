import type { GlContext } from '../gl/context.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { BracketHooks, BracketPlan } from '../replay/frame-replay.ts';
import { leafPlan } from './brackets.ts';
import type { QueryManager } from './query-manager.ts';
import type { PlayableFrame } from './run-meter.ts';

/** More errors than this at once mean a lost context, whose glGetError may never end. */
const mostErrorsAtOnce = 8;

/** Replays a frame with a query around each of some consecutive leaves. */
export class LeafBrackets {
  readonly leaves: number;
  readonly #context: GlContext;
  readonly #replay: PlayableFrame;
  readonly #plan: BracketPlan;

  constructor(context: GlContext, replay: PlayableFrame, tree: EventTree) {
    this.leaves = tree.leaves.length;
    this.#context = context;
    this.#replay = replay;
    this.#plan = leafPlan(tree, replay.calls.length);
  }

  /** Puts the frame's initial contents back and replays it, unmeasured. */
  playPlain(): void {
    this.#replay.restore();
    this.#replay.play();
    this.#context.gl.glFinish();
  }

  /** Query 0 goes to leaf `first`; without `replays` the queries are made without the frame. */
  play(manager: QueryManager, first: number, count: number, replays: boolean): void {
    if (!replays) {
      for (let query = 0; query < count; query++) {
        manager.beginQuery(query);
        manager.endQuery(query);
      }
      return;
    }
    const inside = (bracket: number) => bracket >= first && bracket < first + count;
    const hooks: BracketHooks = {
      begin(bracket) {
        if (inside(bracket)) manager.beginQuery(bracket - first);
      },
      end(bracket) {
        if (inside(bracket)) manager.endQuery(bracket - first);
      },
    };
    this.dropErrors();
    this.#replay.restore();
    this.#replay.play(this.#plan, hooks);
    this.#context.gl.glFinish();
  }

  /** Drops GL errors: a source's are its own, not the frame's, whose errors were booked before. */
  dropErrors(): void {
    for (let left = mostErrorsAtOnce; left > 0 && this.#context.gl.glGetError() !== 0; left--);
  }
}
