/** A GPU's clock and the host's may drift apart by this much, and begin and end by this much, before a sum is doubted. */
const tolerance = 1.02;
const slackNs = 20_000;

/**
 * Why a run's readings cannot be true, or null: none is negative, none is longer than the whole run by the host clock,
 * and together they are no longer than it. Readings without a result (NaN) are not judged here.
 */
export function brokenInvariant(readingsNs: Float64Array, floorNs: number, hostNs: number): string | null {
  const most = hostNs * tolerance + slackNs;
  let sum = 0;
  for (let index = 0; index < readingsNs.length; index++) {
    const reading = readingsNs[index];
    if (Number.isNaN(reading)) continue;
    if (reading < 0) return `bracket ${index + 1} reads less than nothing (${reading} ns)`;
    if (reading > most) return `bracket ${index + 1} reads longer than the whole run (${reading} ns of ${hostNs} ns)`;
    sum += reading;
  }
  if (sum > most) return `the leaves add up to more than the frame (${sum} ns of ${hostNs} ns)`;
  if (readingsNs.length === 0) return null;
  if (!Number.isFinite(floorNs)) return 'the empty brackets gave no result';
  if (floorNs < 0 || floorNs > most) return `an empty bracket reads ${floorNs} ns`;
  return null;
}
