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
import { type Facts, factsOf, GL_COLOR_MATERIAL, type Standing, setsColor } from './facts.ts';
import { boundKeys, type Key, keysOf, namedKeys } from './keys.ts';

/** Calls that belong together, the first and the last one included. */
export interface Group {
  readonly first: number;
  last: number;
  readonly facts: Facts;
  /** What stays of a group that is left out otherwise, by the piece of state that it sets; '' stays in any case. */
  readonly values: ReadonlyMap<string, number>;
}

/** What a stream's calls do, and where things stand after them. */
export class Follower implements Standing {
  readonly bindings = new Bindings();
  readonly selected: Selected = freshSelection();
  readonly clears = new Clears();
  readonly canvas: Canvas;
  colorIsMaterial = false;
  #bound: readonly Key[] = [];
  #boundVersion = -1;

  constructor(canvas: Canvas) {
    this.canvas = canvas;
  }

  /** All that is bound, and what that holds: {@link boundKeys}. */
  get bound(): readonly Key[] {
    const { version } = this.bindings;
    if (this.#boundVersion !== version) this.#bound = boundKeys(this.bindings);
    this.#boundVersion = version;
    return this.#bound;
  }

  /** The facts of a call, which is then followed. */
  take(call: Call): Facts {
    const facts = factsOf(call, this);
    this.follow(call);
    return facts;
  }

  follow(call: Call): void {
    const { name } = call.signature;
    if (name === 'glEnable' && call.args[0] === GL_COLOR_MATERIAL) this.colorIsMaterial = true;
    select(this.selected, baseName(name), call.args);
    this.bindings.effects(call, (effect) => {
      this.clears.observe(effect);
      this.bindings.applyEffect(effect);
    });
  }

  /** Facts of what draws with all that is bound. */
  drawing(kind: Facts['kind']): Facts {
    const { bindings } = this;
    const draw: Call = {
      signature: { name: 'glDrawArrays', result: { type: 'void' }, params: [] },
      args: [],
      result: 0,
    };
    return { kind, pieces: [], writes: keysOf(writes(draw, bindings)), reads: this.bound, replaces: [] };
  }
}

/** Calls that draw, set state or both, as display lists do: they stay, and with them all that they may use. */
const unforeseeable = /^(NewList|CallLists?)$/;

const none: ReadonlyMap<string, number> = new Map();

/** What provokes a vertex between glBegin and glEnd is no value that stays. */
const vertex = 'VertexAttrib 0';

/** The groups of a stream in order, most of one call; `follower` ends up after the last. */
export function groupsOf(stream: CallStream, follower: Follower): Group[] {
  const groups: Group[] = [];
  for (let index = 0; index < stream.length; index++) {
    const call = stream.call(index);
    const base = baseName(call.signature.name);
    if (base === 'Begin') groups.push(vertices(stream, index, follower));
    else if (unforeseeable.test(base)) groups.push(listed(stream, index, follower));
    else {
      // A bitmap moves the raster position, whether it is seen or not.
      const values = base === 'Bitmap' ? new Map([['', index]]) : none;
      groups.push({ first: index, last: index, facts: follower.take(call), values });
    }
    index = groups[groups.length - 1].last;
  }
  return groups;
}

/** From glBegin to glEnd. */
function vertices(stream: CallStream, first: number, follower: Follower): Group {
  const facts = follower.drawing('action');
  const values = new Map<string, number>();
  let last = first;
  for (; last < stream.length; last++) {
    const call = stream.call(last);
    const { kind, pieces } = follower.take(call);
    if (kind === 'state' && pieces[0].family !== vertex) values.set(pieces[0].family, last);
    // The color is the material's too.
    if (kind === 'always' && setsColor.test(baseName(call.signature.name))) values.set('', last);
    if (call.signature.name === 'glEnd') break;
  }
  return { first, last: Math.min(last, stream.length - 1), facts, values };
}

/** A list's making or its call, with everything that it names. */
function listed(stream: CallStream, first: number, follower: Follower): Group {
  const facts = follower.drawing('always');
  const reads = new Set(facts.reads);
  let last = first;
  const isMade = stream.signature(first).name === 'glNewList';
  for (; last < stream.length; last++) {
    const call = stream.call(last);
    for (const key of namedKeys(call)) reads.add(key);
    follower.take(call);
    if (!isMade || call.signature.name === 'glEndList') break;
  }
  for (const key of follower.drawing('always').reads) reads.add(key);
  return { first, last: Math.min(last, stream.length - 1), facts: { ...facts, reads: [...reads] }, values: none };
}
