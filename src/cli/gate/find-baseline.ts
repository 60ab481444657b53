/** What a capture's measurement is compared with, and how far the two can be compared. */
import { isTime, needsBase } from '../../analysis/gate/limit.ts';
import { GpuprofError } from '../../errors.ts';
import type { Environment, Report, Warning } from '../../model/report.ts';
import { readReport } from '../compare/read-report.ts';
import { baselinesOf, hasBaselines, isSameRenderer, rendererText } from './baselines.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/** Whether something is compared at all: relative limits are, and so is a capture without budgets. */
export const isCompared = ({ baseline, budgets }: CapturePlan): boolean =>
  baseline !== null && (budgets.length === 0 || budgets.some(({ warn, fail }) => needsBase(warn) || needsBase(fail)));

/** Why `--update` writes no baseline of a capture: the end of a sentence; null when it does. */
export function leftOut(capture: CapturePlan): string | null {
  const { baseline } = capture;
  if (!isCompared(capture)) return 'it needs no baseline';
  return baseline === 'auto' ? null : `its baseline is ${baseline}`;
}

/** Whether times are compared. */
export const comparesTimes = ({ timing, budgets }: CapturePlan): boolean =>
  timing &&
  (budgets.length === 0 || budgets.some((one) => isTime(one) && (needsBase(one.warn) || needsBase(one.fail))));

export interface Base {
  /** From the configuration's folder. */
  readonly path: string;
  readonly report: Report;
  /** Why times are not compared: the end of a sentence; null when they are. */
  readonly incomparable: string | null;
  readonly warnings: readonly Warning[];
}

const updateHint = 'write one of this renderer with gpuprof gate --update';

/** How the machines differ in what CPU times depend on; null when they do not, or on a GPU. */
function otherMachine(base: Environment, next: Environment): string | null {
  if (!base.software) return null;
  if (base.cpu !== next.cpu) return `the baseline was measured on ${base.cpu}, and this is ${next.cpu}`;
  if (base.softwareThreads === next.softwareThreads) return null;
  return `the baseline was measured with ${base.softwareThreads ?? 'unknown'} worker threads, and this with ${next.softwareThreads ?? 'unknown'}`;
}

const noneYet = (name: string): GpuprofError =>
  new GpuprofError('cannot-measure', `there is no baseline of ${name} yet`, {
    hint: 'write it with gpuprof gate --update',
  });

/** Throws GpuprofError `cannot-measure` when there is no baseline, whatever renderer this is, and nothing but it counts. */
export function checkBaseline(plan: GatePlan, capture: CapturePlan): void {
  const { baseline, budgets, name } = capture;
  const isAll = budgets.every(
    ({ warn, fail }) => (warn === null || needsBase(warn)) && (fail === null || needsBase(fail)),
  );
  if (baseline === 'auto' && isAll && !hasBaselines(plan, capture)) throw noneYet(name);
}

/** The path of the baseline; of another renderer when there is none of this one. */
function pathOfBaseline(plan: GatePlan, capture: CapturePlan, environment: Environment): string {
  if (capture.baseline !== null && capture.baseline !== 'auto') return capture.baseline;
  const { path, isThere, others } = baselinesOf(plan, capture, environment);
  if (isThere) return path;
  if (others.length === 0) throw noneYet(capture.name);
  return others[0];
}

/**
 * Reads a capture's baseline, a report. Throws GpuprofError: `cannot-measure` when there is none, and when it is of another
 * renderer or version and times are to be compared; `bad-input` when it cannot be read.
 */
export async function findBaseline(plan: GatePlan, capture: CapturePlan, environment: Environment): Promise<Base> {
  const path = pathOfBaseline(plan, capture, environment);
  const report = await readReport(pathOf(plan, path));
  if (isSameRenderer(report.environment, environment))
    return { path, report, incomparable: otherMachine(report.environment, environment), warnings: [] };
  const renderers = `${path} is of ${rendererText(report.environment)}, and this is ${rendererText(environment)}`;
  if (comparesTimes(capture))
    throw new GpuprofError(
      'cannot-measure',
      `the baseline ${renderers}: times of two renderers say nothing of each other`,
      {
        hint: `${updateHint}, or compare only counters ("timing": false)`,
      },
    );
  const message = `the baseline ${renderers}: counters of two renderers may differ for the same work`;
  return { path, report, incomparable: renderers, warnings: [{ code: 'other-renderer', message }] };
}
