import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import type { CounterInfo, MetricSet } from '../../model/counter.ts';
import { Patience } from '../driver-errors.ts';
import type { MetricSource, OpenSet } from '../metric-source.ts';
import { IntelCommands, lackingIntelCommands } from './intel-commands.ts';
import { type IntelReading, IntelSet } from './intel-set.ts';
import { listQueryTypes, type QueryType } from './list-query-types.ts';

const extension = 'GL_INTEL_performance_query';
/** Where the driver states no limit, which Mesa does not. It takes a few KB for each. */
const mostQueries = 2 ** 14;

export interface IntelSourceOptions {
  /** `poll` by default: see {@link IntelReading}. */
  readonly reading?: IntelReading;
}

/**
 * The query types of GL_INTEL_performance_query, a set `intel/NAME` each. All counters of a type are measured together;
 * different types take replay passes of their own, since the hardware is set up for one at a time. Gives one clause
 * where there is none.
 */
export function intelSource(context: GlContext, options: IntelSourceOptions = {}): MetricSource | string {
  const who = `${context.renderer} (${context.versionText})`;
  if (!context.extensions.has(extension)) return `${who} lacks ${extension}`;
  const lacking = lackingIntelCommands(context);
  if (lacking.length > 0) return `${extension} of ${who} lacks ${lacking.join(', ')}`;
  const commands = new IntelCommands(context);
  const listing = listQueryTypes(commands);
  if (typeof listing === 'string') return `${extension} of ${who} offers nothing: ${listing}`;
  const { types, lost, incomplete } = listing;
  const extended = commands.hasExtendedCounters ? ', with extended counters' : '';
  const typeOf = (set: MetricSet) => types.find((type) => type.set.id === set.id) as QueryType;
  /** By set id: instances that the driver turned out to have. */
  const known = new Map<string, number>();
  const patience = new Patience();
  const source: MetricSource = {
    type: 'intel',
    information: `${extension} of ${who}${extended}${incomplete === null ? '' : `; ${incomplete}`}`,
    sets: types.map(({ set }) => set),
    replays: true,
    lost,
    maximumQueries: (set) =>
      Math.min(known.get(set.id) ?? mostQueries, typeOf(set).mostInstances ?? mostQueries, mostQueries),
    split: (_, counters) => (counters.length > 0 ? [counters] : []),
    open(set: MetricSet, counters: readonly CounterInfo[]): OpenSet {
      const type = typeOf(set);
      if (type.places.size === 0) throw new GpuprofError('cannot-measure', `${set.id} has no counter that can be read`);
      return new IntelSet(commands, type, counters, options.reading ?? 'poll', patience, (instances) =>
        known.set(set.id, instances),
      );
    },
  };
  return source;
}
