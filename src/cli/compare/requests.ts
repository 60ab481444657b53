/** What `compare` and `gate` ask of a measurement. Everything ends in a Report for each side (compare-sides.ts). */
import type { Pixels } from '../../analysis/image-difference.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Report } from '../../model/report.ts';
import type { ReplayOptions } from '../replay-options.ts';
import type { SideLost } from './side-process.ts';

/** How a side that is a capture is replayed. */
export type SideReplay = Pick<
  ReplayOptions,
  'driver' | 'browser' | 'api' | 'softwareThreads' | 'frame' | 'timer' | 'per' | 'warmup' | 'timeout'
>;

/** One side of a comparison. */
export interface SideRequest {
  /** A capture (`.cap`) or a report (JSON of `gpuprof replay`), told apart by what the file holds. */
  readonly file: string;
  /** What it is called in reports and in errors. */
  readonly label: string;
  /** For a capture. */
  readonly replay: SideReplay;
  /** For a capture: variables that its process has from its first moment, before any library is loaded. */
  readonly env: Readonly<Record<string, string>>;
}

export interface CompareSettings {
  /** `auto`: CPU time on software renderers, duration on hardware. */
  readonly metric: 'auto' | 'duration' | 'cpu';
  /** Smallest change that matters: this part of base (0 to 1), and `minChangeNs` at least. */
  readonly threshold: number;
  readonly minChangeNs: number;
  /** Highest probability of any false verdict on time. */
  readonly falseAlarmRate: number;
  /** For the whole comparison, after which no further run begins. */
  readonly budgetSeconds: number;
  /** Exactly this many pairs of runs (of runs, for one side alone); by default as many as a decision takes. */
  readonly runs?: number;
  /** Patterns of counters (query/select-counters.ts); undefined for none. */
  readonly counters?: readonly string[];
  /** The same for sides that are reports, of what those have; undefined for all of it. */
  readonly readCounters?: readonly string[] | undefined;
  /** Nothing is timed. */
  readonly countersOnly: boolean;
  /** Read both canvases, where both sides are replayed. */
  readonly pictures?: boolean;
}

export interface ComparedSides {
  readonly comparison: Comparison;
  /** Base and new, as measured now or as read. */
  readonly reports: readonly [Report, Report];
  /** At the end of the last frame that was compared; null when nobody asked, or a side was read. */
  readonly canvases: readonly [Pixels, Pixels] | null;
  /** Seconds of budget in which verdicts on time can be had of every frame; null when this budget was enough, or for runs by number. */
  readonly wantedBudget: number | null;
  /** A side whose process has gone: all is of the runs before it. */
  readonly lost: SideLost | null;
}
