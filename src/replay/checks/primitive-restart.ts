/** The index that restarts primitives, which no vertex is read for. */
import type { Bindings } from '../../model/bindings.ts';
import { GL } from '../../model/gl-constants.ts';
import { indexBytes } from '../../model/texel-sizes.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_PRIMITIVE_RESTART_NV');

/** Follows whether primitives are restarted, and at which index. */
export class PrimitiveRestart {
  #chosen = false;
  #fixed = false;
  #index = 0;
  /** Whether it can be said: display lists may set it any time they are called, and between glBegin and glEnd GL does not listen. */
  #isKnown = true;

  /** glEnable and glDisable, of the server's or the client's state. */
  enable(cap: number, on: boolean, bindings: Bindings): void {
    if (cap === GL.PRIMITIVE_RESTART || cap === e.GL_PRIMITIVE_RESTART_NV) this.#chosen = on;
    else if (cap === GL.PRIMITIVE_RESTART_FIXED_INDEX) this.#fixed = on;
    else return;
    this.#look(bindings);
  }

  setIndex(index: number, bindings: Bindings): void {
    this.#index = index;
    this.#look(bindings);
  }

  /** The index for this type of indices; null when every index is that of a vertex, or may be. */
  indexFor(type: number): number | null {
    if (!this.#isKnown) return null;
    if (this.#fixed) return 2 ** ((indexBytes(type) ?? 4) * 8) - 1;
    return this.#chosen ? this.#index : null;
  }

  /** What puts this state back. */
  saved(): () => void {
    const [chosen, fixed, index] = [this.#chosen, this.#fixed, this.#index];
    return () => {
      [this.#chosen, this.#fixed, this.#index] = [chosen, fixed, index];
    };
  }

  #look({ insideBegin, lists }: Bindings): void {
    if (insideBegin || lists.isOpen) this.#isKnown = false;
  }
}
