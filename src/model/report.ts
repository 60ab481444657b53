/** The report: what every output format shows. This is also the JSON schema (report/SCHEMA.md); times in nanoseconds. */
import type { Canvas, CaptureApi, Origin } from './capture.ts';
import type { CounterInfo, CounterValue, MetricSet } from './counter.ts';
import type { CounterOrigin } from './counter-sample.ts';
import type { StateWords } from './draw-state.ts';
import type { NodeKind } from './event-tree.ts';
import type { ResourceSize } from './life/resource-sizes.ts';
import type { BracketUnit, TimerMethodName, TrustCheck } from './sample.ts';
import type { FrameTimeline } from './timeline.ts';

/** Of one quantity over the runs. The interval holds the median with 95% confidence (order statistics). */
export interface Statistics {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Median absolute deviation from the median. */
  readonly mad: number;
  readonly low95: number;
  readonly high95: number;
  readonly runs: number;
}

export type NodeStatus = 'ok' | 'below-resolution' | 'questionable' | 'failed';

/** One counter of one node. */
export interface CounterCell {
  /** The lower median of the samples that count; null with a reason when there is none. */
  readonly value: CounterValue;
  /** Per run, in run order; null where a run has no value. */
  readonly samples: readonly CounterValue[];
  readonly status: 'ok' | 'questionable' | 'failed';
  readonly reason: string | null;
}

/** A metric set that counters were asked of, and how it was measured. */
export interface CounterSetReport extends Omit<MetricSet, 'counters'> {
  /** The counters asked for: a column each. */
  readonly counters: readonly CounterInfo[];
  /** Null when the values come from the capture alone, or when there was nothing to measure on. */
  readonly origin: CounterOrigin | null;
  /** Replay passes that one run takes; 0 when nothing is replayed for it. */
  readonly passes: number;
  readonly runs: number;
  readonly status: 'ok' | 'questionable' | 'failed';
  readonly reason: string | null;
}

export interface NodeReport {
  readonly eventId: number | null;
  readonly parentId: number | null;
  readonly depth: number;
  readonly kind: NodeKind;
  readonly name: string;
  readonly path: string;
  readonly draws: number;
  readonly isLeaf: boolean;
  readonly program: number;
  readonly target: string;
  /** Leaf that draws: number of the state it draws under ({@link States}); absent for none or several. */
  readonly state?: number;
  /** Less the floor; a parent's come from its per-run sums. Null with a reason when nothing could be measured. */
  readonly durationNs: Statistics | null;
  /** As read, floor included (`--raw`). */
  readonly rawNs: Statistics | null;
  /** CPU time on software renderers, less its floor; null elsewhere. */
  readonly cpuNs: Statistics | null;
  /** Part of the sum of all leaves, 0 to 1; null when unknown. */
  readonly share: number | null;
  readonly status: NodeStatus;
  readonly reason: string | null;
  /** By counter id; only with `--counters`. */
  readonly counters?: Readonly<Record<string, CounterCell>>;
  /** Per run, in run order; null entries are failed readings. */
  readonly samples: {
    readonly durationNs: readonly (number | null)[];
    readonly rawNs: readonly (number | null)[];
    readonly cpuNs: readonly (number | null)[] | null;
  };
}

export interface FrameReport {
  /** From 1. */
  readonly frame: number;
  /** The frame's own duration: one bracket around all of it. */
  readonly plainNs: Statistics | null;
  readonly plainCpuNs: Statistics | null;
  /** Of the same, per run, in run order; null entries are failed readings. Absent in reports of older producers. */
  readonly plainSamples?: {
    readonly durationNs: readonly (number | null)[];
    readonly cpuNs: readonly (number | null)[] | null;
  };
  /** The frame with a bracket on every leaf: by the GPU's clock where that is trusted, else by the host's. */
  readonly bracketedNs: Statistics | null;
  readonly sumOfLeavesNs: Statistics | null;
  /** bracketed over plain. */
  readonly inflation: number | null;
  readonly floorNs: Statistics | null;
  readonly runs: number;
  readonly questionableRuns: number;
  readonly repeatedRuns: number;
  /** When the events were submitted and executed; only where it was recorded. */
  readonly timeline?: FrameTimeline;
  /** Depth first, the frame first. */
  readonly nodes: readonly NodeReport[];
}

/** Whether a frame was played a single time, bracketed, as `--runs 1` does with those that draw with nothing new. */
export const isPlayedOnce = ({ runs, plainNs, plainSamples }: FrameReport): boolean =>
  runs > 0 && plainNs === null && plainSamples !== undefined && plainSamples.durationNs.length === 0;

export interface Environment {
  readonly driver: string;
  readonly api: string;
  readonly vendor: string;
  readonly renderer: string;
  readonly version: string;
  readonly software: boolean;
  /** Worker threads of llvmpipe, or of the swiftshader driver; null elsewhere. */
  readonly softwareThreads: number | null;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
}

export interface GlErrorReport {
  /** null: during setup. */
  readonly frame: number | null;
  readonly eventId: number;
  /** The call as `dump` prints it. */
  readonly call: string;
  readonly error: string;
  /** How many times in all runs. */
  readonly count: number;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** The replayed canvas against the capture's reference picture (`--verify`). Channels count from 0 to 255. */
export interface Verification {
  readonly passed: boolean;
  /** The result as a sentence. */
  readonly message: string;
  readonly pixels: number;
  /** Pixels that differ at all. */
  readonly differing: number;
  /** Pixels of which a channel differs by more than `tolerance`. */
  readonly beyondTolerance: number;
  /** Largest difference of any channel, and the mean over all channels of all pixels. */
  readonly maxDifference: number;
  readonly meanDifference: number;
  /** Whether driver and renderer are those of the recording, so that every pixel must be equal. */
  readonly sameRenderer: boolean;
  readonly tolerance: number;
  /** Part of the pixels that may lie beyond the tolerance, 0 to 1. */
  readonly allowedBeyond: number;
}

/**
 * By program id, what it is made of, the same in every capture: a hash of its shaders' sources (program-keys.ts). Programs
 * without sources have none.
 */
export type ProgramKeys = Readonly<Record<number, string>>;

/** By number, the state of draws (draw-state.ts). */
export type States = Readonly<Record<number, StateWords>>;

export interface Report {
  readonly format: 'gpuprof-report';
  readonly version: 1;
  readonly producer: string;
  readonly capture: {
    readonly file: string;
    readonly api: CaptureApi;
    readonly canvas: Canvas;
    readonly origin: Origin;
    readonly frames: number;
  };
  readonly environment: Environment;
  readonly trust: TrustCheck;
  readonly settings: {
    readonly timer: TimerMethodName | 'auto';
    /** Null when none can be trusted: then there are counters, and no durations. */
    readonly method: TimerMethodName | null;
    /** Why this method or none, one clause. */
    readonly why: string;
    readonly per: BracketUnit;
    readonly warmups: number;
  };
  /** Only with `--counters`. */
  readonly counters?: readonly CounterSetReport[];
  /** Of the programs that leaves use; absent in reports of older producers. */
  readonly programs?: ProgramKeys;
  /** That leaves draw under; absent in reports of older producers. */
  readonly states?: States;
  /** Of the capture up to its last frame here; only with counters of memory, and absent in reports of older producers. */
  readonly resources?: readonly ResourceSize[];
  readonly frames: readonly FrameReport[];
  readonly glErrors: readonly GlErrorReport[];
  readonly warnings: readonly Warning[];
  /** Only with `--verify`. */
  readonly verification?: Verification;
}
