import type { MatchKind } from '../../model/comparison.ts';
import type { NodeReport, ProgramKeys } from '../../model/report.ts';
import { Interner } from './interner.ts';
import { countLevels, type SideFacts } from './match-counts.ts';
import { identities } from './match-identities.ts';
import { matchKeys } from './match-keys.ts';
import { rowsOf } from './match-rows.ts';
import { sideOf } from './match-side.ts';
import { TreeMatch } from './match-tree.ts';

/** One row of a comparison: an event of both sides, or of one. */
export interface MatchedRow {
  readonly match: MatchKind;
  /** Index in the side's nodes; -1 where the event is not there. */
  readonly base: number;
  readonly next: number;
  /** Index of the parent's row, -1 for the frame. */
  readonly parent: number;
  readonly depth: number;
}

/** What tells programs of two captures apart; see {@link ProgramKeys}. */
export interface SidePrograms {
  readonly base: ProgramKeys;
  readonly next: ProgramKeys;
}

/** Everything on one side only. */
const oneSided = (nodes: readonly NodeReport[], match: 'new' | 'gone'): MatchedRow[] => {
  const { parents } = sideOf(nodes, new Interner());
  const depths: number[] = [];
  return nodes.map((_, index) => {
    depths.push(index === 0 ? 0 : depths[parents[index]] + 1);
    const place = { parent: parents[index], depth: depths[index] };
    return match === 'new' ? { match, base: -1, next: index, ...place } : { match, base: index, next: -1, ...place };
  });
};

/**
 * Finds the same events in two measurements of a frame. The rows are depth first and in `next`'s order, the frame first;
 * what is gone stands where it stood.
 *
 * The frames are the same. Children of what is the same are aligned in order: first those that are equal (kind, name,
 * program and target; for groups also all that is inside), then within the gaps groups of the same name, groups of the
 * same content and actions that have their program or their parameters in common. What is left on both sides and equal
 * wherever it stands has moved; the rest is new or gone. Which of several that are equal is which is told by what they
 * count and by their state, unless their order leaves less to tell of: see match-cheaper.ts. Ids of programs and targets are a capture's own, so they are
 * never compared as they are: see match-identities.ts.
 */
export function matchEvents(
  base: readonly NodeReport[],
  next: readonly NodeReport[],
  programs?: SidePrograms,
  facts: SideFacts = { counters: [], base: undefined, next: undefined },
): MatchedRow[] {
  if (base.length === 0) return oneSided(next, 'new');
  if (next.length === 0) return oneSided(base, 'gone');
  const intern = new Interner();
  const [ours, theirs] = [sideOf(base, intern), sideOf(next, intern)];
  const keys = matchKeys(ours, theirs, identities(ours, theirs, intern, programs), intern);
  return rowsOf(new TreeMatch(ours, theirs, keys, countLevels([ours, theirs], keys, facts, intern)));
}
