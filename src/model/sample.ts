/** Readings of one frame: what the query layer hands to analysis. All times in nanoseconds. */
import type { RunRecord } from './timeline.ts';

export type TimerMethodName = 'elapsed' | 'timestamp' | 'finish';
/** What one bracket encloses. */
export type BracketUnit = 'draw' | 'pass' | 'marker' | 'frame';

/** One measured replay run of a frame. */
export interface RunSample {
  /** What each leaf's bracket read, floor included; NaN where a query gave no result. Index: leaf number. */
  readonly readingsNs: Float64Array;
  /** Process CPU time of each leaf's bracket, floor included; null on hardware renderers. */
  readonly cpuNs: Float64Array | null;
  /** What an empty bracket read in this run (median of several). */
  readonly floorNs: number;
  readonly cpuFloorNs: number | null;
  /** Duration of the whole bracketed frame: by the GPU's clock where that is trusted, else by the host's until a finish. */
  readonly bracketedNs: number;
  /** Why the run cannot be trusted, or null. */
  readonly questionable: string | null;
  /** When its events happened; only where that was asked for. */
  readonly record?: RunRecord;
}

/** One run with a single bracket around the whole frame, less the floor. */
export interface PlainSample {
  /** NaN when it stayed questionable. */
  readonly durationNs: number;
  readonly cpuNs: number | null;
}

export interface FrameMeasurement {
  /** From 1. */
  readonly frame: number;
  readonly plain: readonly PlainSample[];
  readonly runs: readonly RunSample[];
  /** Runs that were questionable and measured again. */
  readonly repeated: number;
  /** Runs replayed before the first that counts. */
  readonly warmups: number;
  /** Why nothing was measured; null when something was. */
  readonly problem: string | null;
}

/** One rung of the trust check: a draw of known cost, timed by a method and by the host clock around finish. */
export interface TrustRung {
  readonly work: number;
  readonly hostNs: number;
  readonly readNs: number;
}

export interface MethodTrust {
  readonly method: TimerMethodName;
  readonly available: boolean;
  readonly trusted: boolean;
  /** One clause: why it is trusted, not trusted, or not available. */
  readonly reason: string;
  /** Reading over host clock, median of the rungs; null when not measured. */
  readonly ratio: number | null;
  readonly rungs: readonly TrustRung[];
  /** What an empty bracket of this method read, median; null when not measured. */
  readonly floorNs: number | null;
  /** Width of the counter in bits; null for the host clock. */
  readonly bits: number | null;
}

export interface TrustCheck {
  /** Accepted range of reading over host clock. */
  readonly bounds: readonly [number, number];
  readonly methods: readonly MethodTrust[];
}
