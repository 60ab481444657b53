import type { CounterInfo, MetricSet } from '../../model/counter.ts';
import { driverText, uniqueNames } from '../driver-output.ts';
import type { ValueType } from '../driver-values.ts';
import { layoutProblems } from './counter-layout.ts';
import { isExact, isFlag, kindOf, unitOf, valueTypes } from './describe-counter.ts';
import type { IntelCommands, QueryCounterInfo, QueryTypeInfo } from './intel-commands.ts';

const PERFQUERY_GLOBAL_CONTEXT_INTEL = 1;

/** More than any driver has (iris: some 30 types of up to 90 counters and 700 bytes): what is above is nonsense. */
const mostTypes = 1000;
const mostCounters = 4096;
const mostCountersAtAll = 50_000;
const mostDataBytes = 1 << 20;

/** In place of the sets that a list which breaks off does not name. */
const furtherTypes = 'intel/(further query types)';

/** Where a counter's value stands in a result. */
export interface ValuePlace extends ValueType {
  readonly name: string;
  readonly offset: number;
  /** Of a percentage: the most that the driver states, or 0; null for other counters. */
  readonly mostPercent: number | null;
}

/** A query type as the driver knows it, and the metric set that it is. */
export interface QueryType {
  readonly id: number;
  readonly set: MetricSet;
  readonly dataSize: number;
  /** Most instances, or null when the driver states none. */
  readonly mostInstances: number | null;
  /** By the counter's id in {@link set}. */
  readonly places: ReadonlyMap<string, ValuePlace>;
  /** Values that cast doubt on a result when they are not zero. */
  readonly flags: readonly ValuePlace[];
  /** The time that a measurement took, which is never 0; null where the type has none. */
  readonly elapsed: ValuePlace | null;
}

export interface Listing {
  readonly types: readonly QueryType[];
  /** Counters that cannot be read, and sets of which none can, by id, and why. */
  readonly lost: ReadonlyMap<string, string>;
  /** Why the list may lack types, one clause, or null: stands in {@link lost}, too. */
  readonly incomplete: string | null;
}

/** Ids along the driver's chain, which may be endless or go in circles. */
function chainOf(commands: IntelCommands): { ids: readonly number[]; incomplete: string | null } | string {
  const ids = new Set<number>();
  let id = commands.firstType();
  if (typeof id === 'string') return id;
  while (id !== 0) {
    if (ids.has(id)) return { ids: [...ids], incomplete: `its list of query types goes in circles at ${id}` };
    if (ids.size === mostTypes)
      return { ids: [...ids], incomplete: `its list of query types does not end after ${mostTypes}` };
    ids.add(id);
    const next = commands.nextType(id);
    if (typeof next === 'string') return { ids: [...ids], incomplete: next };
    id = next;
  }
  return ids.size > 0 ? { ids: [...ids], incomplete: null } : 'the driver has no query types';
}

/** Why a type's result cannot be read at all, or null. */
function sizeProblem({ dataSize }: QueryTypeInfo): string | null {
  if (dataSize === 0) return 'the driver gives its results no size';
  return dataSize > mostDataBytes ? `the driver says that its results have ${dataSize} bytes` : null;
}

function describeSet(info: QueryTypeInfo, counters: number, isFound: boolean): string {
  const sentences = [counters === 1 ? '1 counter.' : `${counters} counters, measured together.`];
  if (info.instances > 0) sentences.push(`At most ${info.instances} queries at once.`);
  if (info.capabilities & PERFQUERY_GLOBAL_CONTEXT_INTEL)
    sentences.push('Global: what other contexts and programs do meanwhile is counted, too.');
  if (!isFound) sentences.push('The driver does not find it by its name.');
  return sentences.join(' ');
}

/** Lists types one after another: names, and the number of counters, are watched over all of them. */
class TypeLister {
  readonly lost = new Map<string, string>();
  readonly #commands: IntelCommands;
  readonly #unique = uniqueNames();
  #counters = 0;

  constructor(commands: IntelCommands) {
    this.#commands = commands;
  }

  /** A set without counters, and the reason in its description. */
  #unusable(id: number, name: string, reason: string): QueryType {
    const set = { id: `intel/${name}`, source: 'intel', name, scope: 'context', counters: [] } as const;
    const description = `It cannot be measured: ${reason}.`;
    this.lost.set(set.id, reason);
    const nothing = { dataSize: 0, mostInstances: null, places: new Map(), flags: [], elapsed: null };
    return { id, set: { ...set, description }, ...nothing };
  }

  #infos(id: number, count: number): (QueryCounterInfo | string)[] {
    return Array.from({ length: count }, (_, index) => this.#commands.counterInfo(id, index + 1));
  }

  type(id: number): QueryType {
    const info = this.#commands.typeInfo(id);
    if (typeof info === 'string') return this.#unusable(id, this.#unique(`query type ${id}`), info);
    const name = this.#unique(driverText(info.name) || `query type ${id}`);
    if (info.counters === 0) return this.#unusable(id, name, 'it has no counters');
    if (info.counters > mostCounters || this.#counters + info.counters > mostCountersAtAll)
      return this.#unusable(id, name, `the driver says that it has ${info.counters} counters`);
    this.#counters += info.counters;
    return this.#read(id, name, info);
  }

  /** Whether the driver itself finds the type by its name: of several with one name it may give another. */
  #isFound(id: number, name: Uint8Array): boolean {
    const found = this.#commands.typeByName(name);
    if (typeof found === 'string' || found === id) return found === id;
    const other = this.#commands.typeInfo(found);
    return typeof other !== 'string' && Buffer.compare(other.name, name) === 0;
  }

  #read(id: number, name: string, info: QueryTypeInfo): QueryType {
    const setId = `intel/${name}`;
    const answers = this.#infos(id, info.counters);
    const described = answers.filter((answer) => typeof answer !== 'string');
    const problems = layoutProblems(described, info.dataSize);
    const problemWithAll = sizeProblem(info);
    const unique = uniqueNames();
    const places = new Map<string, ValuePlace>();
    const flags: ValuePlace[] = [];
    let elapsed: ValuePlace | null = null;
    const counters: CounterInfo[] = [];
    for (const [index, answer] of answers.entries()) {
      if (typeof answer === 'string') {
        this.lost.set(`${setId}/${unique(`counter ${index + 1}`)}`, answer);
        continue;
      }
      const own = driverText(answer.name) || `counter ${index + 1}`;
      const counterName = unique(own);
      const counterId = `${setId}/${counterName}`;
      const value = valueTypes.get(answer.dataType);
      const problem = problemWithAll ?? problems.get(described.indexOf(answer));
      if (problem !== undefined || !value) {
        this.lost.set(counterId, problem ?? 'its data type is unknown');
        continue;
      }
      const { dataType } = value;
      const { unit, description } = unitOf(driverText(answer.description));
      const mostPercent = unit === 'percent' ? Number(answer.most) : null;
      const place = { ...value, name: counterName, offset: answer.offset, mostPercent };
      places.set(counterId, place);
      if (isFlag(own, dataType)) flags.push(place);
      const kind = kindOf(own, answer.type, dataType, unit, description);
      if (unit === 'ns' && kind === 'sum') elapsed ??= place;
      const exact = isExact(own, dataType);
      counters.push({ id: counterId, set: setId, name: counterName, description, unit, dataType, kind, exact });
    }
    if (counters.length === 0) this.lost.set(setId, problemWithAll ?? 'none of its counters can be read');
    const isGlobal = (info.capabilities & PERFQUERY_GLOBAL_CONTEXT_INTEL) !== 0;
    const set: MetricSet = {
      id: setId,
      source: 'intel',
      name,
      description: describeSet(info, counters.length, this.#isFound(id, info.name)),
      scope: isGlobal ? 'global' : 'context',
      counters,
    };
    return { id, set, dataSize: info.dataSize, mostInstances: info.instances || null, places, flags, elapsed };
  }
}

/** Every query type of the driver with its counters, or why there are none, as one clause. */
export function listQueryTypes(commands: IntelCommands): Listing | string {
  const chain = chainOf(commands);
  if (typeof chain === 'string') return chain;
  const lister = new TypeLister(commands);
  const types = chain.ids.map((id) => lister.type(id));
  if (chain.incomplete !== null) lister.lost.set(furtherTypes, chain.incomplete);
  commands.errors.take();
  return { types, lost: lister.lost, incomplete: chain.incomplete };
}
