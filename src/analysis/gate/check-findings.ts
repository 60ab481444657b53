/** What a comparison found by itself, as checks: for captures that no budget is about. */
import type { Comparison } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { type Finding, findings } from '../../model/findings.ts';
import type { GateCheck, GateLevel } from '../../model/gate.ts';
import { settled, type UndecidedLevel } from './outcome.ts';

/** Worse fails. What differs without being more or less, also in program or state, is told of; what is better, gone or moved passes. */
function levelOf({ kind, isWorse, node, time, resource }: Finding): GateLevel {
  if (isWorse) return 'fail';
  if (kind === 'undecided') return 'undecided';
  if (resource) return 'pass';
  // A frame that is lost from sight.
  if (node === null && time === null) return 'warn';
  return kind === 'differs' || kind === 'changed' ? 'warn' : 'pass';
}

function checkOf(finding: Finding, undecided: UndecidedLevel): GateCheck {
  const { frame, node, path, time, counters, kind, changed, resource } = finding;
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
  if (resource) {
    const [base, value] = [resource.base?.sizeBytes ?? null, resource.new?.sizeBytes ?? null];
    return { ...place, metric: 'size', unit: 'bytes', base, value };
  }
  if (changed) {
    const metric = changed.changes.find(({ what }) => what === 'name' || what === 'program')?.what ?? 'state';
    return { ...place, metric, unit: '', base: null, value: null };
  }
  const draws = event?.draws ?? null;
  const isGone = kind === 'gone';
  return { ...place, metric: 'draws', unit: '', base: node?.base ? draws : null, value: isGone ? null : draws };
}

/** One check on a whole frame. */
function frameCheck(comparison: Comparison, index: number, level: GateLevel, text: string): GateCheck {
  const { newFrame, plain, nodes } = comparison.frames[index];
  const [counter] = comparison.counters;
  const isTimed = comparison.settings.metric !== null || !counter;
  const change = isTimed ? null : nodes[0]?.counters[counter.id];
  return {
    frame: newFrame,
    path: '',
    eventId: null,
    metric: isTimed ? 'duration' : counter.id,
    unit: isTimed ? 'ns' : counter.unit,
    limit: null,
    base: isTimed ? plain.baseNs : (change?.base ?? null),
    value: isTimed ? plain.newNs : (change?.new ?? null),
    level,
    message: `${comparison.frames.length > 1 ? `frame ${newFrame}` : 'the frame'}: ${text}`,
  };
}

/**
 * A check for each finding that no deeper event explains; and on a frame without any, one that passes, so that it is seen
 * to hold. `incomparable`: why times were not compared though they
 * should be, which leaves each frame undecided.
 */
export function checkFindings(
  comparison: Comparison,
  undecided: UndecidedLevel,
  incomparable: string | null,
): GateCheck[] {
  const told = findings(comparison).filter(({ isExplained }) => !isExplained);
  return [
    ...told.map((finding) => checkOf(finding, undecided)),
    ...comparison.frames.flatMap((frame, index): GateCheck[] => {
      if (incomparable !== null)
        return [
          frameCheck(comparison, index, settled('undecided', undecided), `times are not compared: ${incomparable}`),
        ];
      const isQuiet = !told.some((finding) => finding.frame === frame);
      return isQuiet ? [frameCheck(comparison, index, 'pass', findingsSummary([]))] : [];
    }),
  ];
}
