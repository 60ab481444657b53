import { GpuprofError } from '../../errors.ts';
import { type CounterColumn, type CounterInfo, newColumn } from '../../model/counter.ts';
import type { Patience } from '../driver-errors.ts';
import { GuardedBuffer } from '../driver-output.ts';
import { DriverQueries } from '../driver-queries.ts';
import { addDoubt, readValue, valueDoubt } from '../driver-values.ts';
import type { OpenSet, SetResults } from '../metric-source.ts';
import { dataFlags, type IntelCommands } from './intel-commands.ts';
import type { QueryType, ValuePlace } from './list-query-types.ts';

/**
 * How results are read: `poll` is the sequence of the extension's second example, FLUSH once and then DONOT_FLUSH until
 * there is a result, for a bounded time; `wait` is that of the third, WAIT, which Mesa never ends when a report is lost.
 */
export type IntelReading = 'poll' | 'wait';

/** Counters of one query type, with one query instance a query. */
export class IntelSet implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #commands: IntelCommands;
  readonly #type: QueryType;
  readonly #reading: IntelReading;
  readonly #onFewer: (instances: number) => void;
  readonly #places: readonly ValuePlace[];
  readonly #queries: DriverQueries;
  readonly #result: GuardedBuffer;
  readonly #patience: Patience;
  /** Queries of the subscription. */
  #count = 0;
  /** Why the type must not be used any more, or null. */
  #broken: string | null = null;

  /** `onFewer` is told when the driver has fewer instances than were asked for. */
  constructor(
    commands: IntelCommands,
    type: QueryType,
    counters: readonly CounterInfo[],
    reading: IntelReading,
    patience: Patience,
    onFewer: (instances: number) => void,
  ) {
    this.counters = counters;
    this.#commands = commands;
    this.#type = type;
    this.#reading = reading;
    this.#patience = patience;
    this.#onFewer = onFewer;
    this.#places = counters.map(({ id }) => type.places.get(id) as ValuePlace);
    this.#queries = new DriverQueries(commands.queries(type.id));
    // The whole size, whichever counters are wanted: Mesa overflows a buffer that is smaller.
    this.#result = new GuardedBuffer(type.dataSize);
  }

  subscribe(queries: number): void {
    const refused = this.#broken ?? this.#reserve(queries);
    if (refused !== null)
      throw new GpuprofError('cannot-measure', `${this.#type.set.id} cannot be measured: ${refused}`);
    this.#count = queries;
  }

  /** Makes sure of instances. Returns why there are too few, or null. */
  #reserve(queries: number): string | null {
    const refused = this.#queries.reserve(queries);
    const { size } = this.#queries;
    // Where there is not one the limit stays: there is nothing to ask again for.
    if (refused === null || size === 0) return refused;
    this.#onFewer(size);
    return `the driver has no more than ${size} queries: ${refused}`;
  }

  beginQuery(id: number): void {
    this.#queries.begin(id);
  }

  endQuery(id: number): void {
    this.#queries.end(id);
  }

  unsubscribe(order: Uint32Array): SetResults {
    const columns = this.counters.map(({ dataType }) => newColumn(dataType, this.#count));
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
    this.#queries.abandonPending();
    return { columns, failed, questionable, suspect: null };
  }

  /** Gets a query's result into the buffer. Returns why there is none, as one clause, or null. */
  #fetch(id: number): string | null {
    this.#result.clear(0);
    const refused = this.#queries.refusal(id);
    if (refused !== null) return refused;
    const written = this.#reading === 'wait' ? this.#ask(id, dataFlags.wait) : this.#poll(id);
    if (typeof written === 'string') {
      this.#queries.settle(id);
      // Begin says nothing when the hardware is busy with another type: only here it shows.
      return `${written}: the driver did not measure`;
    }
    if (written === 0) return 'its result did not become available in time';
    this.#queries.settle(id);
    if (written !== this.#type.dataSize) return `the driver wrote ${written} bytes of ${this.#type.dataSize}`;
    // What Mesa gives, without an error, when the hardware's reports got lost.
    if (this.#elapsedIsNought() && this.#result.bytes.every((byte) => byte === 0))
      return 'its result is empty: not even time passed';
    return null;
  }

  #ask(id: number, flags: number): number | string {
    return this.#commands.data(this.#queries.object(id), flags, this.#result);
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

  #elapsedIsNought(): boolean {
    const { elapsed } = this.#type;
    return elapsed !== null && Number(readValue(this.#result.view, elapsed.offset, elapsed)) === 0;
  }

  #decode(id: number, columns: readonly CounterColumn[], questionable: Map<number, string>): void {
    const { view } = this.#result;
    for (const { offset, name } of this.#type.flags)
      if (view.getUint32(offset, true) !== 0) addDoubt(questionable, id, `the driver says ${name}`);
    if (this.#elapsedIsNought()) addDoubt(questionable, id, `${this.#type.elapsed?.name} is 0`);
    for (const [at, place] of this.#places.entries()) {
      const value = readValue(view, place.offset, place);
      const doubt = valueDoubt(place.name, value, place.mostPercent);
      if (doubt !== null) addDoubt(questionable, id, doubt);
      columns[at][id] = typeof value === 'number' && !Number.isFinite(value) ? Number.NaN : value;
    }
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
