/** Books what the actions of one leaf use, each object once. */
import type { CountedObject } from '../counter-sample.ts';
import { type MemoryClass, memoryClasses } from './classes.ts';
import { amount } from './image-bytes.ts';

/** What one leaf binds and touches, in bytes by class. */
export interface LeafMemory {
  /** Sizes of what its actions can reach, each object once. */
  readonly bound: Readonly<Record<MemoryClass, readonly CountedObject[]>>;
  /** Bytes its actions can read or write at most, summed over the actions. */
  readonly touched: Readonly<Record<MemoryClass, number>>;
  /** Samples of what it draws into: pixels, where there is no multisampling. */
  readonly targetSamples: readonly CountedObject[];
}

interface Bound {
  readonly memoryClass: MemoryClass;
  object: CountedObject;
}

interface Use {
  readonly memoryClass: MemoryClass;
  touchedBytes: number;
}

export class Ledger {
  /** By class and key. */
  readonly #bound = new Map<string, Bound>();
  readonly #touched: Partial<Record<MemoryClass, number>> = {};
  readonly #samples = new Map<string, CountedObject>();
  /** What the action that is being booked touches, by class, key and part. */
  #action = new Map<string, Use>();

  /**
   * The action uses an object: its whole size is bound; what is touched in several ways counts once, but each `part` of
   * an object by itself.
   */
  use(memoryClass: MemoryClass, key: string, sizeBytes: number, touchedBytes: number, part = ''): void {
    const known = this.#bound.get(`${memoryClass} ${key}`);
    const object = { key, amount: amount(sizeBytes) };
    if (!known) this.#bound.set(`${memoryClass} ${key}`, { memoryClass, object });
    // An object that grows within a leaf counts as big as it became.
    else if (known.object.amount < object.amount) known.object = object;
    const touched = amount(Math.min(touchedBytes, sizeBytes));
    const place = `${memoryClass} ${key} ${part}`;
    const use = this.#action.get(place);
    if (!use) this.#action.set(place, { memoryClass, touchedBytes: touched });
    else use.touchedBytes = Math.max(use.touchedBytes, touched);
  }

  drawsInto(key: string, samples: number): void {
    const known = this.#samples.get(key);
    if (!known || known.amount < samples) this.#samples.set(key, { key, amount: amount(samples) });
  }

  /** `worked`: false when the action turned out to have nothing to do, so that it touches nothing. */
  endAction(worked = true): void {
    for (const { memoryClass, touchedBytes } of this.#action.values())
      if (worked) this.#touched[memoryClass] = amount((this.#touched[memoryClass] ?? 0) + touchedBytes);
    this.#action = new Map();
  }

  finish(): LeafMemory {
    const each = <T>(make: () => T) => Object.fromEntries(memoryClasses.map((name) => [name, make()]));
    const bound = each((): CountedObject[] => []) as Record<MemoryClass, CountedObject[]>;
    for (const { memoryClass, object } of this.#bound.values()) bound[memoryClass].push(object);
    const touched = { ...each(() => 0), ...this.#touched } as Record<MemoryClass, number>;
    return { bound, touched, targetSamples: [...this.#samples.values()] };
  }
}
