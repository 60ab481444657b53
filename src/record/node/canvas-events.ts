import { constants as c } from '../../gl/webgl2/constants.ts';
import { type Method, type Methods, markWrapper } from '../webgl.ts';

export interface CanvasListener {
  /** The program has read pixels of the canvas: it has its picture. */
  readonly read: () => void;
  /** The program asks to lose its canvas, which `take` does: it then `did` so. */
  readonly lost: (did: string, take: () => unknown) => unknown;
}

/** headless-gl's extensions that take the drawing buffer away, by their method's name. */
const losses: Readonly<Record<string, readonly [extension: string, did: string]>> = {
  destroy: ['stackgl_destroy_context', 'destroyed its context'],
  resize: ['stackgl_resize_drawingbuffer', 'resized its canvas'],
};

/** Puts `around(original)` in a method's place. */
function replace(owner: Methods, name: string, around: (original: Method) => Method): void {
  const original = owner[name];
  if (typeof original !== 'function') return;
  const replacement = around(original);
  markWrapper(replacement, original);
  Object.defineProperty(replacement, 'name', { value: original.name });
  Object.defineProperty(replacement, 'length', { value: original.length });
  const { enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { value: replacement, configurable: true, writable: true, enumerable });
}

/**
 * Tells what a program without a screen does with its canvas. To be called before a recorder is attached, and `watch` of
 * the result after, so that what is told of has been recorded.
 */
export function watchCanvas(gl: Methods, version: 1 | 2): { watch(listener: CanvasListener): void } {
  const getParameter = gl.getParameter.bind(gl);
  const binding = version === 2 ? c.READ_FRAMEBUFFER_BINDING : c.FRAMEBUFFER_BINDING;
  const readsCanvas = () => getParameter(binding) === null;
  const seen = new WeakSet<object>();
  return {
    watch({ read, lost }) {
      replace(gl, 'readPixels', (original) => {
        return function (this: unknown, ...args: unknown[]): unknown {
          const result = original.apply(this, args);
          if (ArrayBuffer.isView(args[6]) && readsCanvas()) read();
          return result;
        };
      });
      replace(gl, 'getExtension', (original) => {
        return function (this: unknown, ...args: unknown[]): unknown {
          const extension = original.apply(this, args);
          if (typeof extension !== 'object' || extension === null || seen.has(extension)) return extension;
          seen.add(extension);
          const name = String(args[0]).toLowerCase();
          for (const [method, [owner, did]] of Object.entries(losses))
            if (name === owner)
              replace(extension as Methods, method, (ends) => {
                return function (this: unknown, ...given: unknown[]): unknown {
                  return lost(did, () => ends.apply(this, given));
                };
              });
          return extension;
        };
      });
    },
  };
}
