/** The memory that a frame's leaves bind and touch, told from the capture alone. */
import { actionKind, mayBeAction } from '../actions.ts';
import type { Call } from '../call.ts';
import type { CallStream } from '../call-stream.ts';
import type { Capture } from '../capture.ts';
import type { EventTree } from '../event-tree.ts';
import { baseName } from '../gl-constants.ts';
import { useDispatch, useDraw } from './draws.ts';
import { Followers } from './followers.ts';
import { type LeafMemory, Ledger } from './ledger.ts';
import { useDrawTargets } from './targets.ts';
import { bookedAfter, useTransfer } from './transfers.ts';

/** Follows a capture's frames, asked for in rising order: a frame's begins with what the setup and the others left. */
export class FrameMemory {
  readonly #capture: Capture;
  readonly #followers: Followers;
  #applied = 0;

  private constructor(capture: Capture) {
    this.#capture = capture;
    this.#followers = new Followers(capture);
  }

  static async create(capture: Capture): Promise<FrameMemory> {
    const memory = new FrameMemory(capture);
    memory.#follow(await capture.setup());
    return memory;
  }

  #follow(calls: CallStream): void {
    const relevant = calls.signatures.map((signature) => Followers.follows(signature));
    for (let index = 0; index < calls.length; index++)
      if (relevant[calls.words[calls.starts[index]]]) this.#followers.apply(calls.call(index));
  }

  /**
   * What each leaf of this frame's tree uses, by leaf number. `frame` counts from 1. Reads resources with indices only.
   * Throws GpuprofError `bad-capture` when one of these is broken.
   */
  async leaves(frame: number, tree: EventTree): Promise<readonly LeafMemory[]> {
    while (this.#applied < frame - 1) this.#follow(await this.#capture.frame(++this.#applied));
    const calls = await this.#capture.frame(frame);
    this.#applied = frame;
    const relevant = calls.signatures.map(
      (signature) => mayBeAction(signature) || Followers.follows(signature) || baseName(signature.name) === 'End',
    );
    const leaves = tree.leaves.map((node) => tree.nodes[node]);
    const ledgers = leaves.map(() => new Ledger());
    let leaf = 0;
    for (let index = 0; index < calls.length; index++) {
      const eventId = index + 1;
      while (leaf < leaves.length && leaves[leaf].lastEventId < eventId) leaf++;
      if (!relevant[calls.words[calls.starts[index]]]) continue;
      const isInside = leaf < leaves.length && leaves[leaf].firstEventId <= eventId;
      await this.#event(calls.call(index), eventId, isInside ? ledgers[leaf] : undefined);
    }
    return ledgers.map((ledger) => ledger.finish());
  }

  async #event(call: Call, eventId: number, ledger: Ledger | undefined): Promise<void> {
    const followers = this.#followers;
    const kind = ledger && actionKind(call, followers.bindings, followers.state.canvas);
    if (!ledger || !kind) {
      // Vertices between glBegin and glEnd are in the calls; their target is not.
      if (ledger && baseName(call.signature.name) === 'End') {
        useDrawTargets(followers, ledger);
        ledger.endAction();
      }
      followers.apply(call);
      return;
    }
    if (bookedAfter.has(kind)) followers.apply(call);
    if (kind === 'draw') await useDraw(followers, ledger, call, eventId);
    else if (kind === 'dispatch') useDispatch(followers, ledger, call);
    else useTransfer(followers, ledger, kind, call);
    if (!bookedAfter.has(kind)) followers.apply(call);
  }
}
