import type { Comparison } from '../../model/comparison.ts';
import type { DurationUnit } from '../../model/units.ts';
import type { ComparedPictures } from './pictures.ts';

/** What is shown of a comparison and how. Formats take from it what applies to them; JSON always holds everything. */
export interface CompareReportOptions {
  /** One unit for a whole table; `auto` takes it from the longest duration. */
  readonly unit: DurationUnit | 'auto';
  /** Columns of the terminal; null for no limit. */
  readonly width: number | null;
  readonly color: boolean;
  /** Events without a change, too; else those that changed or are undecided, and what they stand in. */
  readonly all: boolean;
  /** The N largest changes, flat, instead of the tree. */
  readonly top: number | null;
  /** What the sides drew, for HTML; undefined where they were not replayed. */
  readonly pictures?: ComparedPictures | undefined;
}

export const defaultCompareOptions: CompareReportOptions = {
  unit: 'auto',
  width: null,
  color: false,
  all: false,
  top: null,
};

/** Renders a comparison piece by piece; ends with a line break. */
export type CompareFormat = (comparison: Comparison, options: CompareReportOptions) => Iterable<string>;
