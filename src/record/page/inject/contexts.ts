import { replaceMethod } from './disguise.ts';
import type { AnyContext } from './watched-context.ts';

const { apply } = Reflect;
const { toString: tagOf } = Object.prototype;
const versions: Readonly<Record<string, 1 | 2 | undefined>> = {
  '[object WebGLRenderingContext]': 1,
  '[object WebGL2RenderingContext]': 2,
};

export interface ContextHooks {
  /** A canvas has got a WebGL context, which the page does not have yet. */
  readonly made: (gl: AnyContext, version: 1 | 2) => void;
  /** The page asked for a WebGL context and gets none. */
  readonly refused: (why: string) => void;
  /** The picture drawn in this canvas is about to be taken. */
  readonly taken: (canvas: OffscreenCanvas) => void;
}

/** Sees every WebGL context that this window or worker makes, whichever way the page comes to getContext. */
export function watchContexts({ made, refused, taken }: ContextHooks): void {
  const known = new WeakSet<object>();
  const wrap = (original: (...args: unknown[]) => unknown) => ({
    getContext(this: unknown, ...args: unknown[]) {
      let why = '';
      const onError = (event: Event): void => {
        why = (event as WebGLContextEvent).statusMessage;
      };
      const asked = typeof args[0] === 'string' && /webgl/.test(args[0]);
      const target = asked && this instanceof EventTarget ? this : undefined;
      target?.addEventListener('webglcontextcreationerror', onError, { capture: true });
      try {
        const context = apply(original, this, args);
        const version = versions[apply(tagOf, context, [])];
        if (version !== undefined && !known.has(context as object)) {
          known.add(context as object);
          made(context as AnyContext, version);
        }
        if (asked && context === null) refused(why);
        return context;
      } finally {
        target?.removeEventListener('webglcontextcreationerror', onError, { capture: true });
      }
    },
  });
  if (typeof HTMLCanvasElement !== 'undefined') replaceMethod(HTMLCanvasElement.prototype, 'getContext', wrap);
  if (typeof OffscreenCanvas === 'undefined') return;
  replaceMethod(OffscreenCanvas.prototype, 'getContext', wrap);
  replaceMethod(OffscreenCanvas.prototype, 'transferToImageBitmap', (original) => ({
    transferToImageBitmap(this: unknown, ...args: unknown[]) {
      taken(this as OffscreenCanvas);
      return apply(original, this, args);
    },
  }));
}
