/**
 * Matrix stacks as the calls that made them: the driver multiplies in its own way, so that only the same calls give the
 * same matrix. Source: OpenGL 4.6 compatibility profile, section 12.1.1.
 */
import type { Argument } from '../../model/call.ts';
import type { Signature } from '../../model/signature.ts';

/** A call, ready to be made. */
export interface StateCall {
  readonly signature: Signature;
  readonly args: readonly Argument[];
}

/** The calls that made a matrix, last first; null is the identity. A list that shares its beginning costs nothing to keep. */
export interface Made {
  readonly call: StateCall;
  readonly before: Made | null;
}

/** One stack, top last; never empty. */
export type Stack = readonly (Made | null)[];

const GL_MODELVIEW = 0x1700;
const GL_TEXTURE = 0x1702;
const starts = /^Load(Transpose)?(Identity|Matrix[fd])$/;
const multiplies = /^(Mult(Transpose)?Matrix|Rotate|Translate|Scale|Ortho|Frustum)[fdx]?$/;

/** What may be a call about matrices. */
export const aboutMatrices = /^(Load|Mult|Push|Pop|Rotate|Translate|Scale|Ortho|Frustum|MatrixMode)/;

/** By `mode`, or `mode unit` for texture matrices. */
export class Matrices {
  readonly stacks = new Map<string, Stack>();

  static key(mode: number, unit: number): string {
    return mode === GL_TEXTURE ? `${mode} ${unit}` : String(mode);
  }

  stack(key: string): Stack {
    return this.stacks.get(key) ?? [null];
  }

  /** Both matrices that a light's position goes through are the top of the model view. */
  get modelView(): Made | null {
    return this.stack(String(GL_MODELVIEW)).at(-1) ?? null;
  }

  /** Whether the call is about matrices. */
  apply(base: string, call: StateCall, mode: number, unit: number): boolean {
    const key = Matrices.key(mode, unit);
    const stack = this.stack(key);
    const below = stack.slice(0, -1);
    const top = stack[stack.length - 1];
    if (base === 'LoadIdentity') this.stacks.set(key, [...below, null]);
    else if (starts.test(base)) this.stacks.set(key, [...below, { call, before: null }]);
    else if (multiplies.test(base)) this.stacks.set(key, [...below, { call, before: top }]);
    else if (base === 'PushMatrix') this.stacks.set(key, [...stack, top]);
    else if (base === 'PopMatrix') this.stacks.set(key, below.length > 0 ? below : stack);
    else return false;
    return true;
  }
}

/** The calls of a matrix in order, after a glLoadIdentity. */
export function callsOf(made: Made | null): StateCall[] {
  const calls: StateCall[] = [];
  for (let at = made; at; at = at.before) calls.push(at.call);
  return calls.reverse();
}

/** Of a key of {@link Matrices.stacks}: its mode, and its texture unit or null. */
export function modeOf(key: string): { readonly mode: number; readonly unit: number | null } {
  const [mode, unit] = key.split(' ');
  return { mode: Number(mode), unit: unit === undefined ? null : Number(unit) };
}
