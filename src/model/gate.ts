/** What `gpuprof gate` found: checks of captures against their budgets. This is also the JSON schema (report/SCHEMA.md). */
import type { Comparison } from './comparison.ts';
import type { CounterValue } from './counter.ts';
import type { Environment, Warning } from './report.ts';

/**
 * From best to worst. `undecided`: measured, but the runs do not say; `unmeasured`: not to be had here. What failed is
 * known for certain, so it outdoes what is not known.
 */
export const gateLevels = ['pass', 'undecided', 'warn', 'unmeasured', 'fail'] as const;
export type GateLevel = (typeof gateLevels)[number];

/** `pass` for none. */
export const worstLevel = (levels: Iterable<GateLevel>): GateLevel =>
  gateLevels[Math.max(0, ...Array.from(levels, (level) => gateLevels.indexOf(level)))];

/** One limit that was looked at, on one event; also when it holds. */
export interface GateCheck {
  /** From 1. */
  readonly frame: number;
  /** As in a report; empty for the frame itself. */
  readonly path: string;
  /** Null for the frame and for what only the baseline has. */
  readonly eventId: number | null;
  /** `duration`, `cpu`, a counter's id, or `draws` of what is new or gone. */
  readonly metric: string;
  readonly unit: string;
  /** As configured: `2ms`, `+5%`; null for what the comparison found by itself. */
  readonly limit: string | null;
  /** The baseline's value; null where the limit needs none, or where there is none. */
  readonly base: CounterValue;
  readonly value: CounterValue;
  /** Half the width of the 95% interval of a time; absent where there is none. */
  readonly range?: number;
  readonly level: GateLevel;
  /** One sentence for people, with values and limit. */
  readonly message: string;
}

export interface GateCapture {
  /** As the configuration names it. */
  readonly name: string;
  /** From the root of its repository; empty for what stands for a shard. */
  readonly file: string;
  /** Null when nothing could be opened. */
  readonly environment: Environment | null;
  /** What it was compared with, in words; null without a baseline. */
  readonly baseline: string | null;
  /** The worst of its checks, or `unmeasured` with a reason. */
  readonly level: GateLevel;
  readonly reason: string | null;
  readonly checks: readonly GateCheck[];
  readonly comparison: Comparison | null;
  readonly warnings: readonly Warning[];
  readonly wallMs: number;
}

export interface GateResult {
  readonly format: 'gpuprof-gate';
  readonly version: 1;
  readonly producer: string;
  /** The worst of the captures. */
  readonly level: GateLevel;
  /** Which part of the captures this is; null for all. Both from 1. */
  readonly shard: { readonly index: number; readonly count: number } | null;
  readonly captures: readonly GateCapture[];
}
