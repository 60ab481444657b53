/** The facts of every call of a setup; what lies between a pair of calls goes with it. */
import { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import type { Canvas } from '../../model/capture.ts';
import { baseName } from '../../model/gl-constants.ts';
import { writes } from '../../model/writes.ts';
import type { Selected } from '../context-state/families.ts';
import { freshSelection, select } from '../context-state/families.ts';
import { Clears } from './clears.ts';
import { type Facts, factsOf } from './facts.ts';
import { boundKeys, keysOf } from './keys.ts';

/** Calls that belong together, the first and the last one included. */
export interface Group {
  readonly first: number;
  last: number;
  readonly facts: Facts;
}

/** What a stream's calls do, and where things stand after them. */
export class Follower {
  readonly bindings = new Bindings();
  readonly selected: Selected = freshSelection();
  readonly clears = new Clears();
  readonly #canvas: Canvas;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /** The facts of a call, which is then followed. */
  take(call: Call): Facts {
    const facts = factsOf(call, this.bindings, this.selected, this.clears, this.#canvas);
    this.clears.observe(call);
    select(this.selected, baseName(call.signature.name), call.args);
    this.bindings.apply(call);
    return facts;
  }

  /** Facts of what draws with all that is bound. */
  drawing(kind: Facts['kind']): Facts {
    const { bindings } = this;
    const draw: Call = {
      signature: { name: 'glDrawArrays', result: { type: 'void' }, params: [] },
      args: [],
      result: 0,
    };
    return { kind, pieces: [], writes: keysOf(writes(draw, bindings)), reads: boundKeys(bindings), replaces: [] };
  }
}

/** Calls that draw, set state or both, as display lists do: they stay, and with them all that they may use. */
const unforeseeable = /^(NewList|CallLists?)$/;

/** The groups of a setup in order, most of one call; `follower` ends up after the last. */
export function groupsOf(setup: CallStream, follower: Follower): Group[] {
  const groups: Group[] = [];
  let open: { readonly group: Group; readonly end: string } | null = null;
  for (let index = 0; index < setup.length; index++) {
    const call = setup.call(index);
    const base = baseName(call.signature.name);
    if (open) {
      follower.take(call);
      open.group.last = index;
      if (base === open.end) open = null;
      continue;
    }
    if (base === 'Begin' || unforeseeable.test(base)) {
      const group = { first: index, last: index, facts: follower.drawing(base === 'Begin' ? 'action' : 'always') };
      if (!base.startsWith('Call')) open = { group, end: base === 'Begin' ? 'End' : 'EndList' };
      follower.take(call);
      groups.push(group);
    } else groups.push({ first: index, last: index, facts: follower.take(call) });
  }
  return groups;
}
