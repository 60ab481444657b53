import { GpuprofError } from '../errors.ts';
import type { EglLibrary } from './egl-library.ts';

interface Current {
  readonly egl: EglLibrary;
  readonly display: number;
  /** 0 for a context that only its library knows. */
  readonly context: number;
}
let current: Current | undefined;

/**
 * Lets go of the thread's current context when it is of another EGL library. Mesa and ANGLE's GLX do not know of each
 * other, but share the thread's current context: without this the second one fails, or its X error ends the process.
 */
export function releaseOther(egl?: EglLibrary): void {
  if (!current || current.egl === egl) return;
  current.egl.makeCurrent(current.display, 0, 0, 0);
  current = undefined;
}

/** To be called when a context has become current by other means than {@link makeCurrent}. */
export function noteCurrent(egl: EglLibrary, display: number, context: number): void {
  current = { egl, display, context };
}

/** Makes a context current, whichever library's was before. Throws GpuprofError `gl-unavailable`. */
export function makeCurrent(egl: EglLibrary, display: number, context: number): void {
  releaseOther(egl);
  if (!egl.makeCurrent(display, 0, 0, context))
    throw new GpuprofError('gl-unavailable', 'a GL context cannot be made current', {
      hint: 'another GL library may hold the thread: use one --driver in a process',
    });
  noteCurrent(egl, display, context);
}

/** Ends a context; the one that was current stays so, unless it is this. */
export function destroyContext(egl: EglLibrary, display: number, context: number): void {
  const before = current;
  // ANGLE makes contexts of its own current while it destroys one.
  releaseOther(egl);
  egl.makeCurrent(display, 0, 0, 0);
  egl.destroyContext(display, context);
  current = undefined;
  if (before && before.context !== context) makeCurrent(before.egl, before.display, before.context);
}
