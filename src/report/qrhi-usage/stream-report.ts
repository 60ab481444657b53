import type { QtNumbering } from '../../model/qrhi/texture-formats.ts';
import type { QrhiUsage } from '../../model/qrhi/usage.ts';

/** A stream and what it says. */
export interface QrhiStreamReport {
  /** Where it came from: a file, or a connection. */
  readonly title: string;
  readonly sizeBytes: number;
  readonly usage: QrhiUsage;
  /** Notes on how it was read, beside those on its figures. */
  readonly notes: readonly string[];
}

export interface QrhiReportOptions {
  /** Rows of the lists of the largest and of what is still live. */
  readonly top: number;
  /** What the numbers of texture formats mean, which a stream does not say. */
  readonly qt: QtNumbering;
  /** Columns of the terminal; null for no limit. */
  readonly width: number | null;
  readonly color: boolean;
}

/** A document of reports, in parts, so that each is written as soon as its stream has ended. */
export interface QrhiFormat {
  /** What stands before the first. */
  readonly begin: string;
  /** A report; `index` counts from 0. */
  stream(report: QrhiStreamReport, index: number, options: QrhiReportOptions): Iterable<string>;
  /** What stands after the last. */
  readonly end: string;
}
