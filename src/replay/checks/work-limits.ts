/**
 * A capture can ask for more work than any frame has, and a driver that is busy with it cannot be stopped from inside the
 * process. What a single call asks for is bounded here. Not bounded: loops in shaders, and many calls that are each within
 * bounds.
 */
import { GpuprofError } from '../../errors.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';

/** Most vertices of a draw over all its instances, and most work groups of a dispatch. */
const mostWork = 2 ** 30;

/** Most vertices of a mesh that evaluators make, which the processor works out one by one. */
const mostEvaluated = 2 ** 24;

/** Throws GpuprofError `bad-capture` when a call's vertices or work groups are more than `most`. */
export function refuseEndless(call: Call, work: number, unit: 'vertices' | 'work groups', most = mostWork): void {
  if (work > most)
    throw new GpuprofError('bad-capture', `${call.signature.name} asks for ${work} ${unit}; at most ${most}`);
}

const n = (value: Argument): number => Math.max(0, Number(value));
const integers = (bytes: Uint8Array) => new Int32Array(bytes.slice(0, bytes.length - (bytes.length % 4)).buffer);

interface Places {
  readonly kind: 'dispatch' | 'draw' | 'multi' | 'mesh';
  readonly counts: number;
  readonly instances: number;
  readonly draws: number;
}

const placesOf = perSignature(({ name: full, params }): Places | null => {
  const name = baseName(full);
  const at = (pattern: RegExp) => params.findIndex((param) => pattern.test(param.name));
  if (/^EvalMesh[12]$/.test(name)) return { kind: 'mesh', counts: -1, instances: -1, draws: -1 };
  const kind = /^DispatchCompute(GroupSize)?$/.test(name) ? 'dispatch' : name.startsWith('Multi') ? 'multi' : 'draw';
  if (kind !== 'dispatch' && (!/^(Multi)?Draw(Range)?(Arrays|Elements)/.test(name) || /Indirect/.test(name)))
    return null;
  return {
    kind,
    counts: at(/^counts?$/),
    instances: kind === 'multi' && !name.includes('Instanced') ? -1 : at(/^(instancecounts?|primcount)$/i),
    draws: at(/^(draw|prim)count$/),
  };
});

/** Whether calls of this signature have counts to be checked. */
export const asksForWork = (signature: Signature): boolean => placesOf(signature) !== null;

/** Checks the counts that a draw or dispatch has in its arguments. Throws GpuprofError `bad-capture`. */
export function checkWork(call: Call, bytesOf: (data: Argument) => Uint8Array): void {
  const { args, signature } = call;
  const places = placesOf(signature);
  if (places === null) return;
  const { kind, counts, instances } = places;
  if (kind === 'dispatch') {
    refuseEndless(call, n(args[0]) * n(args[1]) * n(args[2]), 'work groups');
    return;
  }
  if (kind === 'mesh') {
    const [, i1, i2, j1 = 0, j2 = 0] = args.map(Number);
    refuseEndless(call, n(i2 - i1 + 1) * n(j2 - j1 + 1), 'vertices', mostEvaluated);
    return;
  }
  if (kind === 'draw') {
    refuseEndless(call, n(args[counts]) * (instances < 0 ? 1 : n(args[instances])), 'vertices');
    return;
  }
  const each = instances >= 0 ? integers(bytesOf(args[instances])) : undefined;
  const vertices = integers(bytesOf(args[counts]))
    .slice(0, n(args[places.draws]))
    .reduce((sum, count, draw) => sum + n(count) * n(each?.[draw] ?? 1), 0);
  refuseEndless(call, vertices, 'vertices');
}
