import type { GlContext } from '../gl/context.ts';
import type { CounterInfo, MetricSet } from '../model/counter.ts';
import { cpuClockReader } from './clock-reader.ts';
import type { MetricSource, OpenSet, SetResults } from './metric-source.ts';
import type { TimerMethod } from './timer-method.ts';
import type { TimerReader } from './timer-reader.ts';

export const durationId = 'timer/duration';
export const cpuTimeId = 'timer/CPU time';

/** More brackets than any frame has; a query object or two each. */
const mostQueries = 2 ** 24;

const time = { set: 'timer', unit: 'ns', dataType: 'f64', kind: 'sum', exact: false } as const;

const durationInfo = (method: TimerMethod): CounterInfo => ({
  ...time,
  id: durationId,
  name: 'duration',
  description: `Time that the bracket took, by the timer method ${method.name}, with what an empty one reads.`,
});

const cpuTimeInfo: CounterInfo = {
  ...time,
  id: cpuTimeId,
  name: 'CPU time',
  description: 'CPU time of all threads of the process during the bracket, with what an empty one reads.',
};

/** Readers begin in reverse and end in order, so that the first, the duration, measures none of the others. */
class OpenTimer implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #readers: readonly TimerReader[];
  readonly #finish: (() => void) | undefined;

  constructor(context: GlContext, method: TimerMethod, counters: readonly CounterInfo[]) {
    this.counters = counters;
    this.#readers = counters.map(({ id }) => (id === cpuTimeId ? cpuClockReader() : method.createReader()));
    // A bracket of its own submission: the GPU is idle when it begins and when it ends.
    this.#finish = method.isolate ? (context.gl.glFinish as unknown as () => void) : undefined;
  }

  subscribe(queries: number): void {
    for (const reader of this.#readers) reader.subscribe(queries);
  }

  beginQuery(id: number): void {
    this.#finish?.();
    for (let index = this.#readers.length - 1; index >= 0; index--) this.#readers[index].beginQuery(id);
  }

  endQuery(id: number): void {
    this.#finish?.();
    for (let index = 0; index < this.#readers.length; index++) this.#readers[index].endQuery(id);
  }

  unsubscribe(order: Uint32Array): SetResults {
    const readings = this.#readers.map((reader) => reader.unsubscribe(order));
    const failed = new Map<number, string>();
    for (const id of order)
      if (readings.some(({ values }) => Number.isNaN(values[id]))) failed.set(id, 'its timer query gave no result');
    return {
      columns: readings.map(({ values }) => values),
      failed,
      questionable: new Map(),
      suspect: readings.find(({ suspect }) => suspect !== null)?.suspect ?? null,
    };
  }

  dispose(): void {
    for (const reader of this.#readers) reader.dispose();
  }
}

/**
 * The set `timer`: how long a bracket took by a timer method and, where a renderer draws on the CPU and the method
 * isolates its brackets, the CPU time spent in it.
 */
export function timerSource(context: GlContext, method: TimerMethod): MetricSource {
  const counters = [durationInfo(method)];
  if (context.software && method.isolate) counters.push(cpuTimeInfo);
  const set: MetricSet = {
    id: 'timer',
    source: 'timer',
    name: 'timer',
    description: 'How long the work takes.',
    scope: 'context',
    counters,
  };
  return {
    type: 'timer',
    information: `timer method ${method.name}${method.bits === null ? ', by the host clock' : ''}`,
    sets: [set],
    replays: true,
    lost: new Map(),
    maximumQueries: () => mostQueries,
    split: (_, wanted) => [wanted],
    open: (_, wanted) => new OpenTimer(context, method, wanted),
  };
}
