import { valueTypes } from './describe-counter.ts';

/** Where a counter stands in a query's result, as the driver says. */
export interface CounterPlace {
  readonly offset: number;
  readonly size: number;
  /** GL enum. */
  readonly dataType: number;
}

function problemOf({ offset, size, dataType }: CounterPlace, dataSize: number): string | null {
  const type = valueTypes.get(dataType);
  if (!type) return `0x${dataType.toString(16)} is none of the extension's data types`;
  if (size !== type.sizeBytes) return `it has ${size} bytes where its type has ${type.sizeBytes}`;
  if (offset + size > dataSize) return `it lies at byte ${offset} of a result of ${dataSize} bytes`;
  return null;
}

const isSame = (a: CounterPlace, b: CounterPlace) =>
  a.offset === b.offset && a.size === b.size && a.dataType === b.dataType;

/**
 * Which counters of a result of `dataSize` bytes cannot be read, by index, and why. Where two overlap one is wrong, and
 * nothing tells which; the same place under two names is well.
 */
export function layoutProblems(places: readonly CounterPlace[], dataSize: number): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  places.forEach((place, index) => {
    const problem = problemOf(place, dataSize);
    if (problem !== null) problems.set(index, problem);
  });
  const inOrder = places
    .map((place, index) => ({ ...place, index }))
    .filter(({ index }) => !problems.has(index))
    .sort((a, b) => a.offset - b.offset);
  for (const [rank, place] of inOrder.entries())
    for (let next = rank + 1; next < inOrder.length && inOrder[next].offset < place.offset + place.size; next++) {
      if (isSame(place, inOrder[next])) continue;
      problems.set(place.index, `it overlaps another counter at byte ${inOrder[next].offset}`);
      problems.set(inOrder[next].index, `it overlaps another counter at byte ${inOrder[next].offset}`);
    }
  return problems;
}
