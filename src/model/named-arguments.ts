/** Arguments by the names of their parameters, which the forms of one command share where their places differ. */
import type { Argument, Call, DataArgument } from './call.ts';
import { perSignature } from './per-signature.ts';
import type { ObjectClass, Signature } from './signature.ts';

const placesOf = perSignature(({ params }) => new Map(params.map((param, index) => [param.name, index])));

/** The place of the first of these arguments that the command has; undefined when it has none of them. */
export function placeNamed(signature: Signature, ...names: readonly string[]): number | undefined {
  const places = placesOf(signature);
  return names.map((name) => places.get(name)).find((at) => at !== undefined);
}

/** The argument of this name; undefined when the command has none. */
export function argumentNamed(call: Call, name: string): Argument | undefined {
  const at = placesOf(call.signature).get(name);
  return at === undefined ? undefined : call.args[at];
}

/** The first of these arguments that the command has, as a number; undefined when it has none of them. */
export function numberNamed(call: Call, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = argumentNamed(call, name);
    if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  }
  return undefined;
}

/** The command's first `data` argument; null when it has none or a null pointer. */
export function firstData(call: Call): DataArgument {
  const at = call.signature.params.findIndex(({ type }) => type === 'data');
  return at < 0 ? null : (call.args[at] as DataArgument);
}

/** The object that the command names first (direct state access), when it is of this class; else undefined. */
export function firstObject(call: Call, objectClass: ObjectClass): number | undefined {
  const [param] = call.signature.params;
  return param?.type === 'object' && param.objectClass === objectClass ? Number(call.args[0]) : undefined;
}

/** Bytes that the capture holds of a call's data; null when it holds none: a null pointer, or an offset. */
export function dataLength(data: DataArgument): number | null {
  if (data?.kind === 'inline') return data.bytes.byteLength;
  return data?.kind === 'resource' ? data.byteLength : null;
}
