import type { GateCapture, GateResult } from '../../model/gate.ts';
import type { DurationUnit } from '../../model/units.ts';

/** What is shown of a gate's result and how. Formats take from it what applies to them. */
export interface GateReportOptions {
  /** One unit for a whole table; `auto` takes it from the longest duration. */
  readonly unit: DurationUnit | 'auto';
  /** Columns of the terminal; null for no limit. */
  readonly width: number | null;
  readonly color: boolean;
  /** Checks that pass, too; only tables and Markdown leave them out. */
  readonly all: boolean;
  /** Captures that annotations are about; null for all. */
  readonly annotated: readonly GateCapture[] | null;
}

/** Renders a gate's result piece by piece; ends with a line break. */
export type GateFormat = (result: GateResult, options: GateReportOptions) => Iterable<string>;
