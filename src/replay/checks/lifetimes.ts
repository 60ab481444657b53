import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';

const creating = /^(Gen(?!erate)|Create)/;
/** GL itself keeps these apart from their names: a program in use or a fence may be named after its deletion. */
const outlivesItsName: ReadonlySet<ObjectClass> = new Set(['shader', 'program', 'sync']);

/**
 * Which objects exist at each call. A call that names one before it is made or after it is gone would reach GL with name
 * 0, and every check that believed the capture's id would be wrong: llvmpipe then reads indices from address 0.
 */
export class Lifetimes {
  readonly #live = new Map<ObjectClass, Set<number>>();

  #of(objectClass: ObjectClass): Set<number> {
    const known = this.#live.get(objectClass) ?? new Set();
    this.#live.set(objectClass, known);
    return known;
  }

  /** To be told every call in order. Throws GpuprofError `bad-capture` for one that names what does not exist. */
  follow(call: Call): void {
    const { signature, args, result } = call;
    const name = baseName(signature.name);
    for (const [index, { type, objectClass }] of signature.params.entries()) {
      if (objectClass === undefined || objectClass === 'displayList' || (type !== 'object' && type !== 'objects'))
        continue;
      const ids = type === 'object' ? [args[index] as number] : (args[index] as readonly number[]);
      const live = this.#of(objectClass);
      if (type === 'objects' && creating.test(name)) for (const id of ids) live.add(id);
      else if (/^Delete/.test(name)) {
        if (!outlivesItsName.has(objectClass)) for (const id of ids) live.delete(id);
      } else
        for (const id of ids)
          if (id !== 0 && !live.has(id) && objectClass !== 'sync')
            throw new GpuprofError(
              'bad-capture',
              `${signature.name} names ${objectClass} ${id}, which does not exist at that call`,
            );
    }
    if (signature.result.objectClass !== undefined && result !== 0) this.#of(signature.result.objectClass).add(result);
  }
}
