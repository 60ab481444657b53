import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { type CounterColumn, type CounterInfo, newColumn } from '../../model/counter.ts';
import type { Patience } from '../driver-errors.ts';
import { GuardedBuffer } from '../driver-output.ts';
import { DriverQueries } from '../driver-queries.ts';
import { addDoubt, valueDoubt } from '../driver-values.ts';
import type { OpenSet, SetResults } from '../metric-source.ts';
import type { MonitorCommands } from './monitor-commands.ts';
import type { MonitorCounter, MonitorGroup } from './monitor-groups.ts';
import { readStream, type StreamEntries, streamBytes } from './result-stream.ts';

/** A driver may say that a result is this much larger than its values: room for entries that nobody asked for. */
const spareBytes = 4096;

/** Counters of one group, with one monitor a query. */
export class MonitorSet implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #context: GlContext;
  readonly #commands: MonitorCommands;
  readonly #group: MonitorGroup;
  readonly #wanted: readonly MonitorCounter[];
  readonly #ids: readonly number[];
  readonly #queries: DriverQueries;
  readonly #entries: StreamEntries;
  readonly #result: GuardedBuffer;
  readonly #patience: Patience;
  readonly #onFewer: (monitors: number) => void;
  /** Queries of the subscription. */
  #count = 0;
  /** Why the group must not be used any more, or null. */
  #broken: string | null = null;

  /** `onFewer` is told when the driver has fewer monitors than were asked for. */
  constructor(
    context: GlContext,
    commands: MonitorCommands,
    groups: readonly MonitorGroup[],
    group: MonitorGroup,
    counters: readonly CounterInfo[],
    patience: Patience,
    onFewer: (monitors: number) => void,
  ) {
    this.counters = counters;
    this.#context = context;
    this.#commands = commands;
    this.#group = group;
    this.#patience = patience;
    this.#onFewer = onFewer;
    const wanted = counters.map(({ id }) => group.counters.get(id) as MonitorCounter);
    this.#wanted = wanted;
    this.#ids = wanted.map(({ id }) => id);
    this.#queries = new DriverQueries(commands.queries);
    this.#entries = new Map(
      groups.map((other) => [
        other.id,
        new Map(
          [...other.counters.values()].map((counter) => [
            counter.id,
            { type: counter.type, column: wanted.indexOf(counter) },
          ]),
        ),
      ]),
    );
    this.#result = new GuardedBuffer(streamBytes(wanted.map(({ type }) => type)) + spareBytes);
  }

  subscribe(queries: number): void {
    const refused = this.#broken ?? this.#reserve(queries) ?? this.#select(queries);
    if (refused !== null)
      throw new GpuprofError('cannot-measure', `${this.#group.set.id} cannot be measured: ${refused}`);
    this.#count = queries;
  }

  /** Makes sure of monitors. Returns why there are too few, or null. */
  #reserve(queries: number): string | null {
    const refused = this.#queries.reserve(queries);
    const { size } = this.#queries;
    // Where there is not one the limit stays: there is nothing to ask again for.
    if (refused !== null && size > 0) this.#onFewer(size);
    return refused;
  }

  /** Selecting anew forgets old results: a session that then fails in silence cannot pass them off as its own. */
  #select(queries: number): string | null {
    for (let id = 0; id < queries; id++) {
      const refused = this.#commands.select(this.#queries.object(id), this.#group.id, this.#ids);
      if (refused !== null) return refused;
    }
    return null;
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
    this.#context.gl.glFlush();
    this.#patience.start();
    for (const id of order) {
      const problem = this.#read(id, columns, questionable);
      if (this.#result.overrun) this.#broken = 'the driver wrote more than there was room for';
      if (this.#broken !== null) break;
      if (problem === null) continue;
      failed.set(id, problem);
      questionable.delete(id);
    }
    // What else was overwritten is not known: none of the values is to be believed.
    if (this.#broken !== null) for (const id of order) failed.set(id, this.#broken);
    this.#commands.errors.take();
    this.#queries.abandonPending();
    return { columns, failed, questionable, suspect: null };
  }

  /** Reads a query's result into the columns. Returns why there is none, as one clause, or null. */
  #read(id: number, columns: readonly CounterColumn[], questionable: Map<number, string>): string | null {
    const refused = this.#queries.refusal(id);
    if (refused !== null) return refused;
    const monitor = this.#queries.object(id);
    const commands = this.#commands;
    let available = commands.availability(monitor);
    if (available === null)
      this.#patience.wait(() => {
        available = commands.availability(monitor);
        return available !== null;
      });
    if (available === null) return 'its result did not become available in time';
    this.#queries.settle(id);
    if (available !== 1) return available;
    const size = commands.resultSize(monitor);
    if (typeof size === 'string') return size;
    if (size > this.#result.sizeBytes) return `the driver says that its result has ${size} bytes`;
    const written = commands.result(monitor, this.#result);
    if (typeof written === 'string') return written;
    return readStream(this.#result.view, written, this.#entries, columns.length, (column, value) => {
      const doubt = valueDoubt(this.counters[column].name, value, this.#wanted[column].mostPercent);
      if (doubt !== null) addDoubt(questionable, id, doubt);
      columns[column][id] = typeof value === 'number' && !Number.isFinite(value) ? Number.NaN : value;
    });
  }

  dispose(): void {
    this.#queries.dispose();
  }
}
