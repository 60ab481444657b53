/** Which state each draw of a capture runs under, and each clear of a depth buffer: numbers, and what they stand for. */
import type { CallStream } from './call-stream.ts';
import type { Canvas } from './capture.ts';
import { DrawState, type StateWords } from './draw-state.ts';
import { type FragmentFacts, withEarlyDepth } from './early-depth.ts';
import type { EventTree } from './event-tree.ts';
import { getOrAdd } from './get-or-add.ts';
import { baseName, drawCommand } from './gl-constants.ts';
import { perSignature } from './per-signature.ts';

const roleOf = perSignature(({ name }): 'state' | 'draw' | 'clear' | null => {
  if (DrawState.follows(name)) return 'state';
  const base = baseName(name);
  if (base === 'Clear') return 'clear';
  return drawCommand.test(base) || base === 'Begin' ? 'draw' : null;
});

/** The same number for the same state, from 1. */
class StateNumbers {
  readonly #numbers = new Map<string, number>();
  readonly list: StateWords[] = [];

  of(state: StateWords): number {
    const text = JSON.stringify(state);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.list.push(state);
      this.#numbers.set(text, number);
    }
    return number;
  }
}

export class DrawStates {
  readonly #state: DrawState;
  /** Of the state that calls set. */
  readonly #set = new StateNumbers();
  /** Which of these are of clears. */
  readonly #clears = new Set<number>();
  /** With what programs add. */
  readonly #whole = new StateNumbers();

  constructor(canvas: Pick<Canvas, 'depth' | 'stencil'>) {
    this.#state = new DrawState(canvas);
  }

  /** To be called with the setup, then with each frame, in order. By call: the number of its state, 0 for none. */
  follow(calls: CallStream): Uint32Array {
    const roles = calls.signatures.map(roleOf);
    const numbers = new Uint32Array(calls.length);
    let current = 0;
    for (let index = 0; index < calls.length; index++) {
      const role = roles[calls.words[calls.starts[index]]];
      if (role === 'state') {
        this.#state.observe(calls.call(index));
        current = 0;
      } else if (role === 'draw') {
        if (current === 0) current = this.#set.of(this.#state.words());
        numbers[index] = current;
      } else if (role === 'clear') {
        const words = this.#state.clearWords(Number(calls.call(index).args[0]));
        if (words === null) continue;
        numbers[index] = this.#set.of(words);
        this.#clears.add(numbers[index]);
      }
    }
    return numbers;
  }

  /**
   * By node of the tree of these calls, the number of its leaf's state: 0 where it has none, or draws under several.
   * `facts` of programs by id; null for those without sources.
   */
  ofLeaves(tree: EventTree, calls: Uint32Array, facts: (program: number) => FragmentFacts | null): Uint32Array {
    const numbers = new Uint32Array(tree.nodes.length);
    const known = new Map<string, number>();
    // Most leaves are under the same as the one before.
    let last = { number: 0, program: 0, whole: 0 };
    for (const node of tree.leaves) {
      const { firstEventId, lastEventId, program, kind } = tree.nodes[node];
      let number = 0;
      let isOne = true;
      for (let event = firstEventId; event <= lastEventId; event++) {
        const each = calls[event - 1];
        if (each === 0 || (kind !== 'clear' && this.#clears.has(each))) continue;
        if (number !== 0 && each !== number) isOne = false;
        number = each;
      }
      if (number === 0 || !isOne) continue;
      if (last.number !== number || last.program !== program) {
        const whole = getOrAdd(known, `${number} ${program}`, () => {
          const state = this.#set.list[number - 1];
          const fragment = facts(program);
          return this.#whole.of(fragment ? withEarlyDepth(state, fragment) : state);
        });
        last = { number, program, whole };
      }
      numbers[node] = last.whole;
    }
    return numbers;
  }

  /** What the numbers of {@link ofLeaves} stand for. */
  table(): Readonly<Record<number, StateWords>> {
    return Object.fromEntries(this.#whole.list.map((state, at) => [at + 1, state]));
  }
}
