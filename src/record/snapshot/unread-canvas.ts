import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Canvas } from '../../model/capture.ts';
import type { Target } from '../read-back/gl-guard.ts';
import { leftOutNote } from './notes.ts';

/** A buffer of the canvas that has neither been cleared nor tested since the recording began. */
interface Unread {
  readonly name: string;
  readonly bit: number;
  readonly test: number;
  /** Whether a clear would reach all of it. */
  readonly isOpen: () => boolean;
}

/**
 * WebGL 1 can read neither depth nor stencil of the canvas. Looks at the recorded calls, and says so where one tests
 * against what earlier frames left there; nearly all frames clear it first.
 */
export class UnreadCanvas {
  readonly #target: Target;
  readonly #note: (sentence: string) => void;
  #unread: readonly Unread[];

  constructor(target: Target, { depth, stencil }: Canvas, note: (sentence: string) => void) {
    this.#target = target;
    this.#note = note;
    const { gl } = target;
    const all: (Unread | false)[] = [
      depth && {
        name: 'depth',
        bit: c.DEPTH_BUFFER_BIT,
        test: c.DEPTH_TEST,
        isOpen: () => gl.getParameter(c.DEPTH_WRITEMASK) === true,
      },
      stencil && {
        name: 'stencil',
        bit: c.STENCIL_BUFFER_BIT,
        test: c.STENCIL_TEST,
        isOpen: () => (Number(gl.getParameter(c.STENCIL_WRITEMASK)) & 255) === 255,
      },
    ];
    this.#unread = target.version === 1 ? all.filter((each) => each !== false) : [];
  }

  /** To be called before each recorded call. */
  see(method: string, args: readonly unknown[]): void {
    if (this.#unread.length === 0) return;
    const clears = method === 'clear';
    if (!clears && !/^(multiD|d)raw(Arrays|Elements)/.test(method)) return;
    const { gl } = this.#target;
    if (gl.getParameter(c.FRAMEBUFFER_BINDING) !== null) return;
    if (clears) {
      if (gl.isEnabled(c.SCISSOR_TEST)) return;
      this.#unread = this.#unread.filter(({ bit, isOpen }) => (Number(args[0]) & bit) === 0 || !isOpen());
      return;
    }
    const tested = this.#unread.filter(({ test }) => gl.isEnabled(test));
    if (tested.length === 0) return;
    const names = tested.map(({ name }) => name);
    this.#note(leftOutNote('the canvas', names));
    this.#unread = this.#unread.filter((each) => !tested.includes(each));
  }
}
