import { enumName } from '../gl/enums.ts';
import type { GlFunction } from '../gl/native.ts';
import type { DriverErrors } from './driver-errors.ts';

const GL_INVALID_OPERATION = 0x0502;

/** A vendor extension's query objects: what makes, deletes, begins and ends one. */
export interface DriverQueryCommands {
  readonly errors: DriverErrors;
  readonly begin: GlFunction;
  readonly end: GlFunction;
  /** Commands by name, for reasons: `BeginPerfQueryINTEL`. */
  readonly names: { readonly create: string; readonly begin: string; readonly end: string };
  /** A new object, or why there is none, as one clause. */
  create(): number | string;
  delete(object: number): void;
}

/** Query objects of a vendor extension by query id, used again from run to run. */
export class DriverQueries {
  readonly #commands: DriverQueryCommands;
  #objects: number[] = [];
  /** By query id: whether it was begun and its result not settled, and the errors that begin and end raised. */
  #pending = new Uint8Array(0);
  #beginErrors = new Uint32Array(0);
  #endErrors = new Uint32Array(0);

  constructor(commands: DriverQueryCommands) {
    this.#commands = commands;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.length;
  }

  object(id: number): number {
    return this.#objects[id];
  }

  /** Makes sure of `count` objects. Returns why the driver has no more than {@link size}, as one clause, or null. */
  reserve(count: number): string | null {
    const { create } = this.#commands.names;
    while (this.#objects.length < count) {
      const object = this.#commands.create();
      if (typeof object === 'string') return object;
      if (this.#objects.includes(object)) return `${create} gives the same twice`;
      this.#objects.push(object);
    }
    this.#pending = new Uint8Array(count);
    this.#beginErrors = new Uint32Array(count);
    this.#endErrors = new Uint32Array(count);
    return null;
  }

  begin(id: number): void {
    const { errors, begin } = this.#commands;
    errors.take();
    begin(this.#objects[id]);
    this.#beginErrors[id] = errors.take();
    this.#pending[id] = 1;
  }

  end(id: number): void {
    const { errors, end } = this.#commands;
    errors.take();
    // After a begin that failed, too: a measurement that the driver began all the same would be in the next one's way.
    end(this.#objects[id]);
    this.#endErrors[id] = errors.take();
  }

  /** Why a query cannot have a result, as one clause, or null. */
  refusal(id: number): string | null {
    const { names } = this.#commands;
    if (this.#beginErrors[id] !== 0) {
      this.settle(id);
      return `${names.begin} raised ${enumName(this.#beginErrors[id])}`;
    }
    const error = this.#endErrors[id];
    if (error === 0) return null;
    const raised = `${names.end} raised ${enumName(error)}`;
    if (error !== GL_INVALID_OPERATION) return raised;
    // Begin failed in silence: there is nothing that a later use of the object would wait for.
    this.settle(id);
    return `${raised}: the driver had not begun it`;
  }

  /** Notes that the driver has nothing more to do for a query. */
  settle(id: number): void {
    this.#pending[id] = 0;
  }

  /**
   * Forgets objects whose result never came. They are not deleted: before it deletes one, or begins it anew, Mesa waits
   * for its result, for ever when its reports were lost.
   */
  abandonPending(): void {
    this.#objects = this.#objects.filter((_, id) => !this.#pending[id]);
    this.#pending.fill(0);
  }

  dispose(): void {
    this.abandonPending();
    for (const object of this.#objects.splice(0)) this.#commands.delete(object);
  }
}
