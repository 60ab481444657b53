import type { IntelCommands } from './intel-commands.ts';

/** Instances of one query type, used again from run to run. */
export class InstancePool {
  readonly #commands: IntelCommands;
  readonly #type: number;
  #handles: number[] = [];

  constructor(commands: IntelCommands, type: number) {
    this.#commands = commands;
    this.#type = type;
  }

  /** How many there are. */
  get size(): number {
    return this.#handles.length;
  }

  handle(index: number): number {
    return this.#handles[index];
  }

  /** Makes sure of `count` instances. Returns why the driver has no more than {@link size}, as one clause, or null. */
  reserve(count: number): string | null {
    while (this.#handles.length < count) {
      const handle = this.#commands.create(this.#type);
      if (typeof handle === 'string') return handle;
      if (this.#handles.includes(handle)) return 'CreatePerfQueryINTEL gives the same twice';
      this.#handles.push(handle);
    }
    return null;
  }

  /**
   * Forgets instances whose result never came, by index. They are not deleted: before it deletes one, or begins it
   * anew, Mesa waits for its result, for ever when its reports were lost.
   */
  abandon(indices: ReadonlySet<number>): void {
    this.#handles = this.#handles.filter((_, index) => !indices.has(index));
  }

  dispose(): void {
    for (const handle of this.#handles.splice(0)) this.#commands.delete(handle);
  }
}
