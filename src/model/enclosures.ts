import type { CallStream } from './call-stream.ts';
import { baseName } from './gl-constants.ts';
import type { Signature } from './signature.ts';

const GL_COMPILE_AND_EXECUTE = 0x1301;

/** What a call begins or ends; null for others. */
export type Enclosing = 'begin' | 'end' | 'list' | 'list end' | null;

const enclosing: Readonly<Record<string, Enclosing>> = {
  Begin: 'begin',
  End: 'end',
  NewList: 'list',
  EndList: 'list end',
};

export function enclosingOf({ name }: Signature): Enclosing {
  const base = baseName(name);
  return Object.hasOwn(enclosing, base) ? enclosing[base] : null;
}

/**
 * Follows glBegin, glEnd, glNewList and glEndList through a frame. Nothing can be measured between the first two, so that
 * the pair is one action; what a list is compiled from is drawn where it is called, or else all of it at once.
 */
export class Enclosures {
  readonly #frame: CallStream;
  /** Event of the glBegin that is open, or 0. */
  begin = 0;
  /** Event of the glNewList that is open, or 0. */
  #list = 0;
  #listDraws = false;

  constructor(frame: CallStream) {
    this.#frame = frame;
  }

  /** To be asked at every action: whether it counts by itself. */
  takes(): boolean {
    if (this.begin > 0) return false;
    if (this.#list > 0) this.#listDraws = true;
    return this.#list === 0;
  }

  /** At a glEnd: the event of its glBegin where the two are an action, else 0. */
  end(): number {
    const { begin } = this;
    this.begin = 0;
    return begin > 0 && this.takes() ? begin : 0;
  }

  openList(eventId: number): void {
    this.#list = eventId;
    this.#listDraws = false;
  }

  /** At a glEndList: the event of its glNewList where the two are an action, else 0. */
  endList(): number {
    const event = this.#list;
    this.#list = 0;
    const draws = event > 0 && this.#listDraws && this.#frame.call(event - 1).args[1] === GL_COMPILE_AND_EXECUTE;
    return draws ? event : 0;
  }
}
