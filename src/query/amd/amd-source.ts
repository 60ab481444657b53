import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import type { CounterInfo, MetricSet } from '../../model/counter.ts';
import { Patience } from '../driver-errors.ts';
import type { MetricSource, OpenSet } from '../metric-source.ts';
import { lackingMonitorCommands, MonitorCommands } from './monitor-commands.ts';
import { listGroups, type MonitorCounter, type MonitorGroup } from './monitor-groups.ts';
import { MonitorSet } from './monitor-set.ts';

const extension = 'GL_AMD_performance_monitor';
/** The extension names no limit. More at once save little and take memory of the driver for each. */
const mostMonitors = 1024;

class AmdSource implements MetricSource {
  readonly type = 'amd';
  readonly information: string;
  readonly sets: readonly MetricSet[];
  readonly replays = true;
  readonly lost: Map<string, string>;
  readonly #context: GlContext;
  readonly #commands: MonitorCommands;
  readonly #groups: readonly MonitorGroup[];
  /** By counters' ids: why the driver does not sample them together, or null. */
  readonly #refusals = new Map<string, string | null>();
  readonly #patience = new Patience();
  #monitors = mostMonitors;

  constructor(
    context: GlContext,
    commands: MonitorCommands,
    groups: readonly MonitorGroup[],
    lost: ReadonlyMap<string, string>,
  ) {
    this.#context = context;
    this.#commands = commands;
    this.#groups = groups;
    this.information = `${extension} of ${context.renderer} (${context.versionText})`;
    this.sets = groups.map(({ set }) => set);
    this.lost = new Map(lost);
  }

  #groupOf(set: MetricSet): MonitorGroup {
    return this.#groups.find((group) => group.set.id === set.id) as MonitorGroup;
  }

  /** Remembered, so that a list that was taken once is never split later. */
  #refusal(group: MonitorGroup, counters: readonly CounterInfo[]): string | null {
    const ids = counters.map(({ id }) => (group.counters.get(id) as MonitorCounter).id);
    const key = `${group.id}: ${ids.join(' ')}`;
    let refusal = this.#refusals.get(key);
    if (refusal === undefined) {
      refusal = this.#commands.trial(group.id, ids);
      this.#refusals.set(key, refusal);
    }
    return refusal;
  }

  /** Halves a list until the driver takes each part; a counter that it does not take alone is lost. */
  #takeable(group: MonitorGroup, counters: readonly CounterInfo[]): readonly (readonly CounterInfo[])[] {
    const refusal = this.#refusal(group, counters);
    if (refusal === null) return [counters];
    if (counters.length === 1) {
      this.lost.set(counters[0].id, refusal);
      return [];
    }
    const half = Math.ceil(counters.length / 2);
    return [counters.slice(0, half), counters.slice(half)].flatMap((part) => this.#takeable(group, part));
  }

  maximumQueries(): number {
    return this.#monitors;
  }

  split(set: MetricSet, counters: readonly CounterInfo[]): readonly (readonly CounterInfo[])[] {
    const group = this.#groupOf(set);
    const readable = counters.filter(({ id }) => !this.lost.has(id));
    const lists: (readonly CounterInfo[])[] = [];
    for (let first = 0; first < readable.length; first += group.mostActive)
      lists.push(...this.#takeable(group, readable.slice(first, first + group.mostActive)));
    return lists;
  }

  open(set: MetricSet, counters: readonly CounterInfo[]): OpenSet {
    const gone = counters.find(({ id }) => this.lost.has(id));
    if (gone) throw new GpuprofError('cannot-measure', `${gone.id} cannot be measured: ${this.lost.get(gone.id)}`);
    const group = this.#groupOf(set);
    return new MonitorSet(this.#context, this.#commands, this.#groups, group, counters, this.#patience, (monitors) => {
      this.#monitors = monitors;
    });
  }
}

/**
 * The counter groups of GL_AMD_performance_monitor, a set `amd/GROUP` each. What a group cannot count at once, by its own
 * maximum or because the driver refuses, takes several replay passes. Gives one clause where there is none.
 */
export function amdSource(context: GlContext): MetricSource | string {
  const who = `${context.renderer} (${context.versionText})`;
  if (!context.extensions.has(extension)) return `${who} lacks ${extension}`;
  const lacking = lackingMonitorCommands(context);
  if (lacking.length > 0) return `${extension} of ${who} lacks ${lacking.join(', ')}`;
  const commands = new MonitorCommands(context);
  const listed = listGroups(commands);
  return typeof listed === 'string' ? listed : new AmdSource(context, commands, listed.groups, listed.lost);
}
