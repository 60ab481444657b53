import type { GlFunction } from '../../gl/native.ts';
import type { Argument, Call } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { afterArgument, headerWords } from '../../model/call-words.ts';
import { DisplayLists } from '../../model/display-lists.ts';
import type { CallMemory } from './call-memory.ts';
import type { Op } from './invokers.ts';
import type { ReplayState, Site } from './site.ts';

/** A call of a stream as its handler gets it. A class, since an object literal with getters takes several times as long. */
export class CallSite implements Site {
  readonly state: ReplayState;
  readonly memory: CallMemory;
  readonly call: Call;
  readonly args: readonly Argument[];
  readonly at: number;
  readonly keep: Site['keep'];
  readonly plain: () => Op;
  readonly #stream: CallStream;
  readonly #index: number;
  readonly #fn: () => GlFunction;

  constructor(
    { state, memory, keep }: Pick<Site, 'state' | 'memory' | 'keep'>,
    stream: CallStream,
    index: number,
    call: Call,
    { fn, plain }: { readonly fn: () => GlFunction; readonly plain: () => Op },
  ) {
    this.state = state;
    this.memory = memory;
    this.call = call;
    this.args = call.args;
    this.at = stream.starts[index];
    this.keep = keep;
    this.plain = plain;
    this.#stream = stream;
    this.#index = index;
    this.#fn = fn;
  }

  get positions(): readonly number[] {
    const positions: number[] = [];
    let next = this.at + headerWords;
    for (const param of this.call.signature.params) {
      positions.push(next);
      next = afterArgument(this.#stream.words, next, param);
    }
    return positions;
  }

  get listCalls(): Iterable<Call> {
    return this.#stream.callsOf(DisplayLists.follows, this.#index + 1);
  }

  get fn(): GlFunction {
    return this.#fn();
  }
}
