/** A whole comparison: two sides measured by turns, or read, and what was found measured once more. */
import { agree, hasFound } from '../../analysis/compare/agree.ts';
import { matchFrames } from '../../analysis/compare/match-frames.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Warning } from '../../model/report.ts';
import { version } from '../../version.ts';
import type { Progress } from '../progress.ts';
import { joinFrames } from './join-frames.ts';
import { OpenSides } from './open-sides.ts';
import type { ComparedSides, CompareSettings, SideRequest } from './requests.ts';
import { SideLost } from './side-process.ts';
import { type FrameOptions, type FramePlan, type SittingResult, type SittingSide, sit } from './sitting.ts';

/** Part of the time for the first sitting; the rest confirms what it finds, and is the first's too where that finds nothing. */
const firstSitting = 0.6;
/** The first verdicts take as many runs as they may; some more are for what comes after. */
const reserve = 1.5;
const secondsStep = 10;

type Sides = readonly [SittingSide, SittingSide];

/** What there is to compare: of a capture, whether or not it will be measured. */
const framesOf = (side: SittingSide) => ({
  frames: side.process ? side.opened.frames.map((frame) => ({ frame })) : side.report.frames,
});

/** What all frames have in common; each has its part of the rate of false alarms (Bonferroni), as each stops by itself. */
function framePlans(sides: Sides, options: FrameOptions): FramePlan[] {
  const count = Math.min(...sides.map((side) => framesOf(side).frames.length));
  const falseAlarmRate = options.falseAlarmRate / count;
  return Array.from({ length: count }, (_, index) => ({
    index,
    options: { ...options, falseAlarmRate },
    place: count === 1 ? '' : `frame ${index + 1} of ${count}: `,
  }));
}

/** Draws that fail cost nothing, which must not look like a gain. */
const errorWarnings = ({ reports }: SittingResult): Warning[] =>
  reports.flatMap(({ glErrors }, side): Warning[] => {
    if (glErrors.length === 0) return [];
    const [{ call, error }] = glErrors;
    const more = glErrors.length > 1 ? `, one of ${glErrors.length} calls that do` : '';
    return [{ code: 'gl-errors', message: `in ${side === 0 ? 'base' : 'new'}, ${call} raised ${error}${more}` }];
  });

const lossWarnings = (lost: SideLost | null): Warning[] =>
  lost
    ? [
        {
          code: 'replay-lost',
          message: `${lost.message}; what was measured before it is here, and may not have been measured again by fresh processes`,
        },
      ]
    : [];

/** `--budget` with which a sitting that has `part` of it comes to verdicts, in seconds; null when it did. */
function wantedBudget({ wantedMs }: SittingResult, openingMs: number, part: number): number | null {
  if (wantedMs === null) return null;
  const seconds = (openingMs + wantedMs * reserve) / part / 1000;
  return Math.ceil(seconds / secondsStep) * secondsStep;
}

/** Frames in which something is slower or faster, judged once more by fresh processes, as far as those come. */
async function confirm(
  first: readonly Comparison[],
  plans: readonly FramePlan[],
  again: (frames: readonly FramePlan[]) => Promise<readonly Comparison[]>,
): Promise<Comparison[]> {
  const doubtful = plans.filter((_, at) => hasFound(first[at]));
  if (doubtful.length === 0) return [...first];
  const second = await again(
    doubtful.map((plan) => ({ ...plan, options: { ...plan.options, sitting: first[plan.index] } })),
  );
  return first.map((comparison, index) => {
    const again: Comparison | undefined = second[doubtful.findIndex((plan) => plan.index === index)];
    return again ? agree(comparison, again) : comparison;
  });
}

/**
 * Compares two sides. Two captures are replayed by turns, each by a process of its own, until everything is decided or
 * the time is over; what is slower or faster is measured again by fresh processes, and stands only when both agree. A
 * report is read instead. What was compared before a side is lost is the result. Throws GpuprofError for a side that cannot be
 * read, replayed or measured; no process is left.
 */
export async function compareSides(
  base: SideRequest,
  next: SideRequest,
  settings: CompareSettings,
  progress: Progress,
): Promise<ComparedSides> {
  const started = performance.now();
  const endsAt = started + settings.budgetSeconds * 1000;
  const { metric, threshold, minChangeNs, falseAlarmRate, countersOnly } = settings;

  const sitting = async <T>(
    counters: CompareSettings['counters'],
    work: (open: OpenSides) => Promise<T>,
  ): Promise<T> => {
    const { readCounters } = settings;
    const open = await OpenSides.open([base, next], { metric, countersOnly, counters, readCounters }, progress);
    try {
      return await work(open);
    } finally {
      await open.close();
    }
  };
  const measure = (sides: Sides, frames: readonly FramePlan[], firstPart: number, pictures = false) =>
    sit({ sides, frames, pairs: settings.runs, deadline: endsAt, firstPart, progress, pictures });

  const { result, plans, alone, warnings, openingMs } = await sitting(settings.counters, async (open) => {
    const openingMs = performance.now() - started;
    const sides = open.sides as Sides;
    const paired = sides.every(({ process }) => process !== null);
    const plans = framePlans(sides, {
      producer: `gpuprof ${version}`,
      labels: [base.label, next.label],
      env: [base.env, next.env],
      metric,
      threshold,
      minChangeNs,
      falseAlarmRate,
      paired,
      countersOnly,
      sitting: paired ? 'first' : 'single',
    });
    const pauseAt = started + (endsAt - started) * firstSitting;
    const opened = performance.now();
    const firstPart = paired ? Math.max(0, (pauseAt - opened) / (endsAt - opened)) : 1;
    const result = await measure(sides, plans, firstPart, settings.pictures);
    const left = matchFrames<{ readonly frame: number }>(framesOf(sides[0]), framesOf(sides[1]));
    return { result, plans, alone: left.alone, warnings: [...open.warnings, ...left.warnings], openingMs };
  });
  const isPaired = plans.some(({ options }) => options.paired);
  const budgets = [wantedBudget(result, openingMs, isPaired ? firstSitting : 1)];
  let { lost } = result;
  const again = async (frames: readonly FramePlan[]) => {
    try {
      return await sitting(undefined, async ({ sides }) => {
        const second = await measure(sides as Sides, frames, 1);
        budgets.push(wantedBudget(second, openingMs, 1 - firstSitting));
        lost = second.lost;
        return second.comparisons;
      });
    } catch (error) {
      if (!(error instanceof SideLost)) throw error;
      lost = error;
      return [];
    }
  };
  const compared = isPaired && !lost ? await confirm(result.comparisons, plans, again) : result.comparisons;
  return {
    comparison: joinFrames(
      compared,
      alone,
      [...warnings, ...errorWarnings(result), ...lossWarnings(lost)],
      falseAlarmRate,
    ),
    reports: result.reports,
    canvases: result.canvases,
    wantedBudget: Math.max(...budgets.map((seconds) => seconds ?? 0)) || null,
    lost,
  };
}
