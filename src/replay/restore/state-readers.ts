/** How one piece of context state is read and put back. */
import type { GlContext } from '../../gl/context.ts';
import { glEnum } from '../constants.ts';

/** Puts saved state back. */
export type Restore = () => void;
/** Reads one piece of state; undefined where the context does not have it. */
export type Reader = (context: GlContext) => Restore | undefined;

export const capability =
  (cap: number): Reader =>
  ({ gl }) => {
    const on = gl.glIsEnabled(cap);
    return () => {
      if (on) gl.glEnable(cap);
      else gl.glDisable(cap);
    };
  };

type Apply = (context: GlContext, values: number[]) => void;

export const integers =
  (names: readonly string[], countEach: number, apply: Apply): Reader =>
  (context) => {
    const values: number[] = [];
    for (const name of names) {
      context.gl.glGetIntegerv(glEnum(`GL_${name}`), context.scratch.address);
      values.push(...context.scratch.i32.slice(0, countEach));
    }
    return () => apply(context, values);
  };

export const floats =
  (names: readonly string[], countEach: number, apply: Apply): Reader =>
  (context) => {
    const values: number[] = [];
    for (const name of names) {
      context.gl.glGetFloatv(glEnum(`GL_${name}`), context.scratch.address);
      values.push(...context.scratch.f32.slice(0, countEach));
    }
    return () => apply(context, values);
  };

/** A reader for contexts that have the command which puts the state back. */
export const where =
  (command: `gl${string}`, reader: Reader): Reader =>
  (context) =>
    context.find(command) && reader(context);
