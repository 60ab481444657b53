import type { GlContext } from '../gl/context.ts';
import {
  type CounterColumn,
  type CounterDataType,
  type CounterInfo,
  type MetricSet,
  newColumn,
} from '../model/counter.ts';
import { GlQueries } from './gl-queries.ts';
import type { MetricSource, OpenSet, SetResults } from './metric-source.ts';
import { knownStatistics, type Statistic } from './statistics-counters.ts';

/** Every query has an object for each counter, of about 1 KB on llvmpipe: this bounds them to some 200 MB. */
const mostQueries = 2 ** 14;

/** Stores the result that `queries` has just read. */
function store(column: CounterColumn, id: number, queries: GlQueries): void {
  if (column instanceof BigUint64Array) {
    // As words, since a bigint for every value would be garbage.
    const words = new Uint32Array(column.buffer, id * 8, 2);
    words[0] = queries.low;
    words[1] = queries.high;
  } else column[id] = column instanceof Uint8Array ? Number(queries.low !== 0 || queries.high !== 0) : queries.low;
}

/** A query object for each counter of each query, all open at once: GL lets those of different targets overlap. */
class OpenStatistics implements OpenSet {
  readonly counters: readonly CounterInfo[];
  readonly #queries: GlQueries;
  readonly #targets: readonly number[];
  #names: Uint32Array = new Uint32Array(0);
  #count = 0;
  /** Queries that were disturbed by others of the same target, by id. */
  readonly #disturbed = new Map<number, string>();

  constructor(context: GlContext, counters: readonly CounterInfo[], targets: readonly number[]) {
    this.#queries = new GlQueries(context);
    this.counters = counters;
    this.#targets = targets;
  }

  subscribe(queries: number): void {
    // New objects every time: one that a driver refuses to begin must not have an older result to give.
    this.#queries.dispose();
    this.#names = this.#queries.reserve(queries * this.#targets.length);
    this.#count = queries;
    this.#disturbed.clear();
  }

  beginQuery(id: number): void {
    const first = id * this.#targets.length;
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      const target = this.#targets[at];
      // A begin would fail, and the end would end a query that is not ours.
      if (this.#queries.current(target) === 0) this.#queries.begin(target, this.#names[first + at]);
      else this.#disturbed.set(id, `another query for ${this.counters[at].name} is open`);
    }
  }

  endQuery(id: number): void {
    const first = id * this.#targets.length;
    for (let at = 0; at < this.#targets.length; at++) {
      const target = this.#targets[at];
      if (this.#queries.current(target) === this.#names[first + at]) this.#queries.end(target);
      else if (!this.#disturbed.has(id))
        this.#disturbed.set(id, `its query for ${this.counters[at].name} did not begin, or was ended by others`);
    }
  }

  unsubscribe(order: Uint32Array): SetResults {
    const columns = this.counters.map(({ dataType }) => newColumn(dataType, this.#count));
    const failed = new Map(this.#disturbed);
    this.#queries.reading(() => {
      for (const id of order) {
        // Reading what never began would be a GL error.
        if (this.#disturbed.has(id)) continue;
        for (const [at, column] of columns.entries()) {
          if (this.#queries.read(this.#names[id * columns.length + at])) store(column, id, this.#queries);
          else if (!failed.has(id)) failed.set(id, `the driver gave no result for ${this.counters[at].name}`);
        }
      }
    });
    return { columns, failed, questionable: new Map(), suspect: null };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}

function infoOf({ name, description, isAny }: Statistic, dataType: CounterDataType): CounterInfo {
  return {
    id: `statistics/${name}`,
    set: 'statistics',
    name,
    description,
    unit: '',
    dataType,
    kind: isAny ? 'any' : 'sum',
    exact: true,
  };
}

/**
 * The set `statistics`, the work that GL's own queries count: on desktop GL RenderDoc's counters 2 to 13
 * (GL_ARB_pipeline_statistics_query and SAMPLES_PASSED), on ES what there is. Counts have 64 bits; on an ES context
 * without a 64-bit getter they end at 2^32 - 2. Gives one clause where the context counts nothing.
 */
export function statisticsSource(context: GlContext): MetricSource | string {
  const who = `${context.renderer} (${context.versionText})`;
  if (!context.find('glBeginQuery')) return `${who} has no queries`;
  const queries = new GlQueries(context);
  const targets = new Map<CounterInfo, number>();
  const lost = new Map<string, string>();
  for (const statistic of knownStatistics(context)) {
    const info = infoOf(statistic, statistic.isAny ? 'bool' : queries.wide ? 'u64' : 'u32');
    // Only desktop GL tells how many bits a counter has.
    const missing =
      statistic.missing(context) ??
      (context.api === 'gl' && queries.bits(statistic.target) === 0 ? 'its counter has 0 bits' : null);
    if (missing === null) targets.set(info, statistic.target);
    else lost.set(info.id, missing);
  }
  if (targets.size === 0) return `${who} counts nothing: ${[...lost.values()][0]}`;
  const set: MetricSet = {
    id: 'statistics',
    source: 'statistics',
    name: 'statistics',
    description: 'How much work the draws make, as the pipeline counts it.',
    scope: 'context',
    counters: [...targets.keys()],
  };
  const source: MetricSource = {
    type: 'statistics',
    information: `queries of ${who}`,
    sets: [set],
    replays: true,
    lost,
    maximumQueries: () => mostQueries,
    split: (_, wanted) => [wanted],
    open: (_, wanted) =>
      new OpenStatistics(
        context,
        wanted,
        wanted.map((info) => targets.get(info) as number),
      ),
  };
  return source;
}
