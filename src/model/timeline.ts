/** When things happened in a run: what the query layer records, and what a report holds. Host times are nanoseconds of the host's monotonic clock. */

/** The device's clock, read between two readings of the host's. */
export interface ClockPair {
  readonly hostBeforeNs: number;
  readonly hostAfterNs: number;
  /** As read: a clock of fewer than 64 bits wraps. */
  readonly ticks: bigint;
}

/** Timestamps by the GPU's own clock, as read. */
export interface DeviceTimes {
  readonly clock: 'device';
  /** Width of the clock. */
  readonly bits: number;
  /** By leaf; null where a query gave no result. */
  readonly begins: readonly (bigint | null)[];
  readonly ends: readonly (bigint | null)[];
  /** Clocks read several times before the run's first call, after its finish, and about every second in between. */
  readonly readings: readonly (readonly ClockPair[])[];
}

/** The host's clock on both sides of each leaf, where a finish stands on both sides, too. */
export interface HostTimes {
  readonly clock: 'host';
  /** By leaf. */
  readonly beginsNs: Float64Array;
  readonly endsNs: Float64Array;
}

export interface NoTimes {
  readonly clock: 'none';
  /** One clause. */
  readonly reason: string;
}

/** What one run recorded; host times count from `originNs`. */
export interface RunRecord {
  /** Where the host times' zero lies on the host's monotonic clock. */
  readonly originNs: number;
  /** Before the first call, after the last, and after the finish that followed. */
  readonly startNs: number;
  readonly submittedNs: number;
  readonly finishedNs: number;
  /** By leaf: before and after its call; and when the finish after it had come back. */
  readonly submitStartNs: Float64Array;
  readonly submitEndNs: Float64Array;
  readonly finishNs: Float64Array;
  /**
   * How far the GPU was behind when the last call had been submitted: GL_TIMESTAMP at that time against a query of it. Null
   * where there is no such clock, or no result.
   */
  readonly latencyNs: number | null;
  readonly times: DeviceTimes | HostTimes | NoTimes;
}

/** When the events of one run were submitted and executed; host times count from the frame timeline's `originNs`. */
export interface RunTimeline {
  readonly startNs: number;
  readonly submittedNs: number;
  readonly finishedNs: number;
  /** Which clock timed the execution; `none` when no clock could. */
  readonly clock: 'device' | 'host' | 'none';
  /** Why there are no times of execution on the host's clock, or null. */
  readonly reason: string | null;
  /** How far a synchronized time may be off; 0 by the host's clock, null without times. */
  readonly uncertaintyNs: number | null;
  /** How much faster the device's clock runs than the host's, in millionths, and how far that may be off. */
  readonly driftPpm: number | null;
  readonly driftUncertaintyPpm: number | null;
  /** How far the GPU was behind when the last call had been submitted; null where no clock of its own tells. */
  readonly latencyNs: number | null;
  /** By leaf, in event order. */
  readonly submitStartNs: readonly number[];
  readonly submitEndNs: readonly number[];
  readonly finishNs: readonly number[];
  /** Execution on the host's clock; null where a query gave no result, or the clocks could not be brought together. */
  readonly startsNs: readonly (number | null)[];
  readonly endsNs: readonly (number | null)[];
  /** The same on the device's clock, unwrapped; by the host's clock, its nanoseconds. */
  readonly deviceStarts: readonly (bigint | null)[];
  readonly deviceEnds: readonly (bigint | null)[];
}

/** The recorded runs of one frame, in run order. */
export interface FrameTimeline {
  /** Where the host times' zero lies on the host's monotonic clock, in nanoseconds. */
  readonly originNs: number;
  readonly runs: readonly RunTimeline[];
}
