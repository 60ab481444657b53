import type { ObjectClass } from '../../../model/signature.ts';
import { ListEffects } from '../../context-state/list-effects.ts';

/** Classes whose names belong to one context; those of the others are shared within a share group. */
const localClasses: ReadonlySet<ObjectClass> = new Set([
  'vertexArray',
  'framebuffer',
  'programPipeline',
  'transformFeedback',
  'query',
]);

/** Ids by the names that the program knew, in a share group or in one context. */
class Names {
  readonly #ids = new Map<ObjectClass, Map<number, number>>();

  of(objectClass: ObjectClass): Map<number, number> {
    let ids = this.#ids.get(objectClass);
    if (!ids) {
      ids = new Map();
      this.#ids.set(objectClass, ids);
    }
    return ids;
  }
}

/** The objects that contexts share. */
export class ShareGroup {
  readonly names = new Names();
  readonly lists = new ListEffects();
  /** What is added to the numbers of its display lists, so that groups have their own. */
  readonly firstList: number;

  constructor(index: number) {
    this.firstList = index * 2 ** 22;
  }
}

/** The names that mean something in one context. */
export class ContextNames {
  readonly #shared: Names;
  readonly #own = new Names();

  constructor(group: ShareGroup) {
    this.#shared = group.names;
  }

  /** Ids by name, to look up and to change. */
  of(objectClass: ObjectClass): Map<number, number> {
    return (localClasses.has(objectClass) ? this.#own : this.#shared).of(objectClass);
  }
}
