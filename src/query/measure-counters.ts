import { setImmediate } from 'node:timers/promises';
import { GpuprofError } from '../errors.ts';
import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import { type CounterInfo, type MetricSet, newColumn } from '../model/counter.ts';
import type { CountedObject, CounterOrigin, CounterRun, SetMeasurement } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import { LeafBrackets } from './leaf-brackets.ts';
import type { MetricSource } from './metric-source.ts';
import { QueryManager, type QueryResults } from './query-manager.ts';
import type { PlayableFrame } from './run-meter.ts';

/** Counters of one set to measure. */
export interface CounterRequest {
  readonly source: MetricSource;
  readonly set: MetricSet;
  /** Some of the set's, at least one. */
  readonly counters: readonly CounterInfo[];
}

export interface MeasureCountersOptions {
  /** Exactly this many runs of each set; by default three, or fewer when the budget is spent. */
  readonly runs?: number;
  /** Without `runs`: time after which a set's next run does not begin, in milliseconds; 10,000 by default. */
  readonly budgetMs?: number;
  readonly onProgress?: (progress: CountersProgress) => void;
}

export interface CountersProgress {
  readonly set: MetricSet;
  /** From 1. */
  readonly run: number;
  readonly runs: number;
}

const defaultRuns = 3;
const defaultBudgetMs = 10_000;

/** Whether a driver cannot do what a source asks of it. */
const isRefusal = (error: unknown): error is GpuprofError =>
  error instanceof GpuprofError && (error.code === 'cannot-measure' || error.code === 'missing-feature');

/** A run in the making, and how many replays it has taken. */
interface OpenRun extends CounterRun {
  readonly failed: Map<number, string>;
  readonly questionable: Map<number, string>;
  readonly objects: Map<string, (readonly CountedObject[])[]>;
  passes: number;
}

/** Measures one set by a query manager of its own. */
class SetMeter {
  readonly #manager: QueryManager;
  readonly #request: CounterRequest;
  readonly #brackets: LeafBrackets;
  #results: QueryResults | null = null;

  constructor(context: GlContext, request: CounterRequest, brackets: LeafBrackets) {
    this.#manager = new QueryManager(context, [request.source]);
    this.#manager.registerCallback((results) => {
      this.#results = results;
    });
    this.#request = request;
    this.#brackets = brackets;
  }

  /** One value of every counter for every leaf. Throws GpuprofError `cannot-measure` when the driver refuses. */
  run(): OpenRun {
    const { source, set, counters } = this.#request;
    const leaves = this.#brackets.leaves;
    const run: OpenRun = {
      columns: counters.map(({ dataType }) => newColumn(dataType, leaves)),
      failed: new Map(),
      questionable: new Map(),
      objects: new Map(),
      passes: 0,
    };
    for (const list of source.split(set, counters)) {
      const ids = list.map(({ id }) => id);
      for (let first = 0; first < leaves; ) {
        const count = this.#subscribe(leaves - first, ids);
        this.#brackets.play(this.#manager, first, count, source.replays);
        this.#manager.unsubscribe();
        this.#keep(run, this.#results as QueryResults, first, count);
        if (source.replays) run.passes++;
        first += count;
      }
    }
    return run;
  }

  /** Subscribes for as many of `wanted` queries as the driver has, which it may find out only now. */
  #subscribe(wanted: number, ids: readonly string[]): number {
    const { id } = this.#request.set;
    for (;;) {
      const count = Math.min(wanted, this.#manager.getMaximumQueriesSupported(id));
      if (count < 1) throw new GpuprofError('cannot-measure', `the driver has no query left for ${id}`);
      try {
        this.#manager.subscribe(id, count, ids);
        return count;
      } catch (error) {
        if (!isRefusal(error) || this.#manager.getMaximumQueriesSupported(id) >= count) throw error;
      }
    }
  }

  /** Copies results of the leaves from `first` on into a run. */
  #keep(run: OpenRun, results: QueryResults, first: number, count: number): void {
    const { counters, columns, order, suspect } = results;
    for (const [at, { id }] of counters.entries()) {
      const column = run.columns[this.#request.counters.findIndex((counter) => counter.id === id)];
      for (const query of order) column[first + query] = columns[at][query];
      const objects = results.objects?.get(id);
      if (!objects) continue;
      const kept = run.objects.get(id) ?? [];
      for (const query of order) kept[first + query] = objects[query];
      run.objects.set(id, kept);
    }
    const queried = new Set(order);
    for (let query = 0; query < count; query++)
      if (!queried.has(query)) run.failed.set(first + query, 'the replay did not come to it');
    for (const [query, reason] of results.failed) run.failed.set(first + query, reason);
    for (const [query, reason] of results.questionable) run.questionable.set(first + query, reason);
    if (suspect !== null)
      for (const query of order) if (!run.questionable.has(first + query)) run.questionable.set(first + query, suspect);
  }

  dispose(): void {
    this.#manager.dispose();
  }
}

const originOf = ({ driver, api, renderer, versionText }: GlContext): CounterOrigin => ({
  driver,
  api,
  renderer,
  version: versionText,
});

/** A run that has nothing but the reason for it. */
const lostRun = (counters: readonly CounterInfo[], leaves: number, reason: string): CounterRun => ({
  columns: counters.map(({ dataType }) => newColumn(dataType, leaves)),
  failed: new Map(Array.from({ length: leaves }, (_, leaf) => [leaf, reason])),
  questionable: new Map(),
});

async function measureSet(
  context: GlContext,
  request: CounterRequest,
  brackets: LeafBrackets,
  options: MeasureCountersOptions,
): Promise<SetMeasurement> {
  const { source, set, counters } = request;
  // What comes from the capture alone is the same every time.
  const wanted = source.replays ? (options.runs ?? defaultRuns) : 1;
  const budgetNs = options.runs === undefined ? (options.budgetMs ?? defaultBudgetMs) * 1e6 : Number.POSITIVE_INFINITY;
  const started = hostNs();
  const runs: CounterRun[] = [];
  let passes = 0;
  let problem: string | null = null;
  const meter = new SetMeter(context, request, brackets);
  try {
    while (runs.length < wanted && (runs.length === 0 || hostNs() - started < budgetNs)) {
      options.onProgress?.({ set, run: runs.length + 1, runs: wanted });
      const run = meter.run();
      passes = run.passes;
      runs.push(run);
      await setImmediate();
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (runs.length === 0) problem = error.message;
    else runs.push(lostRun(counters, brackets.leaves, error.message));
  } finally {
    meter.dispose();
    brackets.dropErrors();
  }
  const lost = new Map([...source.lost].filter(([id]) => id.startsWith(`${set.id}/`)));
  return { set, counters, origin: source.replays ? originOf(context) : null, passes, runs, problem, lost };
}

/**
 * Measures counters of a frame's leaves: for each set, runs of one replay for each list of counters that fit together
 * (`split`), and for each part of the leaves when the driver has fewer queries than there are leaves. The frame is put
 * back before each replay. A driver that refuses costs only its own set, whose `problem` says why. Yields between runs.
 */
export async function measureCounters(
  context: GlContext,
  replay: PlayableFrame,
  tree: EventTree,
  requests: readonly CounterRequest[],
  options: MeasureCountersOptions = {},
): Promise<SetMeasurement[]> {
  const brackets = new LeafBrackets(context, replay, tree);
  // A frame's first play compiles shaders and looks for errors after every call: it is never counted.
  if (requests.some(({ source }) => source.replays)) brackets.playPlain();
  const measurements: SetMeasurement[] = [];
  for (const request of requests) measurements.push(await measureSet(context, request, brackets, options));
  return measurements;
}
