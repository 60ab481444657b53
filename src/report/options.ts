import type { ResourceSize } from '../model/life/resource-sizes.ts';
import type { Thumbnails } from '../model/thumbnails.ts';
import type { DurationUnit } from '../model/units.ts';

export type Metric = 'duration' | 'cpu';

/** What a report shows and how. Formats take from it what applies to them; JSON always holds everything. */
export interface ReportOptions {
  /** One unit for a whole table; `auto` takes it from the longest duration. */
  readonly unit: DurationUnit | 'auto';
  /** The heaviest N leaves, flat, instead of the tree. */
  readonly top: number | null;
  /** `duration` puts siblings in falling order of the metric. */
  readonly sort: 'duration' | 'order';
  /** Deepest level shown; the frame is level 0. */
  readonly depth: number | null;
  /** Rows whose name or path contains this text, whatever its case, and what they stand in. */
  readonly filter: string | null;
  /** Readings as they came, without the floor subtracted. */
  readonly raw: boolean;
  /** What `top`, `sort`, shares and spreads rest on. */
  readonly metric: Metric;
  /** Columns of the terminal; null for no limit. */
  readonly width: number | null;
  readonly color: boolean;
  /** What the capture's objects take, for HTML. */
  readonly resources?: readonly ResourceSize[] | undefined;
  /** What its actions wrote, for HTML. */
  readonly thumbnails?: Thumbnails | undefined;
}

export const defaultOptions: ReportOptions = {
  unit: 'auto',
  top: null,
  sort: 'order',
  depth: null,
  filter: null,
  raw: false,
  metric: 'duration',
  width: null,
  color: false,
};
