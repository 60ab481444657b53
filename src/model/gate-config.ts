/** The configuration of `gpuprof gate`, as users write it; src/cli/gate/config-schema.ts checks it. */

/**
 * `2ms`, `500us` for times; `1200000`, `1.2M`, `64MB` for counters; `+5%`, `+50us`, `+100` above the baseline.
 * A number is a count, never a time.
 */
export type GateLimit = string | number;

/** Beyond `warn` is a warning, beyond `fail` a failure; a limit by itself is one to fail at. */
export type GateMetricLimit = GateLimit | { readonly warn?: GateLimit; readonly fail?: GateLimit };

/** By metric: `duration`, `cpu`, a counter's name in camel case (`psInvocations`), or its id (`intel/SET/NAME`). */
export type GateLimits = Readonly<Record<string, GateMetricLimit>>;

/** By path glob of events; a metric that stands here itself is about the frame. */
export type GateBudgets = Readonly<Record<string, GateMetricLimit | GateLimits>>;

/** What captures have in common, or one has for itself. */
export interface GateCaptureDefaults {
  /** A report, another capture, `auto` (the one that `--update` wrote; the default), or false for none. */
  readonly baseline?: string | false;
  readonly budgets?: GateBudgets;
  /** False only counts: no times are measured or compared. */
  readonly timing?: boolean;
  /** Patterns of counters to measure and compare. */
  readonly counters?: readonly string[];
  /** Smallest change of a time that matters, part of the baseline: `5%`. */
  readonly threshold?: string;
  /** And at least this: `50us`. */
  readonly minChange?: string;
  /** Highest probability of any false verdict on time in one comparison: `1%`. */
  readonly falseAlarmRate?: string;
  /** What it counts as when the runs do not say whether a limit holds. */
  readonly undecided?: 'pass' | 'warn' | 'fail';
  /** Whether a budget that no event matches fails; else it warns. */
  readonly strict?: boolean;
  readonly driver?: 'auto' | 'egl' | 'headless-gl' | 'swiftshader';
  readonly browser?: string;
  readonly api?: 'es' | 'gl';
  readonly softwareThreads?: number | 'default';
  readonly frame?: number | 'all';
  readonly timer?: 'auto' | 'elapsed' | 'timestamp' | 'finish';
  readonly per?: 'draw' | 'pass' | 'marker' | 'frame';
  readonly runs?: number;
  readonly warmup?: number;
  /** Seconds after which no further run begins. */
  readonly timeBudget?: number;
  /** Variables that replays have from their start. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface GateCaptureConfig extends GateCaptureDefaults {
  /** Path from the configuration's folder; a glob means every file it matches. */
  readonly file: string;
  /** In results, and of the baseline's folder; by default the file's name. */
  readonly name?: string;
}

export interface GateConfig extends GateCaptureDefaults {
  readonly $schema?: string;
  readonly captures: readonly (string | GateCaptureConfig)[];
  /** Folder of what `gpuprof gate --update` writes; `gpuprof-baselines` by default. */
  readonly baselines?: string;
}

/** Gives a configuration its type in an editor: `export default defineConfig({ captures: ['scene.cap'] })`. */
export const defineConfig = (config: GateConfig): GateConfig => config;
