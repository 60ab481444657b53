import { GpuprofError } from '../errors.ts';
import type { Api, GlContext } from '../gl/context.ts';
import type { CounterInfo, CounterValue, MetricSet } from '../model/counter.ts';
import { columnValue } from '../model/counter.ts';
import type { MetricSource, OpenSet, SetResults } from './metric-source.ts';

/** Where the metrics of a manager come from: the groups (sets) of all its sources, with their counters. */
export interface MetricsSource {
  readonly groups: readonly MetricSet[];
  /** Counters that a source names but cannot read here, by id, and why. */
  readonly lost: ReadonlyMap<string, string>;
}

/** What the callback gets: all that was measured between subscribe and unsubscribe. */
export interface QueryResults extends SetResults {
  readonly set: MetricSet;
  /** One for each column. */
  readonly counters: readonly CounterInfo[];
  /** Ids of the queries that were begun and ended, in that order. */
  readonly order: Uint32Array;
}

export type QueryResultsCallback = (results: QueryResults) => void;

/** One query on its own: `place` counts the queries from 0 as they were made; `values` is empty when it failed. */
export interface QueryReport {
  readonly id: number;
  readonly place: number;
  readonly status: 'ok' | 'questionable' | 'failed';
  /** Why it is not `ok`, one clause. */
  readonly reason: string | null;
  /** In the order of the counters subscribed to. */
  readonly values: readonly CounterValue[];
}

/** Says whether a report is of interest. */
export type QueryReportEvaluation = (report: QueryReport) => boolean;

const noQuery = -1;
const misuse = (message: string, hint?: string): GpuprofError => new GpuprofError('query-misuse', message, { hint });

/** Reports of the queries that failed, are questionable, or that `evaluate` wants. */
function reportsOf(results: QueryResults, evaluate: QueryReportEvaluation | undefined): QueryReport[] {
  const { failed, questionable, suspect, order, columns } = results;
  const reports: QueryReport[] = [];
  if (!evaluate && suspect === null && failed.size === 0 && questionable.size === 0) return reports;
  order.forEach((id, place) => {
    const failure = failed.get(id);
    const reason = failure ?? questionable.get(id) ?? suspect;
    const status = failure !== undefined ? 'failed' : reason !== null ? 'questionable' : 'ok';
    const values = status === 'failed' ? [] : columns.map((column) => columnValue(column, id));
    const report: QueryReport = { id, place, status, reason, values };
    // Asked for every report, as Intel's evaluation callback is.
    const wanted = evaluate?.(report) ?? false;
    if (wanted || status !== 'ok') reports.push(report);
  });
  return reports;
}

/**
 * Measures metrics of GL calls or ranges of calls: the contract of Intel's IQueryManager. The order of use is
 * `registerCallback`, then as often as needed `subscribe`, `beginQuery` and `endQuery` around each call or range,
 * `unsubscribe`; at last `dispose`. All happens on one GL context, which must be current and outlive the manager.
 * A call that breaks the contract throws GpuprofError `query-misuse` and changes nothing.
 */
export class QueryManager {
  /** Which API's calls it measures. */
  readonly type: Api;
  /** Names and versions of the implementations that count. */
  readonly information: string;
  /** What can be measured. */
  readonly metricsSource: MetricsSource;

  readonly #sources: readonly MetricSource[];
  #callback: QueryResultsCallback = () => {};
  /** The counters last subscribed to, kept ready for the next time. */
  #ready: { readonly key: string; readonly set: MetricSet; readonly counters: OpenSet } | null = null;
  #subscribed = false;
  #disposed = false;
  /** By query id: 0 free, 1 used. Empty without a subscription. */
  #used = new Uint8Array(0);
  #order = new Uint32Array(0);
  #made = 0;
  #open = noQuery;

  constructor(context: GlContext, sources: readonly MetricSource[]) {
    this.type = context.api;
    this.information = sources.map(({ type, information }) => `${type}: ${information}`).join('; ');
    this.metricsSource = {
      groups: sources.flatMap(({ sets }) => sets),
      lost: new Map(sources.flatMap(({ lost }) => [...lost])),
    };
    this.#sources = sources;
  }

  /**
   * Has `callback` called with the results each time that {@link unsubscribe} is called. Columns are by query id;
   * `order` has the ids in the order queried. The last callback registered is the one that counts. What it throws comes
   * out of {@link unsubscribe}, and the results are gone.
   */
  registerCallback(callback: QueryResultsCallback): void {
    this.#refuseDisposed('registerCallback');
    if (typeof callback !== 'function') throw misuse('registerCallback wants a function');
    this.#callback = callback;
  }

  /** Most queries of a set that one subscription can have. May become less when a driver has fewer than it says. */
  getMaximumQueriesSupported(setId: string): number {
    this.#refuseDisposed('getMaximumQueriesSupported');
    const { source, set } = this.#find(setId);
    return source.maximumQueries(set);
  }

  /**
   * Counters of a set (all by default) as they can be subscribed to together, by id: a list for each replay pass.
   * This is beyond Intel's contract, whose groups always fit.
   */
  split(setId: string, counterIds?: readonly string[]): readonly (readonly string[])[] {
    this.#refuseDisposed('split');
    const { source, set } = this.#find(setId);
    const lists = source.split(set, this.#choose(set, counterIds));
    return lists.map((list) => list.map(({ id }) => id));
  }

  /**
   * Makes ready to measure `numQueries` queries, numbered from 0, of a set, or of some counters of it, which come in the
   * set's order. Only one subscription at a time. `numQueries` lies in [0, {@link getMaximumQueriesSupported}]. GL has one queue, the context.
   * Throws GpuprofError `cannot-measure` when the driver refuses.
   */
  subscribe(setId: string, numQueries: number, counterIds?: readonly string[]): void {
    this.#refuseDisposed('subscribe');
    if (this.#subscribed) throw misuse('subscribe while subscribed: unsubscribe first');
    const { source, set } = this.#find(setId);
    const key = counterIds ? JSON.stringify([setId, ...counterIds]) : setId;
    const chosen = this.#ready?.key === key ? this.#ready.counters.counters : this.#choose(set, counterIds);
    const most = source.maximumQueries(set);
    if (!Number.isInteger(numQueries) || numQueries < 0 || numQueries > most)
      throw misuse(`the number of queries must be a whole number from 0 to ${most}, not ${numQueries}`);
    if (this.#ready?.key !== key) {
      if (source.split(set, chosen).length > 1)
        throw misuse(`these counters of ${setId} cannot be measured together`, 'subscribe to one list of split()');
      this.#close();
      this.#ready = { key, set, counters: source.open(set, chosen) };
    }
    this.#ready?.counters.subscribe(numQueries);
    this.#used = new Uint8Array(numQueries);
    this.#order = new Uint32Array(numQueries);
    this.#made = 0;
    this.#subscribed = true;
  }

  /**
   * Begins a query just before the calls to measure. Ids may be used in any order, each once a subscription; only one
   * query is open at a time. Allocates nothing. GL has one command buffer, the context's.
   */
  beginQuery(id: number): void {
    if (this.#open !== noQuery || this.#used[id] !== 0) throw this.#wrongBegin(id);
    this.#used[id] = 1;
    this.#order[this.#made++] = id;
    this.#open = id;
    this.#ready?.counters.beginQuery(id);
  }

  /** Ends the open query just after the calls to measure; `id` must be the one it was begun with. Allocates nothing. */
  endQuery(id: number): void {
    if (this.#open === noQuery || id !== this.#open) throw this.#wrongEnd(id);
    this.#open = noQuery;
    this.#ready?.counters.endQuery(id);
  }

  /**
   * Ends the subscription: waits, within a bound, for the GPU's results, hands them to the registered callback, and
   * returns reports of the queries that failed, are questionable, or for which `evaluate` says true, in the order queried.
   */
  unsubscribe(evaluate?: QueryReportEvaluation): QueryReport[] {
    this.#refuseDisposed('unsubscribe');
    if (!this.#subscribed || !this.#ready) throw misuse('unsubscribe while not subscribed');
    if (this.#open !== noQuery) throw misuse(`unsubscribe while query ${this.#open} is open: end it first`);
    const { set, counters } = this.#ready;
    const order = this.#order.slice(0, this.#made);
    this.#forget();
    const results: QueryResults = { ...counters.unsubscribe(order), set, counters: counters.counters, order };
    this.#callback(results);
    return reportsOf(results, evaluate);
  }

  /** Yes: a query may span any number of consecutive calls. */
  areRangeQueriesSupported(): boolean {
    return true;
  }

  /** No: GL has one command buffer, the context's, so that there is no other to span. */
  areRangeQueriesAcrossCommandBuffersSupported(): boolean {
    return false;
  }

  /** No: a second queue, to which a second subscription would be, does not exist. */
  areMultipleSubscribesSupported(): boolean {
    return false;
  }

  /** No: GL has one queue, the context. */
  areQueriesWithDifferentQueuesSupported(): boolean {
    return false;
  }

  /** Does nothing, as for D3D11: GL makes no command queues. */
  onCreateCommandQueue(): void {}

  /** Does nothing, as for D3D11: GL makes no command lists. */
  onCreateCommandList(): void {}

  /** Does nothing, as for D3D11: GL submits by itself. */
  onExecuteCommandLists(): void {}

  /** Does nothing, as for D3D11: GL has no render pass objects. */
  onBeginRenderPass(): void {}

  /** Does nothing, as for D3D11: GL has no render pass objects. */
  onEndRenderPass(): void {}

  /** Ends an open query and a subscription without results, and frees the GL objects. May be called again. */
  dispose(): void {
    if (this.#open !== noQuery) this.#ready?.counters.endQuery(this.#open);
    this.#forget();
    this.#close();
    this.#disposed = true;
  }

  #forget(): void {
    this.#subscribed = false;
    this.#open = noQuery;
    this.#used = new Uint8Array(0);
  }

  #close(): void {
    this.#ready?.counters.dispose();
    this.#ready = null;
  }

  #refuseDisposed(method: string): void {
    if (this.#disposed) throw misuse(`${method} after dispose`);
  }

  #find(setId: string): { source: MetricSource; set: MetricSet } {
    for (const source of this.#sources) {
      const set = source.sets.find(({ id }) => id === setId);
      if (set) return { source, set };
    }
    const known = this.metricsSource.groups.map(({ id }) => id).join(', ') || 'none';
    throw misuse(`there is no metric set ${setId}`, `the sets are: ${known}`);
  }

  #choose(set: MetricSet, counterIds: readonly string[] | undefined): readonly CounterInfo[] {
    if (!counterIds) return set.counters;
    for (const id of counterIds) {
      if (set.counters.some((counter) => counter.id === id)) continue;
      const lost = this.metricsSource.lost.get(id);
      throw misuse(`the set ${set.id} has no counter ${id}${lost === undefined ? '' : `: ${lost}`}`);
    }
    return set.counters.filter(({ id }) => counterIds.includes(id));
  }

  #wrongBegin(id: number): GpuprofError {
    if (this.#disposed) return misuse('beginQuery after dispose');
    if (!this.#subscribed) return misuse(`begin of query ${id} without a subscription`);
    if (this.#open !== noQuery) return misuse(`begin of query ${id} while query ${this.#open} is open`);
    if (this.#used[id] !== undefined) return misuse(`query ${id} was used before in this subscription`);
    return misuse(`query ${id} is none of those subscribed to: 0 to ${this.#used.length - 1}`);
  }

  #wrongEnd(id: number): GpuprofError {
    if (this.#disposed) return misuse('endQuery after dispose');
    if (this.#open === noQuery) return misuse(`end of query ${id} without its begin`);
    return misuse(`end of query ${id} while query ${this.#open} is the open one`);
  }
}
