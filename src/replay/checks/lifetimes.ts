import { GpuprofError } from '../../errors.ts';
import type { Call } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ObjectClass } from '../../model/signature.ts';

/** GL itself keeps these apart from their names: a program in use or a fence may be named after its deletion. */
const outlivesItsName: ReadonlySet<ObjectClass> = new Set(['shader', 'program', 'sync']);

/** What a command does with the objects that one of its parameters names. */
interface Part {
  readonly index: number;
  readonly objectClass: ObjectClass;
  readonly does: 'makes' | 'ends' | 'uses';
}

const partsOf = perSignature(({ name, params }): readonly Part[] => {
  const base = baseName(name);
  return params.flatMap(({ type, objectClass }, index): Part[] => {
    if (objectClass === undefined || objectClass === 'displayList' || (type !== 'object' && type !== 'objects'))
      return [];
    if (type === 'objects' && /^(Gen(?!erate)|Create)/.test(base)) return [{ index, objectClass, does: 'makes' }];
    if (!/^Delete/.test(base)) return objectClass === 'sync' ? [] : [{ index, objectClass, does: 'uses' }];
    return outlivesItsName.has(objectClass) ? [] : [{ index, objectClass, does: 'ends' }];
  });
});

/** There is no pipeline 0 to be changed, over which ANGLE crashes, nor a texture 0 by name, over which Mesa 22.3 does. */
const needsObject = perSignature(({ name }) =>
  /^(UseProgramStages|ActiveShaderProgram|(Invalidate|Clear)Tex(Sub)?Image)$/.test(baseName(name)),
);

/** Names two objects by numbers, each before the target that says of what class it is. */
const copiesImages = perSignature(({ name }) => baseName(name) === 'CopyImageSubData');

/**
 * Which objects exist at each call. A call that names one before it is made or after it is gone would reach GL with name
 * 0, and every check that believed the capture's id would be wrong: llvmpipe then reads indices from address 0.
 */
export class Lifetimes {
  readonly #live = new Map<ObjectClass, Set<number>>();

  #of(objectClass: ObjectClass): Set<number> {
    let known = this.#live.get(objectClass);
    if (!known) {
      known = new Set();
      this.#live.set(objectClass, known);
    }
    return known;
  }

  /** To be told every call in order. Throws GpuprofError `bad-capture` for one that names what does not exist. */
  follow(call: Call): void {
    const { signature, args, result } = call;
    for (const { index, objectClass, does } of partsOf(signature)) {
      const live = this.#of(objectClass);
      const value = args[index];
      if (typeof value === 'number') this.#one(call, live, objectClass, value, does);
      else for (const id of value as readonly number[]) this.#one(call, live, objectClass, id, does);
    }
    if (needsObject(signature) && args[0] === 0)
      throw new GpuprofError('bad-capture', `${signature.name} names no ${signature.params[0].objectClass}`);
    if (copiesImages(signature))
      for (const at of [0, 6]) {
        const objectClass = args[at + 1] === GL.RENDERBUFFER ? 'renderbuffer' : 'texture';
        this.#one(call, this.#of(objectClass), objectClass, Number(args[at]), 'uses');
      }
    if (result !== 0 && signature.result.objectClass !== undefined) this.#of(signature.result.objectClass).add(result);
  }

  #one({ signature }: Call, live: Set<number>, objectClass: ObjectClass, id: number, does: Part['does']): void {
    if (does === 'makes') {
      // The canvas is framebuffer 0, and 0 unbinds elsewhere; what was known of an object that is there would be wrong.
      if (id === 0 || live.has(id))
        throw new GpuprofError('bad-capture', `${signature.name} makes ${objectClass} ${id}, which there is already`);
      live.add(id);
    } else if (does === 'ends') live.delete(id);
    else if (id !== 0 && !live.has(id))
      throw new GpuprofError(
        'bad-capture',
        `${signature.name} names ${objectClass} ${id}, which does not exist at that call`,
      );
  }
}
