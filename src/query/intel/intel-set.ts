import { GpuprofError } from '../../errors.ts';
import { enumName } from '../../gl/enums.ts';
import { type CounterColumn, type CounterInfo, newColumn } from '../../model/counter.ts';
import { Patience } from '../driver-errors.ts';
import { GuardedBuffer } from '../driver-output.ts';
import type { OpenSet, SetResults } from '../metric-source.ts';
import { InstancePool } from './instance-pool.ts';
import { dataFlags, type IntelCommands } from './intel-commands.ts';
import type { QueryType, ValuePlace } from './list-query-types.ts';

/**
 * How results are read: `poll` is the sequence of the extension's second example, FLUSH once and then DONOT_FLUSH until
 * there is a result, for a bounded time; `wait` is that of the third, WAIT, which Mesa never ends when a report is lost.
 */
export type IntelReading = 'poll' | 'wait';

/** A value at its place in a result, as its column takes it. */
function store(column: CounterColumn, id: number, { dataType, offset }: ValuePlace, view: DataView): void {
  if (dataType === 'u64') column[id] = view.getBigUint64(offset, true);
  else if (dataType === 'f64') column[id] = view.getFloat64(offset, true);
  else if (dataType === 'f32') column[id] = view.getFloat32(offset, true);
  else column[id] = dataType === 'bool' ? Number(view.getUint32(offset, true) !== 0) : view.getUint32(offset, true);
}

/** Counters of one query type, with one query instance a query. */
export class IntelSet implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #commands: IntelCommands;
  readonly #type: QueryType;
  readonly #reading: IntelReading;
  readonly #onFewer: (instances: number) => void;
  readonly #places: readonly ValuePlace[];
  readonly #pool: InstancePool;
  readonly #result: GuardedBuffer;
  readonly #patience = new Patience();
  /** By query id: whether it was begun and its result not read, and the errors that begin and end raised. */
  #pending = new Uint8Array(0);
  #beginErrors = new Uint32Array(0);
  #endErrors = new Uint32Array(0);
  /** Why the type must not be used any more, or null. */
  #broken: string | null = null;

  /** `onFewer` is told when the driver has fewer instances than were asked for. */
  constructor(
    commands: IntelCommands,
    type: QueryType,
    counters: readonly CounterInfo[],
    reading: IntelReading,
    onFewer: (instances: number) => void,
  ) {
    this.counters = counters;
    this.#commands = commands;
    this.#type = type;
    this.#reading = reading;
    this.#onFewer = onFewer;
    this.#places = counters.map(({ id }) => type.places.get(id) as ValuePlace);
    this.#pool = new InstancePool(commands, type.id);
    // The whole size, whichever counters are wanted: Mesa overflows a buffer that is smaller.
    this.#result = new GuardedBuffer(type.dataSize);
  }

  subscribe(queries: number): void {
    const refused = this.#broken ?? this.#reserve(queries);
    if (refused !== null)
      throw new GpuprofError('cannot-measure', `${this.#type.set.id} cannot be measured: ${refused}`);
    this.#pending = new Uint8Array(queries);
    this.#beginErrors = new Uint32Array(queries);
    this.#endErrors = new Uint32Array(queries);
  }

  /** Makes sure of instances. Returns why there are too few, or null. */
  #reserve(queries: number): string | null {
    const refused = this.#pool.reserve(queries);
    const { size } = this.#pool;
    // Where there is not one the limit stays: there is nothing to ask again for.
    if (refused === null || size === 0) return refused;
    this.#onFewer(size);
    return `the driver has no more than ${size} queries: ${refused}`;
  }

  beginQuery(id: number): void {
    const { errors, begin } = this.#commands;
    errors.take();
    begin(this.#pool.handle(id));
    this.#beginErrors[id] = errors.take();
    this.#pending[id] = 1;
  }

  endQuery(id: number): void {
    const { errors, end } = this.#commands;
    errors.take();
    // After a begin that failed, too: a measurement that the driver began all the same would be in the next one's way.
    end(this.#pool.handle(id));
    this.#endErrors[id] = errors.take();
  }

  unsubscribe(order: Uint32Array): SetResults {
    const columns = this.counters.map(({ dataType }) => newColumn(dataType, this.#pending.length));
    const failed = new Map<number, string>();
    const questionable = new Map<number, string>();
    this.#patience.start();
    for (const id of order) {
      const problem = this.#fetch(id);
      if (this.#result.overrun) this.#broken = 'the driver wrote past the size that it gave';
      if (this.#broken !== null) break;
      if (problem === null) this.#decode(id, columns, questionable);
      else failed.set(id, problem);
    }
    // What else was overwritten is not known: none of the values is to be believed.
    if (this.#broken !== null) for (const id of order) failed.set(id, this.#broken);
    this.#commands.errors.take();
    this.#abandonPending();
    return { columns, failed, questionable, suspect: null };
  }

  /** Gets a query's result into the buffer. Returns why there is none, as one clause, or null. */
  #fetch(id: number): string | null {
    this.#result.clear(0);
    if (this.#beginErrors[id] !== 0) {
      this.#pending[id] = 0;
      return `BeginPerfQueryINTEL raised ${enumName(this.#beginErrors[id])}`;
    }
    if (this.#endErrors[id] !== 0) return `EndPerfQueryINTEL raised ${enumName(this.#endErrors[id])}`;
    const written = this.#reading === 'wait' ? this.#ask(id, dataFlags.wait) : this.#poll(id);
    if (typeof written === 'string') {
      this.#pending[id] = 0;
      // Begin says nothing when the hardware is busy with another type: only here it shows.
      return `${written}: the driver did not measure`;
    }
    if (written === 0) return 'its result did not become available in time';
    this.#pending[id] = 0;
    if (written === this.#type.dataSize) return null;
    return `the driver wrote ${written} bytes of ${this.#type.dataSize}`;
  }

  #ask(id: number, flags: number): number | string {
    return this.#commands.data(this.#pool.handle(id), flags, this.#result);
  }

  #poll(id: number): number | string {
    let answer = this.#ask(id, dataFlags.flush);
    if (answer === 0)
      this.#patience.wait(() => {
        answer = this.#ask(id, dataFlags.doNotFlush);
        return answer !== 0;
      });
    return answer;
  }

  #decode(id: number, columns: readonly CounterColumn[], questionable: Map<number, string>): void {
    const { view } = this.#result;
    const doubts = this.#type.flags
      .filter(({ offset }) => view.getUint32(offset, true) !== 0)
      .map(({ name }) => `the driver says ${name}`);
    for (const [at, place] of this.#places.entries()) {
      store(columns[at], id, place, view);
      const value = columns[at][id];
      if (typeof value === 'bigint' || Number.isFinite(value)) continue;
      doubts.push(`${place.name} is ${value}`);
      columns[at][id] = Number.NaN;
    }
    if (doubts.length > 0) questionable.set(id, doubts.join(', '));
  }

  #abandonPending(): void {
    const indices = new Set([...this.#pending.keys()].filter((id) => this.#pending[id] !== 0));
    this.#pending.fill(0);
    this.#pool.abandon(indices);
  }

  dispose(): void {
    this.#abandonPending();
    this.#pool.dispose();
  }
}
