import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { enumName } from '../../gl/enums.ts';
import { type CounterColumn, type CounterInfo, newColumn } from '../../model/counter.ts';
import { Patience } from '../driver-errors.ts';
import { GuardedBuffer } from '../driver-output.ts';
import type { OpenSet, SetResults } from '../metric-source.ts';
import type { MonitorCommands } from './monitor-commands.ts';
import type { MonitorCounter, MonitorGroup } from './monitor-groups.ts';
import { MonitorPool } from './monitor-pool.ts';
import { readStream, type StreamEntries, streamBytes } from './result-stream.ts';

/** A driver may say that a result is this much larger than its values: room for entries that nobody asked for. */
const spareBytes = 4096;

/** What became of a query. */
const idle = 0;
const open = 1;
const ended = 2;

/** Counters of one group, with one monitor a query. */
export class MonitorSet implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #context: GlContext;
  readonly #commands: MonitorCommands;
  readonly #group: MonitorGroup;
  readonly #pool: MonitorPool;
  readonly #entries: StreamEntries;
  readonly #result: GuardedBuffer;
  readonly #patience = new Patience();
  readonly #onFewer: (monitors: number) => void;
  /** By query id: what became of it, and the errors that begin and end raised. */
  #states = new Uint8Array(0);
  #beginErrors = new Uint32Array(0);
  #endErrors = new Uint32Array(0);

  /** `onFewer` is told when the driver has fewer monitors than were asked for. */
  constructor(
    context: GlContext,
    commands: MonitorCommands,
    groups: readonly MonitorGroup[],
    group: MonitorGroup,
    counters: readonly CounterInfo[],
    onFewer: (monitors: number) => void,
  ) {
    this.counters = counters;
    this.#context = context;
    this.#commands = commands;
    this.#group = group;
    this.#onFewer = onFewer;
    const wanted = counters.map(({ id }) => group.counters.get(id) as MonitorCounter);
    this.#pool = new MonitorPool(
      commands,
      group.id,
      wanted.map(({ id }) => id),
    );
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
    const refused = this.#pool.reserve(queries);
    if (refused) {
      if (this.#pool.monitors.length < queries) this.#onFewer(this.#pool.monitors.length);
      throw new GpuprofError('cannot-measure', `${this.#group.set.id} cannot be measured: ${refused}`);
    }
    this.#states = new Uint8Array(queries);
    this.#beginErrors = new Uint32Array(queries);
    this.#endErrors = new Uint32Array(queries);
  }

  beginQuery(id: number): void {
    const { errors, begin } = this.#commands;
    errors.take();
    begin(this.#pool.monitors[id]);
    this.#beginErrors[id] = errors.take();
    this.#states[id] = open;
  }

  endQuery(id: number): void {
    const { errors, end } = this.#commands;
    errors.take();
    // After a begin that failed, too: a session that the driver began all the same would be in the next one's way.
    end(this.#pool.monitors[id]);
    this.#endErrors[id] = errors.take();
    this.#states[id] = ended;
  }

  unsubscribe(order: Uint32Array): SetResults {
    const columns = this.counters.map(({ dataType }) => newColumn(dataType, this.#states.length));
    const failed = new Map<number, string>();
    const questionable = new Map<number, string>();
    this.#context.gl.glFlush();
    this.#patience.start();
    let overrun: string | null = null;
    for (const id of order) {
      const problem: string | null = overrun ?? this.#read(id, columns, questionable);
      if (problem === null) continue;
      failed.set(id, problem);
      // What else it wrote over is unknown: ask it for nothing more.
      if (this.#result.overrun) overrun ??= problem;
    }
    this.#commands.errors.take();
    return { columns, failed, questionable, suspect: null };
  }

  /** Reads a query's result into the columns. Returns why there is none, as one clause, or null. */
  #read(id: number, columns: readonly CounterColumn[], questionable: Map<number, string>): string | null {
    if (this.#beginErrors[id] !== 0) return `BeginPerfMonitorAMD raised ${enumName(this.#beginErrors[id])}`;
    if (this.#endErrors[id] !== 0)
      return `EndPerfMonitorAMD raised ${enumName(this.#endErrors[id])}: the driver had not begun`;
    if (this.#states[id] !== ended) return 'it was not ended';
    const monitor = this.#pool.monitors[id];
    const commands = this.#commands;
    let available = commands.availability(monitor);
    if (available === null)
      this.#patience.wait(() => {
        available = commands.availability(monitor);
        return available !== null;
      });
    if (available === null) return 'its result did not become available in time';
    if (available !== 1) return available;
    const size = commands.resultSize(monitor);
    if (typeof size === 'string') return size;
    if (size > this.#result.sizeBytes) return `the driver says that its result has ${size} bytes`;
    const written = commands.result(monitor, this.#result);
    if (typeof written === 'string') return written;
    return readStream(this.#result.view, written, this.#entries, columns.length, (column, value) => {
      const doubt = this.#doubt(column, value);
      if (doubt !== null) questionable.set(id, doubt);
      columns[column][id] = typeof value === 'number' && !Number.isFinite(value) ? Number.NaN : value;
    });
  }

  /** Why a value cannot be right, or null. */
  #doubt(column: number, value: number | bigint): string | null {
    const { name, id } = this.counters[column];
    if (typeof value === 'bigint') return null;
    if (!Number.isFinite(value)) return `${name} is ${value}`;
    if (!this.#group.counters.get(id)?.type.percentage || (value >= 0 && value <= 100)) return null;
    return `${name} is ${value} percent`;
  }

  dispose(): void {
    const { errors, end } = this.#commands;
    for (const [id, state] of this.#states.entries()) if (state === open) errors.of(() => end(this.#pool.monitors[id]));
    this.#states.fill(idle);
    this.#pool.dispose();
  }
}
