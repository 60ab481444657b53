/**
 * A capture can ask for more work than any frame has, and a driver that is busy with it cannot be stopped from inside the
 * process. What a single call asks for is bounded here. Not bounded: loops in shaders, and many calls that are each within
 * bounds.
 */
import { GpuprofError } from '../../errors.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';

/** Most vertices of a call over all its instances, and most work groups of a dispatch. */
const mostWork = 2 ** 30;

/** Throws GpuprofError `bad-capture` when a call's vertices or work groups are more than {@link mostWork}. */
export function refuseEndless(call: Call, work: number, unit: 'vertices' | 'work groups'): void {
  if (work > mostWork)
    throw new GpuprofError('bad-capture', `${call.signature.name} asks for ${work} ${unit}; at most ${mostWork}`);
}

const n = (value: Argument): number => Math.max(0, Number(value));
const integers = (bytes: Uint8Array) => new Int32Array(bytes.slice(0, bytes.length - (bytes.length % 4)).buffer);

/** Checks the counts that a draw or dispatch has in its arguments. Throws GpuprofError `bad-capture`. */
export function checkWork(call: Call, bytesOf: (data: Argument) => Uint8Array): void {
  const { args, signature } = call;
  const name = baseName(signature.name);
  if (/^DispatchCompute(GroupSize)?$/.test(name)) {
    refuseEndless(call, n(args[0]) * n(args[1]) * n(args[2]), 'work groups');
    return;
  }
  if (!/^(Multi)?Draw(Range)?(Arrays|Elements)/.test(name) || /Indirect/.test(name)) return;
  const at = (pattern: RegExp) => signature.params.findIndex((param) => pattern.test(param.name));
  const counts = at(/^counts?$/);
  const instances = at(/^(instancecounts?|primcount)$/i);
  let vertices: number;
  if (name.startsWith('Multi')) {
    const draws = n(args[at(/^(draw|prim)count$/)]);
    const each = name.includes('Instanced') ? integers(bytesOf(args[instances])) : undefined;
    vertices = integers(bytesOf(args[counts]))
      .slice(0, draws)
      .reduce((sum, count, draw) => sum + n(count) * n(each?.[draw] ?? 1), 0);
  } else vertices = n(args[counts]) * (instances < 0 ? 1 : n(args[instances]));
  refuseEndless(call, vertices, 'vertices');
}
