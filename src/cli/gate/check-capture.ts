/** One capture of a gate: measured, compared, and held against its budgets. */
import { relative } from 'node:path';
import { compareReports } from '../../analysis/compare/compare-reports.ts';
import { checkBudgets } from '../../analysis/gate/check-budgets.ts';
import { checkFindings } from '../../analysis/gate/check-findings.ts';
import { lackingCounters, lackingRuns } from '../../analysis/gate/lacking.ts';
import { GpuprofError } from '../../errors.ts';
import type { Comparison } from '../../model/comparison.ts';
import { type GateCapture, worstLevel } from '../../model/gate.ts';
import type { Report, Warning } from '../../model/report.ts';
import { compareSides } from '../compare/compare-sides.ts';
import { kindOfSide } from '../compare/read-report.ts';
import type { SideRequest } from '../compare/requests.ts';
import type { Progress } from '../progress.ts';
import { version } from '../version.ts';
import { rendererText } from './baselines.ts';
import { type Base, checkBaseline, comparesTimes, findBaseline, isCompared } from './find-baseline.ts';
import { measure } from './measure.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/** For two captures by turns; what is undecided then stays so. */
const defaultSeconds = 60;

interface Measured {
  readonly report: Report;
  readonly comparison: Comparison | null;
  /** Seconds that verdicts on time take, where the time was too short; null otherwise. */
  readonly wantedSeconds: number | null;
  /** In words. */
  readonly baseline: string | null;
  readonly incomparable: string | null;
  /** Why there is no comparison though there should be one. */
  readonly problem: string | null;
  readonly warnings: readonly Warning[];
}

const failureText = ({ message, hint }: GpuprofError): string => (hint ? `${message}; ${hint}` : message);

const rulesOf = ({ threshold, minChangeNs, falseAlarmRate }: CapturePlan) => ({
  metric: 'auto' as const,
  threshold,
  minChangeNs,
  falseAlarmRate,
});

/** Base and new by turns, in one sitting. */
async function sitDown(plan: GatePlan, capture: CapturePlan, baseline: string, progress: Progress): Promise<Measured> {
  const side = (file: string): SideRequest => ({
    file: pathOf(plan, file),
    label: file,
    replay: capture.replay,
    env: capture.env,
  });
  const settings = {
    ...rulesOf(capture),
    budgetSeconds: capture.timeBudget ?? defaultSeconds,
    runs: capture.runs,
    counters: capture.counters,
    countersOnly: !capture.timing,
  };
  const told = { ...progress, update: (text: string) => progress.update(`${capture.name}: ${text}`) };
  const { comparison, reports, wantedBudget } = await compareSides(side(baseline), side(capture.file), settings, told);
  const [, report] = reports;
  return {
    report,
    comparison,
    wantedSeconds: wantedBudget,
    baseline: `${baseline}, replayed by turns`,
    incomparable: null,
    problem: null,
    warnings: [],
  };
}

function compareWith({ path, report: base, incomparable }: Base, report: Report, capture: CapturePlan): Comparison {
  return compareReports(base, report, {
    ...rulesOf(capture),
    producer: `gpuprof ${version}`,
    labels: [path, capture.file],
    env: [{}, capture.env],
    paired: false,
    look: 0,
    countersOnly: !capture.timing || incomparable !== null,
    sitting: 'single',
  });
}

async function measureAgainst(plan: GatePlan, capture: CapturePlan, progress: Progress): Promise<Measured> {
  const { baseline } = capture;
  const isNamed = isCompared(capture) && baseline !== null && baseline !== 'auto';
  if (isNamed && (await kindOfSide(pathOf(plan, baseline))) === 'capture')
    return sitDown(plan, capture, baseline, progress);
  if (isCompared(capture)) checkBaseline(plan, capture);
  const report = await measure(plan, capture, progress);
  const alone: Measured = {
    report,
    comparison: null,
    wantedSeconds: null,
    baseline: null,
    incomparable: null,
    problem: null,
    warnings: [],
  };
  if (!isCompared(capture)) return alone;
  try {
    const base = await findBaseline(plan, capture, report.environment);
    return {
      report,
      comparison: compareWith(base, report, capture),
      wantedSeconds: null,
      baseline: `${base.path}, measured on ${rendererText(base.report.environment)}`,
      incomparable: capture.timing ? base.incomparable : null,
      problem: null,
      warnings: base.warnings,
    };
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    return { ...alone, problem: failureText(error) };
  }
}

function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/** Why a comparison does not say all that a capture without budgets asks of it; null when it does. */
function lacking({ timing, counters }: CapturePlan, { report, comparison, incomparable }: Measured): string | null {
  if (!comparison) return null;
  const { metric, why } = comparison.settings;
  if (timing && metric === null && incomparable === null) return `times were not compared: ${why}`;
  const reason = lackingCounters(comparison, report);
  if (reason !== null) return reason;
  return counters.length > 0 && comparison.counters.length === 0 ? 'no counter could be compared' : null;
}

/** Its checks; a capture without budgets is judged by what the comparison found. */
function judge(capture: CapturePlan, measured: Measured): Pick<GateCapture, 'checks' | 'reason'> {
  const { report, comparison, incomparable, problem } = measured;
  const { budgets, undecided, strict, runs } = capture;
  const tooFew = comparison && comparesTimes(capture) ? lackingRuns(comparison, runs, measured.wantedSeconds) : null;
  if (budgets.length > 0) {
    const unknown = problem ?? 'there is no baseline';
    const { checks, reason } = checkBudgets(report, comparison, budgets, { undecided, strict, incomparable, unknown });
    const unseen = comparison?.framesAlone.new.find((frame) => !report.frames.some((one) => one.frame === frame));
    const unchecked = unseen === undefined ? null : `frame ${unseen} was not measured: the baseline has no such frame`;
    return { checks, reason: problem ?? reason ?? unchecked ?? tooFew };
  }
  const checks = comparison ? checkFindings(comparison, undecided, incomparable) : [];
  return { checks, reason: problem ?? lacking(capture, measured) ?? tooFew };
}

/**
 * Checks one capture. What cannot be opened, replayed, measured or compared here makes it `unmeasured`, with the reason;
 * nothing but a bug is thrown.
 */
export async function checkCapture(plan: GatePlan, capture: CapturePlan, progress: Progress): Promise<GateCapture> {
  const started = performance.now();
  // From the working folder, which in CI is the repository's.
  const named = { name: capture.name, file: relative('', pathOf(plan, capture.file)) };
  const wallMs = () => Math.round(performance.now() - started);
  try {
    const measured = await measureAgainst(plan, capture, progress);
    const { report, comparison, baseline } = measured;
    const { checks, reason } = judge(capture, measured);
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
