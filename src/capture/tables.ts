import { GpuprofError } from '../errors.ts';
import type { Argument } from '../model/call.ts';
import type { Manifest } from '../model/capture.ts';
import type { ObjectClass, Signature } from '../model/signature.ts';

/** What the calls of a capture that is being made refer to: signatures, uniform locations, and the highest ids. */
export class CaptureTables {
  readonly signatures: Signature[] = [];
  readonly locations: (readonly [number, string])[] = [];
  readonly #signatureIndex = new Map<Signature, number>();
  readonly #signatureOfName = new Map<string, number>();
  readonly #locationIndex = new Map<string, number>();
  readonly #objectParams = new Map<Signature, readonly number[]>();
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
    const index = this.#indexOf(signature);
    if (result && signature.result.objectClass) this.#use(signature.result.objectClass, result);
    for (const at of this.#objectParams.get(signature) as readonly number[]) {
      const objectClass = signature.params[at].objectClass as ObjectClass;
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

  #indexOf(signature: Signature): number {
    const known = this.#signatureIndex.get(signature);
    if (known !== undefined) return known;
    let index = this.#signatureOfName.get(signature.name);
    if (index === undefined) {
      index = this.signatures.push(signature) - 1;
      this.#signatureOfName.set(signature.name, index);
    } else if (JSON.stringify(signature) !== JSON.stringify(this.signatures[index]))
      throw new GpuprofError('bad-input', `${signature.name} is used with two different signatures`);
    this.#signatureIndex.set(signature, index);
    this.#objectParams.set(
      signature,
      signature.params.flatMap(({ objectClass }, at) => (objectClass === undefined ? [] : [at])),
    );
    return index;
  }

  #use(objectClass: ObjectClass, id: number): void {
    if (id > (this.#highest[objectClass] ?? 0)) this.#highest[objectClass] = id;
  }
}
