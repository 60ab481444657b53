import type { Call } from './call.ts';
import { decodeCall } from './call-words.ts';
import type { Signature } from './signature.ts';

/**
 * The calls of a capture's setup or of one frame, in recorded order. `words` holds the encoded calls and `starts` the
 * word at which each begins; call `i` of a frame is the event with eventId `i + 1`.
 */
export class CallStream implements Iterable<Call> {
  readonly signatures: readonly Signature[];
  readonly words: Uint32Array;
  readonly starts: Uint32Array;

  /** The words must have been checked against the signatures (capture/check-calls.ts). */
  constructor(signatures: readonly Signature[], words: Uint32Array, starts: Uint32Array) {
    this.signatures = signatures;
    this.words = words;
    this.starts = starts;
  }

  get length(): number {
    return this.starts.length;
  }

  signature(index: number): Signature {
    return this.signatures[this.words[this.starts[index]]];
  }

  call(index: number): Call {
    return decodeCall(this.words, this.starts[index], this.signature(index));
  }

  *[Symbol.iterator](): Iterator<Call> {
    for (let index = 0; index < this.starts.length; index++) yield this.call(index);
  }

  /** From call `first` on, those of some commands. */
  *callsOf(isOne: (signature: Signature) => boolean, first: number): Generator<Call> {
    for (let index = first; index < this.starts.length; index++)
      if (isOne(this.signature(index))) yield this.call(index);
  }
}
