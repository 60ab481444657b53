import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Handle, Method, WebGl } from '../webgl.ts';

/**
 * A program that is deleted while in use lives until another is used. The recorder must use programs of its own in
 * between, which would be the end of it: so its deletion is held back until the program itself uses another one.
 */
export class HeldPrograms {
  readonly #gl: WebGl;
  #held: Handle | undefined;

  constructor(gl: WebGl) {
    this.#gl = gl;
  }

  /** The context's own method, or what stands in for it; errors and results are the context's. */
  method(name: string, original: Method): Method {
    if (name === 'deleteProgram') return this.#deleteProgram(original);
    if (name === 'useProgram') return this.#useProgram(original);
    return name === 'getProgramParameter' ? this.#getProgramParameter(original) : original;
  }

  #deleteProgram(original: Method): Method {
    const held = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      const [program] = args;
      const isCurrent = program !== null && program === held.#gl.getParameter(c.CURRENT_PROGRAM);
      if (!isCurrent) return original.apply(this, args);
      held.#held = program as Handle;
      return undefined;
    };
  }

  #useProgram(original: Method): Method {
    const held = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      if (held.#held && held.#held !== held.#gl.getParameter(c.CURRENT_PROGRAM)) held.release();
      return result;
    };
  }

  #getProgramParameter(original: Method): Method {
    const held = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      return held.#held !== undefined && args[0] === held.#held && args[1] === c.DELETE_STATUS ? true : result;
    };
  }

  /** Deletes what is held: GL itself then keeps it while it is in use. */
  release(): void {
    if (this.#held) this.#gl.deleteProgram(this.#held);
    this.#held = undefined;
  }
}
