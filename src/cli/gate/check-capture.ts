/** One capture of a gate: measured, compared, and held against its budgets. */
import { checkBudgets } from '../../analysis/gate/check-budgets.ts';
import { checkFindings } from '../../analysis/gate/check-findings.ts';
import { lackingCounters, lackingRuns, lostCounters } from '../../analysis/gate/lacking.ts';
import { maybeSlower, secondLookWarning, timeFailures } from '../../analysis/gate/second-look.ts';
import { GpuprofError } from '../../errors.ts';
import { type GateCapture, worstLevel } from '../../model/gate.ts';
import type { Warning } from '../../model/report.ts';
import { selectCounters } from '../../query/select-counters.ts';
import type { Progress } from '../progress.ts';
import { comparesTimes } from './find-baseline.ts';
import { freshProcesses } from './measure.ts';
import { failureText, type Measured, measureAgain, measureAgainst } from './measure-against.ts';
import type { CapturePlan, GatePlan } from './read-config.ts';
import { fileInRepository } from './repository.ts';

function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/** Counters that were asked for and that the baseline has. */
const askedOf = ({ counters }: CapturePlan, { baseCounters }: Measured) =>
  selectCounters(baseCounters, counters).selected.flatMap((selection) => selection.counters);

/** Why a comparison does not say all that a capture without budgets asks of it; null when it does. */
function lacking({ timing, counters }: CapturePlan, { report, comparison, incomparable }: Measured): string | null {
  if (!comparison) return null;
  const { metric, why } = comparison.settings;
  if (timing && metric === null && incomparable === null) return `times were not compared: ${why}`;
  const reason = lackingCounters(comparison, report);
  if (reason !== null) return reason;
  return counters.length > 0 && comparison.counters.length === 0 ? 'no counter could be compared' : null;
}

type Judgement = Pick<GateCapture, 'checks' | 'reason'>;

/** Its checks; a capture without budgets is judged by what the comparison found. */
function judge(capture: CapturePlan, measured: Measured): Judgement {
  const { report, comparison, incomparable, problem } = measured;
  const { budgets, undecided, strict, runs } = capture;
  const tooFew = comparison && comparesTimes(capture) ? lackingRuns(comparison, runs, measured.wantedSeconds) : null;
  const lost = lostCounters(askedOf(capture, measured), report);
  if (budgets.length > 0) {
    const unknown = problem ?? 'there is no baseline';
    const { checks, reason } = checkBudgets(report, comparison, budgets, { undecided, strict, incomparable, unknown });
    const unseen = comparison?.framesAlone.new.find((frame) => !report.frames.some((one) => one.frame === frame));
    const unchecked = unseen === undefined ? null : `frame ${unseen} was not measured: the baseline has no such frame`;
    return { checks, reason: problem ?? reason ?? unchecked ?? lost ?? tooFew };
  }
  const checks = comparison ? checkFindings(comparison, undecided, incomparable) : [];
  const reason = problem ?? lacking(capture, measured) ?? lost ?? tooFew;
  return { checks, reason: reason ?? (checks.length === 0 ? 'nothing was checked: it has no frame' : null) };
}

/** What a capture comes to; what fails on time, or may be slower, has had a second look. */
async function look(
  plan: GatePlan,
  capture: CapturePlan,
  progress: Progress,
): Promise<{ readonly measured: Measured; readonly judged: Judgement }> {
  const measured = await measureAgainst(plan, capture, progress);
  const judged = judge(capture, measured);
  // A comparison by turns has had its second sitting, and two machines differ however often they are measured.
  const relative = measured.base !== null && measured.incomparable === null;
  const failures = timeFailures(judged.checks, relative);
  const isDoubtful = failures.length > 0 || (relative && maybeSlower(judged.checks, capture).length > 0);
  if (!isDoubtful) return { measured, judged };
  const again = await measureAgain(plan, capture, measured, progress);
  const stands = judge(capture, again);
  const told = secondLookWarning(failures, timeFailures(stands.checks, relative), freshProcesses);
  return { measured: { ...again, warnings: [...again.warnings, told] }, judged: stands };
}

/**
 * Checks one capture. What cannot be opened, replayed, measured or compared here makes it `unmeasured`, with the reason;
 * nothing but a bug is thrown.
 */
export async function checkCapture(plan: GatePlan, capture: CapturePlan, progress: Progress): Promise<GateCapture> {
  const started = performance.now();
  const named = { name: capture.name, file: fileInRepository(plan, capture.file) };
  const wallMs = () => Math.round(performance.now() - started);
  try {
    const { measured, judged } = await look(plan, capture, progress);
    const { report, comparison, baseline } = measured;
    const { checks, reason } = judged;
    return {
      ...named,
      environment: report.environment,
      baseline,
      level: worstLevel([...(reason === null ? [] : ['unmeasured' as const]), ...checks.map(({ level }) => level)]),
      reason,
      checks,
      comparison,
      warnings: distinct([...measured.warnings, ...report.warnings, ...(comparison?.warnings ?? [])]),
      wallMs: wallMs(),
    };
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    return {
      ...named,
      environment: null,
      baseline: null,
      level: 'unmeasured',
      reason: failureText(error),
      checks: [],
      comparison: null,
      warnings: [],
      wallMs: wallMs(),
    };
  }
}
