/**
 * What fails on time is measured once more by fresh processes, and fails when it does so again. Then the second measurement
 * stands in place of the first, so that all numbers are of one. So is what the runs do not decide and what looks slower: on
 * a busy machine a slow-down would else stay undecided.
 */
import type { GateCheck } from '../../model/gate.ts';
import type { Warning } from '../../model/report.ts';

/** Above the baseline, or found by the comparison itself. */
const isRelative = ({ limit }: GateCheck): boolean => limit === null || limit.startsWith('+');

/** Checks that fail on a time that was measured. `relative`: also those whose limit is above the baseline. */
export const timeFailures = (checks: readonly GateCheck[], relative: boolean): GateCheck[] =>
  checks.filter(
    (check) =>
      check.level === 'fail' && check.unit === 'ns' && check.value !== null && (relative || !isRelative(check)),
  );

/** The larger of both. */
export interface MatteringChange {
  /** Part of base, 0 to 1. */
  readonly threshold: number;
  readonly minChangeNs: number;
}

/** Checks that do not hold for certain, of times that lie above the baseline by what matters. */
export const maybeSlower = (checks: readonly GateCheck[], { threshold, minChangeNs }: MatteringChange): GateCheck[] =>
  checks.filter(({ level, unit, value, base }) => {
    if (level === 'pass' || unit !== 'ns' || typeof value !== 'number' || typeof base !== 'number') return false;
    return value - base > Math.max(threshold * base, minChangeNs);
  });

const placeOf = ({ frame, path, eventId, metric, limit }: GateCheck): string =>
  JSON.stringify([frame, path, eventId, metric, limit]);

/** What became of the first measurement's failures in that of so many processes. */
export function secondLookWarning(
  first: readonly GateCheck[],
  again: readonly GateCheck[],
  processes: number,
): Warning {
  const standing = new Set(again.map(placeOf));
  const [gone, ...others] = first.filter((check) => !standing.has(placeOf(check)));
  const what = first.length === 0 ? 'what may be slower' : 'what failed on time';
  const measured = `${what} was measured again by ${processes} fresh processes, which all times here are of`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return { code: 'second-look', message: gone ? `${measured}; not confirmed: ${gone.message}${more}` : measured };
}
