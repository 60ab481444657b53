import type { Signature } from './signature.ts';

/** A function of a signature that is worked out once for each: a stream's calls share theirs. */
export function perSignature<T>(find: (signature: Signature) => T): (signature: Signature) => T {
  const known = new WeakMap<Signature, { readonly value: T }>();
  return (signature) => {
    let entry = known.get(signature);
    if (!entry) {
      entry = { value: find(signature) };
      known.set(signature, entry);
    }
    return entry.value;
  };
}
