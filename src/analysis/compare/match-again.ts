import type { ComparedEvent, ComparedFrame } from '../../model/comparison.ts';
import type { NodeReport } from '../../model/report.ts';
import type { MatchedRow } from './match-events.ts';

/** Of a capture's event its node: both have the same numbers each time that they are replayed. */
function placesOf(nodes: readonly NodeReport[]): (event: ComparedEvent | null) => number {
  const places = new Map(nodes.map(({ eventId }, index) => [eventId, index]));
  return (event) => (event ? (places.get(event.eventId) ?? -1) : -1);
}

/**
 * The rows of a comparison for other measurements of the same two captures. They may lack the counters by which the first
 * told apart events that look the same.
 */
export function rowsAsIn(
  { nodes }: ComparedFrame,
  base: readonly NodeReport[],
  next: readonly NodeReport[],
): MatchedRow[] {
  const [baseAt, nextAt] = [placesOf(base), placesOf(next)];
  return nodes.map(({ match, parent, depth, base: from, new: to }) => ({
    match,
    base: baseAt(from),
    next: nextAt(to),
    parent,
    depth,
  }));
}
