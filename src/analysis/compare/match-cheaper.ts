/** Two ways to align the same children, by order and by what they count: which tells of less, place by place. */
import type { CountLevels } from './match-counts.ts';
import { type Aligned, type Gap, split } from './match-levels.ts';
import type { Pair } from './match-sequence.ts';

/** What a row costs that is no more the same, and in what; something new or gone must spare some changes. */
const costs = { exact: 0, drawn: 1, shape: 2, changed: 4, moved: 1.5, alone: 5 } as const;

/** Children between two pairs that both ways have, and how each pairs them. */
interface Stretch extends Gap {
  readonly ways: readonly [Pair[], Pair[]];
}

function pairCost([base, next]: Pair, { exact, drawn, shape }: CountLevels): number {
  if (exact.base[base] === exact.next[next]) return costs.exact;
  if (drawn.base[base] === drawn.next[next]) return costs.drawn;
  return shape.base[base] === shape.next[next] ? costs.shape : costs.changed;
}

/** Of a stretch as one way has it. Two without partners that count the same have moved. */
function cost({ base, next }: Gap, pairs: readonly Pair[], levels: CountLevels): number {
  let sum = 0;
  const [left, right] = [new Set(base), new Set(next)];
  for (const pair of pairs) {
    sum += pairCost(pair, levels);
    left.delete(pair[0]);
    right.delete(pair[1]);
  }
  const alone = new Map<number, number>();
  for (const item of left) alone.set(levels.exact.base[item], (alone.get(levels.exact.base[item]) ?? 0) + 1);
  sum += costs.alone * (left.size + right.size);
  for (const item of right) {
    const count = alone.get(levels.exact.next[item]) ?? 0;
    if (count === 0) continue;
    alone.set(levels.exact.next[item], count - 1);
    sum += 2 * (costs.moved - costs.alone);
  }
  return sum;
}

/** Cuts the children at the pairs that both ways have. */
function* stretches({ base, next }: Gap, ways: readonly [readonly Pair[], readonly Pair[]]): Generator<Stretch | Pair> {
  const partners = ways.map((pairs) => new Map(pairs)) as [Map<number, number>, Map<number, number>];
  const place = new Map(next.map((item, at) => [item, at]));
  const of = (start: number, end: number, nextStart: number, nextEnd: number): Stretch => {
    const items = base.slice(start, end);
    const pairsOf = (way: 0 | 1): Pair[] =>
      items.flatMap((item): Pair[] => {
        const partner = partners[way].get(item);
        return partner === undefined ? [] : [[item, partner]];
      });
    return { base: items, next: next.slice(nextStart, nextEnd), ways: [pairsOf(0), pairsOf(1)] };
  };
  let [start, nextStart] = [0, 0];
  for (const [at, item] of base.entries()) {
    const partner = partners[0].get(item);
    if (partner === undefined || partners[1].get(item) !== partner) continue;
    const nextAt = place.get(partner) as number;
    if (at > start || nextAt > nextStart) yield of(start, at, nextStart, nextAt);
    yield [item, partner];
    [start, nextStart] = [at + 1, nextAt + 1];
  }
  if (base.length > start || next.length > nextStart) yield of(start, base.length, nextStart, next.length);
}

/** `byOrder`, and where that leaves more to tell of, `byCounts`. */
export function cheaper(children: Gap, byOrder: Aligned, byCounts: Aligned, levels: CountLevels): Aligned {
  const pairs: Pair[] = [];
  for (const part of stretches(children, [byOrder.pairs, byCounts.pairs])) {
    if (!('ways' in part)) {
      pairs.push(part);
      continue;
    }
    const [one, other] = part.ways;
    pairs.push(...(cost(part, other, levels) < cost(part, one, levels) ? other : one));
  }
  const baseAt = new Map(children.base.map((item, at) => [item, at]));
  const nextAt = new Map(children.next.map((item, at) => [item, at]));
  const gaps: Gap[] = [];
  split(
    children,
    pairs.map(([base, next]): Pair => [baseAt.get(base) as number, nextAt.get(next) as number]),
    gaps,
  );
  return { pairs, gaps };
}
