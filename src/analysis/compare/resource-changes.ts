/** Textures, renderbuffers and buffers of two captures: which is which, and what their sizes came to. */
import type { ResourceChange } from '../../model/comparison.ts';
import type { ResourceSize } from '../../model/life/resource-sizes.ts';
import type { Report } from '../../model/report.ts';
import { Interner } from './interner.ts';
import { alignByLevels, type Gap, type Level, pairAnywhere } from './match-levels.ts';
import { noKey, type Pair } from './match-sequence.ts';

type Sized = Pick<Report, 'resources'>;

/** Those of memory of their own, as they were made. */
const inOrder = (resources: readonly ResourceSize[]): ResourceSize[] =>
  resources
    .filter(({ sizeBytes }) => sizeBytes > 0)
    .sort((one, other) => (one.class === other.class ? one.id - other.id : one.class < other.class ? -1 : 1));

/** The label that the captured program gave it; empty without one. */
const labelOf = ({ class: kind, id, name }: ResourceSize): string => (name === `${kind} ${id}` ? '' : name);

/** By which two are the same: all but their ids, which are a capture's own; the label; and at one place the class. */
const keys = {
  equal: (one: ResourceSize) => JSON.stringify([one.class, labelOf(one), one.sizeBytes, one.size]),
  label: (one: ResourceSize) => (labelOf(one) === '' ? null : JSON.stringify([one.class, labelOf(one)])),
  class: (one: ResourceSize) => one.class,
} satisfies Record<string, (one: ResourceSize) => string | null>;

const without = ({ base, next }: Gap, pairs: readonly Pair[]): Gap => {
  const [ours, theirs] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))];
  return { base: base.filter((item) => !ours.has(item)), next: next.filter((item) => !theirs.has(item)) };
};

/**
 * Those that take more or less memory than in base, that only new has, or only base; whether or not anything uses them.
 * Empty where a report does not tell of any. The largest change first.
 */
export function resourceChanges(base: Sized, next: Sized): ResourceChange[] {
  if (!base.resources || !next.resources) return [];
  const [ours, theirs] = [inOrder(base.resources), inOrder(next.resources)];
  const intern = new Interner();
  const level = (key: (one: ResourceSize) => string | null): Level => {
    const column = (list: readonly ResourceSize[]): Int32Array =>
      Int32Array.from(list, (one) => {
        const text = key(one);
        return text === null ? noKey : intern.text(text);
      });
    return { base: column(ours), next: column(theirs) };
  };
  const equal = level(keys.equal);
  let { gaps } = alignByLevels([{ base: [...ours.keys()], next: [...theirs.keys()] }], [equal]);
  const anywhere = (by: Level, uniqueOnly: boolean): readonly Pair[] => {
    const pairs = pairAnywhere(
      gaps.flatMap((gap) => gap.base),
      gaps.flatMap((gap) => gap.next),
      by,
      uniqueOnly,
    );
    gaps = gaps.map((gap) => without(gap, pairs));
    return pairs;
  };
  // Made in another order.
  anywhere(equal, false);
  const labelled = anywhere(level(keys.label), true);
  const placed = alignByLevels(gaps, [level(keys.class)]);
  const change = (from: ResourceSize | null, to: ResourceSize | null): ResourceChange => ({
    base: from,
    new: to,
    deltaBytes: (to?.sizeBytes ?? 0) - (from?.sizeBytes ?? 0),
  });
  return [
    ...[...labelled, ...placed.pairs].map(([one, other]) => change(ours[one], theirs[other])),
    ...placed.gaps.flatMap((gap) => [
      ...gap.base.map((item) => change(ours[item], null)),
      ...gap.next.map((item) => change(null, theirs[item])),
    ]),
  ]
    .filter(({ deltaBytes }) => deltaBytes !== 0)
    .sort((one, other) => Math.abs(other.deltaBytes) - Math.abs(one.deltaBytes));
}
