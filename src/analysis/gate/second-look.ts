/**
 * What fails on time is measured once more by fresh processes, and fails when it does so again: then the second measurement
 * stands in place of the first, so that all numbers are of one.
 */
import type { GateCheck } from '../../model/gate.ts';
import type { Warning } from '../../model/report.ts';

/** Above the baseline, or found by the comparison itself. */
const isRelative = ({ limit }: GateCheck): boolean => limit === null || /^[+-]/.test(limit);

/** Checks that fail on a time that was measured. `relative`: also those whose limit is above the baseline. */
export const timeFailures = (checks: readonly GateCheck[], relative: boolean): GateCheck[] =>
  checks.filter(
    (check) =>
      check.level === 'fail' && check.unit === 'ns' && check.value !== null && (relative || !isRelative(check)),
  );

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
  const measured = `was measured again by ${processes} fresh processes, which all times here are of`;
  if (!gone) return { code: 'second-look', message: `what failed on time ${measured}` };
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return {
    code: 'second-look',
    message: `what failed on time ${measured}; not confirmed: ${gone.message}${more}`,
  };
}
