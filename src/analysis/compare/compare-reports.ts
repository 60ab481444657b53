import type {
  ComparedEvent,
  ComparedFrame,
  ComparedNode,
  Comparison,
  ComparisonSide,
  TimeChange,
} from '../../model/comparison.ts';
import type { NodeReport, Report } from '../../model/report.ts';
import { chooseMetric, type MetricChoice } from './choose-metric.ts';
import { comparableCounters } from './comparable-counters.ts';
import { comparisonWarnings } from './comparison-warnings.ts';
import { CounterChanges } from './counter-changes.ts';
import { EventChanges } from './event-changes.ts';
import { alphaAt, nextLook, sittingRate } from './looks.ts';
import { rowsAsIn } from './match-again.ts';
import { type MatchedRow, matchEvents, type SidePrograms } from './match-events.ts';
import { matchFrames } from './match-frames.ts';
import { resourceChanges } from './resource-changes.ts';
import { nodeTimes, plainTime } from './side-times.ts';
import { isJudged, notCompared, type SideTime, type TimeRule, timeChange } from './time-change.ts';

export interface CompareOptions {
  /** Name and version of this program. */
  readonly producer: string;
  /** What base and new are called. */
  readonly labels: readonly [string, string];
  /** Variables set for base only and for new only. */
  readonly env: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  readonly metric: 'duration' | 'cpu' | 'auto';
  /** Part of base, 0 to 1. */
  readonly threshold: number;
  readonly minChangeNs: number;
  /** Highest probability of any false `slower` or `faster`, over all events and looks, and sittings where there are two. */
  readonly falseAlarmRate: number;
  /** Whether both sides ran by turns in one sitting, A B B A: run i of one beside run i of the other. */
  readonly paired: boolean;
  /** Which look this is at runs that grow, from 1; 0 for a single final one. */
  readonly look: number;
  readonly countersOnly: boolean;
  /**
   * `single`: the verdicts stand as they are. `first`: what is slower or faster is measured again in a second sitting.
   * The first sitting's comparison: this is the second, and only what was slower or faster there is judged.
   */
  readonly sitting: 'single' | 'first' | Comparison;
}

/** A matched frame and the times of its rows; null where no metric is compared. */
interface PreparedFrame {
  readonly base: Report['frames'][number];
  readonly next: Report['frames'][number];
  readonly rows: readonly MatchedRow[];
  readonly times: { readonly base: readonly SideTime[]; readonly next: readonly SideTime[] } | null;
  readonly plain: readonly [SideTime, SideTime] | null;
}

interface Prepared {
  readonly choice: MetricChoice;
  readonly frames: readonly PreparedFrame[];
  readonly changes: EventChanges;
  readonly framesAlone: Comparison['framesAlone'];
  readonly leftOut: Comparison['warnings'];
}

function prepare(base: Report, next: Report, options: CompareOptions): Prepared {
  const choice: MetricChoice = options.countersOnly
    ? { metric: null, why: 'only counters are compared' }
    : chooseMetric(base, next, options.metric, options.paired);
  const { metric } = choice;
  const programs: SidePrograms | undefined =
    base.programs && next.programs ? { base: base.programs, next: next.programs } : undefined;
  const { pairs, alone, warnings } = matchFrames(base, next);
  const facts = { counters: comparableCounters(base, next).counters, base: base.states, next: next.states };
  const rowsOf = (ours: readonly NodeReport[], theirs: readonly NodeReport[], index: number): readonly MatchedRow[] => {
    const first = firstOf(options, index);
    return first ? rowsAsIn(first, ours, theirs) : matchEvents(ours, theirs, programs, facts);
  };
  const frames = pairs.map(
    (pair, index): PreparedFrame => ({
      ...pair,
      rows: rowsOf(pair.base.nodes, pair.next.nodes, index),
      times: metric && { base: nodeTimes(pair.base, metric), next: nodeTimes(pair.next, metric) },
      plain: metric && [plainTime(pair.base, metric), plainTime(pair.next, metric)],
    }),
  );
  return { choice, frames, changes: new EventChanges(base, next), framesAlone: alone, leftOut: warnings };
}

const wasFound = (change: TimeChange | undefined): boolean =>
  change?.verdict === 'slower' || change?.verdict === 'faster';

/** Whether an event takes part: it has times that can matter, and was found in the first sitting if this is the second. */
function takesPart(
  sides: readonly [SideTime, SideTime] | null,
  before: TimeChange | undefined,
  { minChangeNs, sitting }: CompareOptions,
): boolean {
  if (sides === null || !isJudged(sides[0], sides[1], minChangeNs)) return false;
  return typeof sitting === 'string' || wasFound(before);
}

const firstOf = ({ sitting }: CompareOptions, frame: number): ComparedFrame | undefined =>
  typeof sitting === 'string' ? undefined : sitting.frames[frame];

const sidesOf = ({ times }: PreparedFrame, { base, next }: MatchedRow): readonly [SideTime, SideTime] | null =>
  times && base >= 0 && next >= 0 ? [times.base[base], times.next[next]] : null;

const plainSides = ({ plain }: PreparedFrame): readonly [SideTime, SideTime] | null =>
  plain?.every(({ samplesNs }) => samplesNs.length > 0) ? plain : null;

/** How many events share the error rate: all of both sides that can change by what matters, and each frame as a whole. */
function familySize(prepared: Prepared, options: CompareOptions): number {
  let size = 0;
  prepared.frames.forEach((frame, index) => {
    const first = firstOf(options, index);
    if (takesPart(plainSides(frame), first?.plain, options)) size++;
    frame.rows.forEach((row, at) => {
      if (takesPart(sidesOf(frame, row), first?.nodes[at]?.time, options)) size++;
    });
  });
  return size;
}

/** The error rate of this comparison by itself. */
const rateOf = ({ falseAlarmRate, sitting }: CompareOptions): number =>
  sitting === 'single' ? falseAlarmRate : sittingRate(falseAlarmRate);

/**
 * How many pairs of runs to have before the look of the options, from 1 on; for sides that have run a few times, so that
 * it is known how many events share the error rate.
 */
export function pairsForLook(base: Report, next: Report, options: CompareOptions): number {
  return nextLook(options.look, familySize(prepare(base, next, options), options), rateOf(options));
}

const eventOf = (node: NodeReport | undefined): ComparedEvent | null =>
  node
    ? {
        eventId: node.eventId,
        path: node.path,
        name: node.name,
        program: node.program,
        target: node.target,
        draws: node.draws,
      }
    : null;

/** The time of an event that one side lacks stands alone. */
function oneSided({ times }: PreparedFrame, { base, next }: MatchedRow): TimeChange {
  const baseNs = times?.base[base]?.medianNs ?? null;
  const newNs = times?.next[next]?.medianNs ?? null;
  return notCompared(baseNs, newNs, `it is only in ${base < 0 ? 'new' : 'base'}; its time is part of its parents'`);
}

function compareFrame(
  frame: PreparedFrame,
  first: ComparedFrame | undefined,
  { choice, changes }: Prepared,
  counters: CounterChanges,
  options: CompareOptions,
  rule: Omit<TimeRule, 'sitting'>,
): ComparedFrame {
  const { sitting } = options;
  const judge = ([one, other]: readonly [SideTime, SideTime], before: TimeChange | undefined): TimeChange => {
    if (typeof sitting === 'string') return timeChange(one, other, { ...rule, sitting });
    return before && wasFound(before)
      ? timeChange(one, other, { ...rule, sitting: before })
      : notCompared(one.medianNs, other.medianNs, 'decided in the first sitting');
  };
  const timeOf = (row: MatchedRow, at: number): TimeChange => {
    if (choice.metric === null) return notCompared(null, null, choice.why);
    const sides = sidesOf(frame, row);
    return sides ? judge(sides, first?.nodes[at]?.time) : oneSided(frame, row);
  };
  const nodes = frame.rows.map((row, at): ComparedNode => {
    const base = frame.base.nodes[row.base] as NodeReport | undefined;
    const next = frame.next.nodes[row.next] as NodeReport | undefined;
    const { kind, isLeaf } = next ?? base!;
    return {
      match: row.match,
      kind,
      depth: row.depth,
      parent: row.parent,
      isLeaf,
      base: eventOf(base),
      new: eventOf(next),
      time: timeOf(row, at),
      changes: changes.of(base, next),
      counters: counters.of(base, next),
    };
  });
  const plain = plainSides(frame);
  return {
    baseFrame: frame.base.frame,
    newFrame: frame.next.frame,
    plain: plain
      ? judge(plain, first?.plain)
      : notCompared(
          frame.plain?.[0].medianNs ?? null,
          frame.plain?.[1].medianNs ?? null,
          choice.metric === null ? choice.why : 'not every side has runs of the whole frame',
        ),
    nodes,
  };
}

const sideOf = (report: Report, side: 0 | 1, { labels, env }: CompareOptions): ComparisonSide => ({
  label: labels[side],
  capture: report.capture,
  environment: report.environment,
  settings: report.settings,
  env: env[side],
});

/**
 * Compares two measurements, event by event: times by the rule of {@link timeChange}, with intervals that hold together
 * (Bonferroni over events and looks), counters exactly. Pure; 10,000 events of 30 runs take less than a second.
 */
export function compareReports(base: Report, next: Report, options: CompareOptions): Comparison {
  const prepared = prepare(base, next, options);
  const { metric, why } = prepared.choice;
  const { threshold, minChangeNs, falseAlarmRate, paired, look } = options;
  const family = familySize(prepared, options);
  const rule = { threshold, minChangeNs, paired, alpha: alphaAt(look, family, rateOf(options)) };
  const comparable = comparableCounters(base, next);
  const counters = new CounterChanges(comparable);
  const runs = prepared.frames.flatMap((frame) => [frame.base.runs, frame.next.runs]);
  const pairs = runs.length > 0 ? Math.min(...runs) : 0;
  return {
    format: 'gpuprof-comparison',
    version: 1,
    producer: options.producer,
    base: sideOf(base, 0, options),
    new: sideOf(next, 1, options),
    settings: { metric, why, threshold, minChangeNs, falseAlarmRate, interleaved: paired, pairs },
    counters: comparable.counters,
    framesAlone: prepared.framesAlone,
    resources: resourceChanges(base, next),
    frames: prepared.frames.map((frame, index) =>
      compareFrame(frame, firstOf(options, index), prepared, counters, options, rule),
    ),
    warnings: [
      ...prepared.leftOut,
      ...(metric === null ? [] : comparisonWarnings(base, next, { paired, pairs, alpha: rule.alpha })),
      ...comparable.warnings,
    ],
  };
}
