import { GpuprofError } from '../errors.ts';
import type { Argument } from '../model/call.ts';
import type { Manifest } from '../model/capture.ts';
import type { ObjectClass, Signature } from '../model/signature.ts';

/** Where a signature stands, and which of its parameters hold ids. */
interface Known {
  readonly index: number;
  readonly objectParams: readonly (readonly [at: number, objectClass: ObjectClass])[];
}

/** What the calls of a capture that is being made refer to: signatures, uniform locations, and the highest ids. */
export class CaptureTables {
  readonly signatures: Signature[] = [];
  readonly locations: (readonly [number, string])[] = [];
  readonly #known = new Map<Signature, Known>();
  readonly #indexOfName = new Map<string, number>();
  readonly #locationIndex = new Map<string, number>();
  readonly #highest: Partial<Record<ObjectClass, number>> = {};

  /** Index of a uniform location. */
  location(program: number, name: string): number {
    const key = `${program} ${name}`;
    const known = this.#locationIndex.get(key);
    if (known !== undefined) return known;
    this.#locationIndex.set(key, this.locations.length);
    this.#use('program', program);
    return this.locations.push([program, name]) - 1;
  }

  /** Takes note of a call and returns its signature's index. Throws `bad-input` for two signatures of one name. */
  add(signature: Signature, args: readonly Argument[], result: number): number {
    const { index, objectParams } = this.#known.get(signature) ?? this.#learn(signature);
    if (result !== 0 && signature.result.objectClass) this.#use(signature.result.objectClass, result);
    for (const [at, objectClass] of objectParams) {
      const value = args[at];
      if (typeof value === 'number') this.#use(objectClass, value);
      else for (const id of value as readonly number[]) this.#use(objectClass, id);
    }
    return index;
  }

  /** The manifest's `objects`. */
  objects(): Manifest['objects'] {
    return Object.fromEntries(Object.entries(this.#highest).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #learn(signature: Signature): Known {
    let index = this.#indexOfName.get(signature.name);
    if (index === undefined) {
      index = this.signatures.push(signature) - 1;
      this.#indexOfName.set(signature.name, index);
    } else if (JSON.stringify(signature) !== JSON.stringify(this.signatures[index]))
      throw new GpuprofError('bad-input', `${signature.name} is used with two different signatures`);
    const known = {
      index,
      objectParams: signature.params.flatMap(({ objectClass }, at) =>
        objectClass === undefined ? [] : [[at, objectClass] as const],
      ),
    };
    this.#known.set(signature, known);
    return known;
  }

  #use(objectClass: ObjectClass, id: number): void {
    if (id > (this.#highest[objectClass] ?? 0)) this.#highest[objectClass] = id;
  }
}
