/**
 * Objects that no call can bring back to what they were: a texture that got immutable storage, or a name whose first
 * binding in the frame fixed what it is. Before each run they are deleted and made anew under another name.
 */
import type { ObjectClass } from '../../model/signature.ts';
import type { ReplayState } from '../compile/site.ts';
import { deleteObject, generatedClasses, generateObject, isObject } from './object-names.ts';

type Names = Readonly<Record<ObjectClass, Uint32Array>>;

export class MadeAnew {
  readonly #state: ReplayState;
  readonly #start: Names;
  /** Ids of generated names behind which there is no object yet when the frame begins. */
  readonly #unborn = new Map<ObjectClass, Set<number>>();
  readonly #added = new Map<ObjectClass, Set<number>>();

  /** GL must be in the state before the frame; `start` are the names then, and are kept up to date. */
  constructor(state: ReplayState, start: Names) {
    this.#state = state;
    this.#start = start;
    for (const objectClass of generatedClasses) {
      // A query's first use fixes only its target, the same in each run; its result serves the runs that do not begin it.
      if (objectClass === 'query') continue;
      const ids = new Set<number>();
      for (let id = 1; id < start[objectClass].length; id++) {
        const name = start[objectClass][id];
        if (name !== 0 && !isObject(state.context, objectClass, name)) ids.add(id);
      }
      this.#unborn.set(objectClass, ids);
    }
  }

  isUnborn(objectClass: ObjectClass, id: number): boolean {
    return this.#unborn.get(objectClass)?.has(id) ?? false;
  }

  /** Has an object made anew before every run; its contents are put back after that. */
  add(objectClass: ObjectClass, id: number): void {
    const ids = this.#added.get(objectClass) ?? new Set();
    this.#added.set(objectClass, ids.add(id));
  }

  /** Ids of a class that were added. */
  added(objectClass: ObjectClass): ReadonlySet<number> {
    return this.#added.get(objectClass) ?? new Set();
  }

  /** Leaves what was deleted unbound. */
  restore(): void {
    const { context } = this.#state;
    for (const [objectClass, ids] of this.#unborn)
      for (const id of ids)
        if (isObject(context, objectClass, this.#start[objectClass][id])) this.#remake(objectClass, id);
    // A program in use would outlive its name.
    if (this.added('program').size > 0) context.gl.glUseProgram(0);
    for (const [objectClass, ids] of this.#added) for (const id of ids) this.#remake(objectClass, id);
  }

  #remake(objectClass: ObjectClass, id: number): void {
    const { context, objects } = this.#state;
    deleteObject(context, objectClass, this.#start[objectClass][id]);
    const name = generateObject(context, objectClass);
    this.#start[objectClass][id] = name;
    objects.names[objectClass][id] = name;
  }
}
