/** What a gate holds a capture's budgets against: its measurement, and how that compares with the baseline. */
import { compareReports } from '../../analysis/compare/compare-reports.ts';
import { GpuprofError } from '../../errors.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { CounterSetReport, Report, Warning } from '../../model/report.ts';
import { version } from '../../version.ts';
import { compareSides } from '../compare/compare-sides.ts';
import { kindOfSide } from '../compare/read-report.ts';
import type { SideRequest } from '../compare/requests.ts';
import type { Progress } from '../progress.ts';
import { rendererText } from './baselines.ts';
import { type Base, checkBaseline, findBaseline, isCompared } from './find-baseline.ts';
import { freshProcesses, measure } from './measure.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/** For two captures by turns; what is undecided then stays so. */
const defaultSeconds = 60;

export interface Measured {
  readonly report: Report;
  readonly comparison: Comparison | null;
  /** The report that it is compared with; null for none, and for a capture that was replayed by turns with this one. */
  readonly base: Base | null;
  /** What the baseline counts; empty without one. */
  readonly baseCounters: readonly CounterSetReport[];
  /** Seconds that verdicts on time take, where the time was too short; null otherwise. */
  readonly wantedSeconds: number | null;
  /** In words. */
  readonly baseline: string | null;
  readonly incomparable: string | null;
  /** Why there is no comparison though there should be one. */
  readonly problem: string | null;
  readonly warnings: readonly Warning[];
}

export const failureText = ({ message, hint }: GpuprofError): string => (hint ? `${message}; ${hint}` : message);

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
  const { comparison, reports, wantedBudget, lost } = await compareSides(
    side(baseline),
    side(capture.file),
    settings,
    told,
  );
  if (lost) throw lost;
  const [base, report] = reports;
  return {
    report,
    comparison,
    base: null,
    baseCounters: base.counters ?? [],
    wantedSeconds: wantedBudget,
    baseline: `${baseline}, replayed by turns`,
    incomparable: null,
    problem: null,
    warnings: [],
  };
}

function compareWith({ path, report: base, incomparable }: Base, report: Report, capture: CapturePlan): Comparison {
  const comparison = compareReports(base, report, {
    ...rulesOf(capture),
    producer: `gpuprof ${version}`,
    labels: [path, capture.file],
    env: [{}, capture.env],
    paired: false,
    look: 0,
    countersOnly: !capture.timing || incomparable !== null,
    sitting: 'single',
  });
  // Checks tell of what was asked for and is not there (analysis/gate/lacking.ts); nobody asked for the rest.
  const warnings = comparison.warnings.filter(({ code }) => code !== 'counters-left' && code !== 'counters-lost');
  return { ...comparison, warnings };
}

/** Measures a capture, and compares it where something asks for that. Throws GpuprofError for one that cannot be measured. */
export async function measureAgainst(plan: GatePlan, capture: CapturePlan, progress: Progress): Promise<Measured> {
  const { baseline } = capture;
  const isNamed = isCompared(capture) && baseline !== null && baseline !== 'auto';
  if (isNamed && (await kindOfSide(pathOf(plan, baseline))) === 'capture')
    return sitDown(plan, capture, baseline, progress);
  if (isCompared(capture)) checkBaseline(plan, capture);
  const report = await measure(plan, capture, progress);
  const alone: Measured = {
    report,
    comparison: null,
    base: null,
    baseCounters: [],
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
      base,
      baseCounters: base.report.counters ?? [],
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

/**
 * The same with the capture measured anew, by fresh processes. What was compared by turns stays, for it has had its second
 * sitting.
 */
export async function measureAgain(
  plan: GatePlan,
  capture: CapturePlan,
  measured: Measured,
  progress: Progress,
): Promise<Measured> {
  const { base, comparison } = measured;
  const report = await measure(plan, capture, progress, freshProcesses);
  return { ...measured, report, comparison: base ? compareWith(base, report, capture) : comparison };
}
