/** What a counter's leaves make of each parent in one run: a rule for every kind of counter. */
import type { CounterInfo, CounterKind, CounterValue } from '../model/counter.ts';
import type { CountedObject } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import { addExactly, compare, type Known, quantity } from './counter-math.ts';
import { foldUp } from './fold-up.ts';

/** What one run of a set says of its leaves; index: leaf number. */
export interface RunLeaves {
  /** Values of a counter, null where there is none; undefined when it was not measured. */
  values(id: string): readonly CounterValue[] | undefined;
  /** How long each took, which averages are weighed by; null where unknown. */
  readonly weights: readonly (number | null)[];
  objects(id: string): readonly (readonly CountedObject[])[] | undefined;
}

/** One counter of one run for every node of a tree. */
export interface RolledUpCounter {
  readonly values: readonly CounterValue[];
  /** Why a node has no value although its leaves have theirs. */
  readonly without: string;
  /** Why a node's value is doubtful, null where it is not; absent when none is. */
  readonly doubts?: readonly (string | null)[];
  /** Which leaves have what the roll-up takes; absent when that is a value. */
  readonly known?: readonly boolean[];
}

type RollUp = (tree: EventTree, counter: CounterInfo, leaves: RunLeaves) => RolledUpCounter;

const isWhole = ({ dataType }: CounterInfo): boolean => dataType === 'u32' || dataType === 'u64';
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
const tooLarge = 'it is too large for a double';

function quantities(counter: CounterInfo, leaves: RunLeaves): (number | bigint | null)[] {
  return (leaves.values(counter.id) ?? []).map((value) => (value === null ? null : quantity(value)));
}

const sum: RollUp = (tree, counter, leaves) => {
  const amounts = quantities(counter, leaves);
  if (isWhole(counter) || counter.dataType === 'bool')
    return { values: foldUp(tree, amounts, addExactly), without: tooLarge };
  const sums = foldUp(tree, amounts, (left, right) => Number(left) + Number(right));
  return { values: sums.map((value) => (value === null ? null : finite(Number(value)))), without: tooLarge };
};

/** A leaf keeps the quotient that the source gives; a parent has the quotient of the sums over leaves with both parts. */
const ratio: RollUp = (tree, counter, leaves) => {
  const given = leaves.values(counter.id) ?? [];
  const { of, by, scale } = counter.parts ?? { of: '', by: '', scale: 1 };
  const dividends = leaves.values(of);
  const divisors = leaves.values(by);
  const values: CounterValue[] = tree.nodes.map(() => null);
  tree.leaves.forEach((node, leaf) => {
    values[node] = given[leaf];
  });
  if (!dividends || !divisors) return { values, without: 'its parts were not measured' };
  const both = (part: readonly CounterValue[]) =>
    part.map((value, leaf) => (dividends[leaf] === null || divisors[leaf] === null ? null : Number(value)));
  const dividendSums = foldUp(tree, both(dividends), addParts);
  const divisorSums = foldUp(tree, both(divisors), addParts);
  for (const [node, dividend] of dividendSums.entries()) {
    const divisor = divisorSums[node];
    if (values[node] === null && dividend !== null && divisor) values[node] = finite((scale * dividend) / divisor);
  }
  const known = dividends.map((dividend, leaf) => dividend !== null && divisors[leaf] !== null);
  return { values, without: 'its divisor is 0', known };
};

const addParts = (left: number, right: number): number => left + right;

interface Mean {
  readonly weighed: number;
  readonly weight: number;
  readonly plain: number;
  readonly count: number;
  /** How many of them have no weight. */
  readonly unweighed: number;
}

/** Written so that the mean of equal values is that value, and never beyond the largest. */
const between = (left: number, right: number, part: number): number => left + (right - left) * part;

function joinMeans(left: Mean, right: Mean): Mean {
  const weight = left.weight + right.weight;
  const count = left.count + right.count;
  return {
    weighed: between(left.weighed, right.weighed, weight === 0 ? 0 : right.weight / weight),
    weight,
    plain: between(left.plain, right.plain, right.count / count),
    count,
    unweighed: left.unweighed + right.unweighed,
  };
}

const average: RollUp = (tree, counter, leaves) => {
  const means = quantities(counter, leaves).map((value, leaf): Mean | null => {
    if (value === null) return null;
    const weight = leaves.weights[leaf];
    const number = Number(value);
    return {
      weighed: number,
      weight: weight ?? 0,
      plain: number,
      count: 1,
      unweighed: weight === null ? 1 : 0,
    };
  });
  const joined = foldUp(tree, means, joinMeans);
  return {
    values: joined.map((mean) => (mean ? finite(mean.weight > 0 ? mean.weighed : mean.plain) : null)),
    without: tooLarge,
    doubts: joined.map((mean) =>
      mean && mean.weight > 0 && mean.unweighed > 0
        ? 'the time of some of its leaves, to weigh them by, is unknown'
        : null,
    ),
  };
};

const folded =
  (join: (left: Known, right: Known) => Known): RollUp =>
  (tree, counter, leaves) => ({
    values: foldUp(tree, leaves.values(counter.id) ?? [], join),
    without: 'it has no value',
  });

/** Each object once, with the largest of its amounts, however many leaves of a parent use it. */
const distinct: RollUp = (tree, counter, leaves) => {
  const given = leaves.values(counter.id) ?? [];
  const used = leaves.objects(counter.id);
  const values: CounterValue[] = tree.nodes.map(() => null);
  const unions = tree.nodes.map((): Union | null => null);
  tree.leaves.forEach((node, leaf) => {
    values[node] = given[leaf];
    if (given[leaf] !== null && used) unions[node] = union(used[leaf] ?? []);
  });
  for (let node = tree.nodes.length - 1; node >= 0; node--) {
    const mine = unions[node];
    if (!mine) continue;
    values[node] ??= mine.total;
    const { parent } = tree.nodes[node];
    if (parent < 0) continue;
    const other = unions[parent];
    // The smaller goes into the larger, which nobody reads any more under its old node.
    const [into, from] = other && other.objects.size > mine.objects.size ? [other, mine] : [mine, other];
    if (from) for (const [key, amount] of from.objects) count(into, key, amount);
    unions[parent] = into;
    unions[node] = null;
  }
  return { values, without: used ? 'it has no value' : 'the objects behind it were not told' };
};

interface Union {
  readonly objects: Map<string, number>;
  total: number | bigint;
}

function count(into: Union, key: string, amount: number): void {
  const before = into.objects.get(key) ?? 0;
  if (amount < before) return;
  into.objects.set(key, amount);
  into.total = addExactly(into.total, amount - before);
}

function union(objects: readonly CountedObject[]): Union {
  const all: Union = { objects: new Map(), total: 0 };
  for (const { key, amount } of objects) count(all, key, amount);
  return all;
}

const point: RollUp = (tree, counter, leaves) => {
  const values: CounterValue[] = tree.nodes.map(() => null);
  const given = leaves.values(counter.id) ?? [];
  tree.leaves.forEach((node, leaf) => {
    values[node] = given[leaf];
  });
  return { values, without: 'says nothing of a group' };
};

const rules: Readonly<Record<CounterKind, RollUp>> = {
  sum,
  ratio,
  average,
  maximum: folded((left, right) => (compare(left, right) < 0 ? right : left)),
  any: folded((left, right) => quantity(left) !== 0 || quantity(right) !== 0),
  distinct,
  point,
};

/** Values of a counter for every node of the tree, as the counter's kind demands (model/counter.ts). */
export const rollUpCounter: RollUp = (tree, counter, leaves) => rules[counter.kind](tree, counter, leaves);
