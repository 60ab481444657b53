import type { CounterInfo, MetricSet } from '../../model/counter.ts';
import { uniqueNames } from '../driver-output.ts';
import { readValue } from '../driver-values.ts';
import type { MonitorCommands } from './monitor-commands.ts';
import { type MonitorType, rangeText, unitAndKind, valueTypes } from './value-type.ts';

/** A counter as the driver knows it. */
export interface MonitorCounter {
  readonly id: number;
  readonly type: MonitorType;
  /** Of a percentage: the most that the driver states, or 0; null for other counters. */
  readonly mostPercent: number | null;
}

/** A group of counters as the driver knows it, and the metric set that it is. */
export interface MonitorGroup {
  readonly id: number;
  readonly set: MetricSet;
  /** Counters that can be active at once, at least 1. */
  readonly mostActive: number;
  /** By the counter's id in {@link set}. Those that cannot be read are missing. */
  readonly counters: ReadonlyMap<string, MonitorCounter>;
}

/** The only group that counts the same in every run: work done, not time spent. Mesa's name for it on iris. */
const exactGroups = /pipeline[ _]statistics/i;

function describeGroup(counters: number, mostActive: number, exact: boolean): string {
  const atOnce = mostActive >= counters ? 'all at once' : `at most ${Math.max(0, mostActive)} at once`;
  const size = counters === 1 ? '1 counter.' : `${counters} counters, ${atOnce}.`;
  return exact ? size : `${size} The extension does not say whether other programs' work counts, too.`;
}

interface Listing {
  readonly groups: readonly MonitorGroup[];
  /** Counters that cannot be read, and sets of which none can, by id, and why. */
  readonly lost: ReadonlyMap<string, string>;
}

function listGroup(
  commands: MonitorCommands,
  id: number,
  unique: (name: string) => string,
  lost: Map<string, string>,
): MonitorGroup | null {
  const listed = commands.counters(id);
  const name = unique(commands.groupName(id) ?? `group ${id}`);
  const setId = `amd/${name}`;
  const exact = exactGroups.test(name);
  const set = { id: setId, source: 'amd', name, scope: exact ? 'context' : 'global' } as const;
  if (typeof listed === 'string') {
    const description = `Its counters cannot be listed: ${listed}.`;
    lost.set(setId, listed);
    return { id, set: { ...set, description, counters: [] }, mostActive: 1, counters: new Map() };
  }
  if (listed.ids.length === 0) return null;
  const uniqueCounter = uniqueNames();
  const counters = new Map<string, MonitorCounter>();
  const infos = listed.ids.flatMap((counter): CounterInfo | [] => {
    const counterName = uniqueCounter(commands.counterName(id, counter) ?? `counter ${counter}`);
    const infoId = `${setId}/${counterName}`;
    const found = commands.counterType(id, counter);
    const type = typeof found === 'string' ? undefined : valueTypes.get(found);
    if (!type) {
      lost.set(infoId, typeof found === 'string' ? found : `0x${found.toString(16)} is none of the extension's types`);
      return [];
    }
    const range = commands.counterRange(id, counter, type.sizeBytes, (view, at) => readValue(view, at, type));
    const { unit, kind } = unitAndKind(counterName, type, range?.[1]);
    const mostPercent = unit === 'percent' ? Number(range?.[1] ?? 0) : null;
    counters.set(infoId, { id: counter, type, mostPercent });
    return {
      id: infoId,
      set: setId,
      name: counterName,
      description: `Counter ${counter} of group ${id}.${rangeText(range)}`,
      dataType: type.dataType,
      unit,
      kind,
      exact,
    };
  });
  const { mostActive } = listed;
  if (infos.length === 0) lost.set(setId, 'none of its counters can be read');
  else if (mostActive <= 0)
    for (const { id } of [set, ...infos]) lost.set(id, 'the driver lets no counter of its group be active');
  const description = describeGroup(infos.length, mostActive, exact);
  return { id, set: { ...set, description, counters: infos }, mostActive: Math.max(1, mostActive), counters };
}

/** Everything that the extension can count, or why nothing, as one clause. Groups without counters are left out. */
export function listGroups(commands: MonitorCommands): Listing | string {
  const listed = commands.groups();
  if (typeof listed === 'string') return listed;
  const unique = uniqueNames();
  const lost = new Map<string, string>();
  const groups = listed.ids.flatMap((id) => listGroup(commands, id, unique, lost) ?? []);
  return groups.length > 0 ? { groups, lost } : 'GetPerfMonitorGroupsAMD lists no counters';
}
