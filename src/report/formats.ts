import type { Report } from '../model/report.ts';
import { csv } from './csv.ts';
import { html } from './html/html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { ReportOptions } from './options.ts';
import { table } from './table.ts';
import { perfetto } from './timeline/perfetto.ts';
import { speedscope } from './timeline/speedscope.ts';

/** Renders a report piece by piece, so that one of 100,000 events need not be held as one string. */
export type ReportFormat = (report: Report, options: ReportOptions) => Iterable<string>;

/** Every output format by the name that `--format` takes. */
export const formats = { table, csv, json, markdown, perfetto, speedscope, html } satisfies Record<
  string,
  ReportFormat
>;
export type FormatName = keyof typeof formats;
