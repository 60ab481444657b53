/** What a comparison found by itself, as checks: for captures that no budget is about. */
import type { Comparison } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { type Finding, findings } from '../../model/findings.ts';
import type { GateCheck, GateLevel } from '../../model/gate.ts';
import { settled, type UndecidedLevel } from './outcome.ts';

/** Worse fails. What differs without being more or less is told of; what is better, gone or moved passes. */
function levelOf({ kind, isWorse }: Finding): GateLevel {
  if (isWorse) return 'fail';
  if (kind === 'undecided') return 'undecided';
  return kind === 'differs' ? 'warn' : 'pass';
}

function checkOf(finding: Finding, undecided: UndecidedLevel): GateCheck {
  const { frame, node, path, time, counters, kind } = finding;
  const event = node?.new ?? node?.base;
  const [first] = counters;
  const place = {
    frame: frame.newFrame,
    path,
    eventId: node?.new?.eventId ?? null,
    limit: null,
    level: settled(levelOf(finding), undecided),
    message: finding.message,
  };
  if (time) return { ...place, metric: 'duration', unit: 'ns', base: time.baseNs, value: time.newNs };
  if (first) {
    const { counter, change } = first;
    return { ...place, metric: counter.id, unit: counter.unit, base: change.base, value: change.new };
  }
  const draws = event?.draws ?? null;
  const isGone = kind === 'gone';
  return { ...place, metric: 'draws', unit: '', base: node?.base ? draws : null, value: isGone ? null : draws };
}

/** A check for each finding that no deeper event explains, and one on each frame without any, so that it is seen to hold. */
export function checkFindings(comparison: Comparison, undecided: UndecidedLevel): GateCheck[] {
  const told = findings(comparison).filter(({ isExplained }) => !isExplained);
  const quiet = comparison.frames.filter((frame) => !told.some((finding) => finding.frame === frame));
  const metric = comparison.settings.metric ?? comparison.counters[0]?.id ?? 'draws';
  return [
    ...told.map((finding) => checkOf(finding, undecided)),
    ...quiet.map(({ newFrame, plain, nodes }): GateCheck => {
      const isTimed = comparison.settings.metric !== null;
      const change = isTimed ? null : nodes[0]?.counters[metric];
      return {
        frame: newFrame,
        path: '',
        eventId: null,
        metric,
        unit: isTimed ? 'ns' : (comparison.counters[0]?.unit ?? ''),
        limit: null,
        base: isTimed ? plain.baseNs : (change?.base ?? null),
        value: isTimed ? plain.newNs : (change?.new ?? null),
        level: 'pass',
        message: `${comparison.frames.length > 1 ? `frame ${newFrame}` : 'the frame'}: ${findingsSummary([])}`,
      };
    }),
  ];
}
