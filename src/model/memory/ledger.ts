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
  /** Pixels of what it draws into. */
  readonly targetPixels: readonly CountedObject[];
}

interface Use {
  readonly memoryClass: MemoryClass;
  touchedBytes: number;
}

export class Ledger {
  readonly #bound = new Map<MemoryClass, Map<string, CountedObject>>();
  readonly #touched = new Map<MemoryClass, number>();
  readonly #pixels = new Map<string, CountedObject>();
  readonly #action = new Map<string, Use>();

  /**
   * The action uses an object: its whole size is bound; what is touched in several ways counts once, but each `part` of
   * an object by itself.
   */
  use(memoryClass: MemoryClass, key: string, sizeBytes: number, touchedBytes: number, part = ''): void {
    let objects = this.#bound.get(memoryClass);
    if (!objects) {
      objects = new Map();
      this.#bound.set(memoryClass, objects);
    }
    const known = objects.get(key);
    // An object that grows within a leaf counts as big as it became.
    if (!known || known.amount < sizeBytes) objects.set(key, { key, amount: amount(sizeBytes) });
    const touched = amount(Math.min(touchedBytes, sizeBytes));
    const place = `${memoryClass} ${key} ${part}`;
    const use = this.#action.get(place);
    if (!use) this.#action.set(place, { memoryClass, touchedBytes: touched });
    else use.touchedBytes = Math.max(use.touchedBytes, touched);
  }

  drawsInto(key: string, pixels: number): void {
    const known = this.#pixels.get(key);
    if (!known || known.amount < pixels) this.#pixels.set(key, { key, amount: amount(pixels) });
  }

  /** `worked`: false when the action turned out to have nothing to do, so that it touches nothing. */
  endAction(worked = true): void {
    for (const { memoryClass, touchedBytes } of this.#action.values())
      if (worked) this.#touched.set(memoryClass, amount((this.#touched.get(memoryClass) ?? 0) + touchedBytes));
    this.#action.clear();
  }

  finish(): LeafMemory {
    const each = <T>(value: (memoryClass: MemoryClass) => T) =>
      Object.fromEntries(memoryClasses.map((name) => [name, value(name)])) as Record<MemoryClass, T>;
    return {
      bound: each((name) => [...(this.#bound.get(name)?.values() ?? [])]),
      touched: each((name) => this.#touched.get(name) ?? 0),
      targetPixels: [...this.#pixels.values()],
    };
  }
}
