/**
 * Two measurements of a frame, event by event: what `compare` and `gate` show. This is also the JSON schema
 * (report/SCHEMA.md); times in nanoseconds.
 */
import type { CounterInfo, CounterValue } from './counter.ts';
import type { NodeKind } from './event-tree.ts';
import type { ResourceSize } from './life/resource-sizes.ts';
import type { Environment, Report, Warning } from './report.ts';

/** `moved`: the same event at another place; then base and new differ in path or order. */
export type MatchKind = 'matched' | 'moved' | 'new' | 'gone';

/** `undecided`: the runs end before the interval says anything. */
export type TimeVerdict = 'slower' | 'faster' | 'same' | 'undecided';

/** `differs`: yes or no, and what has no more or less. */
export type CounterVerdict = 'more' | 'fewer' | 'same' | 'differs' | 'unknown';

/** What an event is on one side. */
export interface ComparedEvent {
  readonly eventId: number | null;
  readonly path: string;
  readonly name: string;
  readonly program: number;
  readonly target: string;
  readonly draws: number;
}

/** How an event's time changed, new less base. The interval is simultaneous over all events of the comparison. */
export interface TimeChange {
  readonly baseNs: number | null;
  readonly newNs: number | null;
  readonly deltaNs: number | null;
  /** Both null where no interval can be given: on one side only, or from too few runs. */
  readonly lowNs: number | null;
  readonly highNs: number | null;
  /** The smallest change that matters for this event: `settings.threshold` of base, `settings.minChangeNs` at least. */
  readonly thresholdNs: number | null;
  /** Null with a reason where time is not compared. */
  readonly verdict: TimeVerdict | null;
  readonly reason: string | null;
}

/** Part of base from which a reader sees that two changes are not the same. */
const visible = 0.01;

/** Whether the medians of both sides differ visibly otherwise than runs side by side, as where the machine drifts. */
export const isBesideMedians = ({ baseNs, newNs, deltaNs }: TimeChange): boolean =>
  baseNs !== null && newNs !== null && deltaNs !== null && Math.abs(newNs - baseNs - deltaNs) > visible * baseNs;

export interface CounterChange {
  readonly base: CounterValue;
  readonly new: CounterValue;
  /** New less base, exact; null for what has no difference. */
  readonly delta: number | bigint | null;
  readonly verdict: CounterVerdict;
  readonly reason: string | null;
}

/** What an event has otherwise, exactly, without being more or less work. */
export interface EventChange {
  /** `name` of a marker; `program`, told by its key; or a state by name (draw-state.ts). */
  readonly what: string;
  readonly base: string;
  readonly new: string;
}

/** One row: an event of both sides, or of one. Depth first; what is gone stands where it stood. */
export interface ComparedNode {
  readonly match: MatchKind;
  readonly kind: NodeKind;
  readonly depth: number;
  /** Index in the frame's nodes; -1 for the frame itself, the first. */
  readonly parent: number;
  readonly isLeaf: boolean;
  /** At least one is there. */
  readonly base: ComparedEvent | null;
  readonly new: ComparedEvent | null;
  readonly time: TimeChange;
  /** Empty for what is on one side only. */
  readonly changes: readonly EventChange[];
  /** By counter id; empty when none is compared. */
  readonly counters: Readonly<Record<string, CounterChange>>;
}

export interface ComparedFrame {
  /** From 1, in either side's numbering. */
  readonly baseFrame: number;
  readonly newFrame: number;
  /** The frame's own time, of runs with one bracket around all of it; null verdict where it was not compared. */
  readonly plain: TimeChange;
  readonly nodes: readonly ComparedNode[];
}

/** A texture, renderbuffer or buffer of another size than before, or of one side only. */
export interface ResourceChange {
  /** At least one is there. */
  readonly base: ResourceSize | null;
  readonly new: ResourceSize | null;
  /** New less base; never 0. */
  readonly deltaBytes: number;
}

/** Frames that one side has and the other lacks, from 1 in its own numbering: not compared. */
export interface FramesAlone {
  readonly base: readonly number[];
  readonly new: readonly number[];
}

/** One side of a comparison. */
export interface ComparisonSide {
  /** What the user named, and what tells the sides apart when that is the same: driver, environment. */
  readonly label: string;
  readonly capture: Report['capture'];
  readonly environment: Environment;
  readonly settings: Report['settings'];
  /** Variables set for this side only. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Comparison {
  readonly format: 'gpuprof-comparison';
  readonly version: 1;
  readonly producer: string;
  readonly base: ComparisonSide;
  readonly new: ComparisonSide;
  readonly settings: {
    /** What verdicts on time rest on; null when times are not compared. */
    readonly metric: 'duration' | 'cpu' | null;
    /** Why that metric, or none: one clause. */
    readonly why: string;
    /** Part of base, 0 to 1. */
    readonly threshold: number;
    readonly minChangeNs: number;
    /** Highest probability of any false verdict on time in the whole comparison; holds where `interleaved`. */
    readonly falseAlarmRate: number;
    /** Whether both sides ran by turns in one sitting: then samples are paired. */
    readonly interleaved: boolean;
    /** Pairs of runs; for reports the smaller number of runs. */
    readonly pairs: number;
  };
  readonly counters: readonly CounterInfo[];
  readonly framesAlone: FramesAlone;
  /** The largest change first; empty where a side does not tell of its resources. */
  readonly resources: readonly ResourceChange[];
  readonly frames: readonly ComparedFrame[];
  readonly warnings: readonly Warning[];
}
