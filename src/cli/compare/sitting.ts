/** Runs of one side, or of two by turns, until a comparison is decided. */
import { hasFound, hasUndecided } from '../../analysis/compare/agree.ts';
import { type CompareOptions, compareReports, pairsForLook } from '../../analysis/compare/compare-reports.ts';
import type { Pixels } from '../../analysis/image-difference.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Report } from '../../model/report.ts';
import type { Progress } from '../progress.ts';
import type { Opened } from './protocol.ts';
import { SideLost, type SideProcess } from './side-process.ts';

/** A side in a sitting: replayed now, or measured before. */
export type SittingSide =
  | { readonly process: SideProcess; readonly opened: Opened }
  | { readonly process: null; readonly report: Report };

/** How a frame is compared; the sitting says which look it is. */
export type FrameOptions = Omit<CompareOptions, 'look'>;

/** One frame of both sides. */
export interface FramePlan {
  /** Place in the lists of frames of both sides, from 0. */
  readonly index: number;
  readonly options: FrameOptions;
  /** For people: which of several frames; empty for the only one. */
  readonly place: string;
}

export interface SittingPlan {
  readonly sides: readonly [SittingSide, SittingSide];
  /** Rising, at least one. */
  readonly frames: readonly FramePlan[];
  /** Exactly this many pairs of runs. */
  readonly pairs: number | undefined;
  /** By `performance.now()`; after it no further pair begins, once a frame has two. */
  readonly deadline: number;
  /** Part of a frame's time after which what was found by then is left to a second sitting; 1 where there is none. */
  readonly firstPart: number;
  readonly progress: Progress;
  /** Whether to read the canvases. */
  readonly pictures?: boolean | undefined;
}

export interface SittingResult {
  /** A comparison for each frame of the plan. */
  readonly comparisons: readonly Comparison[];
  /** Of both sides with the counters: all frames of a report, the plan's of a capture. */
  readonly reports: readonly [Report, Report];
  /** Null when nobody asked, or a side was read. */
  readonly canvases: readonly [Pixels, Pixels] | null;
  /** How long the runs should have gone on for verdicts on time in every frame; null when they did. */
  readonly wantedMs: number | null;
  /** A side whose process has gone: all is of the runs before it, which may leave out the last frames of the plan. */
  readonly lost: SideLost | null;
}

/** Two pairs (A B B A) are one observation. */
const fewestPairs = 2;
const mostPairs = 20_000;

/** The same report with one of its frames, by place. */
const frameOf = (report: Report, index: number): Report => ({ ...report, frames: [report.frames[index]] });

/** The measuring of one frame. */
class FrameSitting {
  readonly #plan: SittingPlan;
  readonly #frame: FramePlan;
  #pairs = 0;
  /** Looks so far, with the one that the runs go on for; 0 where they are so many by number. */
  #look = 0;
  /** What the first look takes; null when it was had. */
  wantedMs: number | null = null;

  constructor(plan: SittingPlan, frame: FramePlan) {
    this.#plan = plan;
    this.#frame = frame;
  }

  /** The options of the last look. */
  get options(): CompareOptions {
    return { ...this.#frame.options, look: this.#look };
  }

  /**
   * Measures until all is decided, or the time is over: at `pause`, if something is found by then, for that is to be
   * confirmed; else at the end.
   */
  async measure(pause: number, end: number): Promise<void> {
    const { index, options, place } = this.#frame;
    const began = performance.now();
    for (const side of this.#plan.sides)
      if (side.process) await side.process.ask('load', side.opened.frames[index], `${place}making the frame ready`);
    const ready = performance.now();
    const { pairs } = this.#plan;
    if (options.countersOnly || this.#isRead) return;
    await this.#runTo(pairs ?? fewestPairs, Number.POSITIVE_INFINITY);
    if (pairs !== undefined) return;
    let deadline = pause;
    let first = 0;
    for (;;) {
      this.#look++;
      const wanted = Math.min(mostPairs, pairsForLook(...(await this.#reports()), this.options));
      first ||= wanted;
      await this.#runTo(wanted, deadline);
      const perPairMs = (performance.now() - ready) / this.#pairs;
      this.wantedMs = this.#pairs < first ? ready - began + perPairMs * first : null;
      const comparison = compareReports(...(await this.#reports()), this.options);
      if (this.#pairs >= mostPairs || comparison.settings.metric === null || !hasUndecided(comparison)) return;
      if (this.#pairs >= wanted) continue;
      if (deadline === end || hasFound(comparison)) return;
      deadline = end;
    }
  }

  /** Two reports have all the runs that they will ever have. */
  get #isRead(): boolean {
    return this.#plan.sides.every(({ process }) => process === null);
  }

  async #runTo(pairs: number, deadline: number): Promise<void> {
    const { sides, progress } = this.#plan;
    const { place } = this.#frame;
    while (this.#pairs < pairs && (this.#pairs % 2 === 1 || performance.now() < deadline)) {
      const doing = `${place}run ${++this.#pairs}`;
      progress.update(doing);
      for (const side of this.#pairs % 2 === 1 ? sides : sides.toReversed())
        await side.process?.ask('run', undefined, doing);
    }
  }

  async #reports(): Promise<[Report, Report]> {
    const { place, index } = this.#frame;
    const of = (side: SittingSide) =>
      side.process ? side.process.ask('report', 'loaded', `${place}reporting`) : frameOf(side.report, index);
    return [await of(this.#plan.sides[0]), await of(this.#plan.sides[1])];
  }
}

async function readCanvases({ sides: [base, next], pictures }: SittingPlan): Promise<SittingResult['canvases']> {
  if (!pictures || !base.process || !next.process) return null;
  const read = (process: SideProcess) => process.ask('canvas', undefined, 'reading the canvas');
  return [await read(base.process), await read(next.process)];
}

/** What a side has when all is measured and counted. */
async function finish(side: SittingSide): Promise<Report> {
  if (!side.process) return side.report;
  await side.process.ask('count', undefined, 'counting');
  return side.process.ask('report', 'all', 'reporting');
}

interface Measured extends Pick<SittingResult, 'reports' | 'canvases'> {
  readonly looks: readonly CompareOptions[];
  readonly wantedMs: number | null;
}

/** Measures what the plan says; `sittings` gets those of the frames as they begin. */
async function measure(plan: SittingPlan, sittings: FrameSitting[]): Promise<Measured> {
  let wantedMs: number | null = null;
  for (const [at, frame] of plan.frames.entries()) {
    const now = performance.now();
    const share = (plan.deadline - now) / (plan.frames.length - at);
    const sitting = new FrameSitting(plan, frame);
    sittings.push(sitting);
    await sitting.measure(now + share * plan.firstPart, now + share);
    // Frames share the time alike: all have what the longest takes.
    if (sitting.wantedMs !== null) wantedMs = Math.max(wantedMs ?? 0, sitting.wantedMs * plan.frames.length);
  }
  const canvases = await readCanvases(plan);
  const reports = [await finish(plan.sides[0]), await finish(plan.sides[1])] as const;
  return { reports, canvases, looks: sittings.map(({ options }) => options), wantedMs };
}

/** What was measured before a side was lost. Throws that when there is nothing of both. */
async function salvage({ sides }: SittingPlan, sittings: readonly FrameSitting[], lost: SideLost): Promise<Measured> {
  const told = `${lost.message}; what was measured before it is here`;
  const [base, next] = await Promise.all(
    sides.map((side) => (side.process ? side.process.salvaged(told) : side.report)),
  );
  if (!base || !next) throw lost;
  const frames = Math.min(...[base, next].map(({ frames }, side) => (sides[side].process ? frames.length : Infinity)));
  const looks = sittings.slice(0, frames).map(({ options }) => options);
  return { reports: [base, next], canvases: null, looks, wantedMs: null };
}

/**
 * Measures frame after frame of two sides, the runs of both by turns (A B B A ...), looks at them now and then
 * (analysis/compare/looks.ts), and goes on to the next frame when nothing is undecided, or its share of the time is over.
 * Throws what a side throws; {@link SideLost} only when there was no whole run of both before it.
 */
export async function sit(plan: SittingPlan): Promise<SittingResult> {
  const sittings: FrameSitting[] = [];
  let lost: SideLost | null = null;
  const measured = await measure(plan, sittings).catch((error) => {
    if (!(error instanceof SideLost)) throw error;
    lost = error;
    return salvage(plan, sittings, error);
  });
  const { looks, reports, ...rest } = measured;
  const comparisons = looks.map((options, at) => {
    const [base, next] = plan.sides.map((side, which) =>
      frameOf(reports[which], side.process ? at : plan.frames[at].index),
    );
    return compareReports(base, next, options);
  });
  return { comparisons, reports, ...rest, lost };
}
