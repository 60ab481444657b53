import { qrhiCsv } from './csv.ts';
import { qrhiJson } from './json.ts';
import type { QrhiReportOptions, QrhiStreamReport } from './stream-report.ts';
import { qrhiTable } from './table.ts';

type QrhiFormat = (reports: readonly QrhiStreamReport[], options: QrhiReportOptions) => Iterable<string>;

function* tables(reports: readonly QrhiStreamReport[], options: QrhiReportOptions): Generator<string> {
  for (const [index, report] of reports.entries()) {
    if (index > 0) yield '\n\n';
    yield* qrhiTable(report, options);
  }
}

/** The output formats of `gpuprof qrhi`, by the name that `--format` takes. */
export const qrhiFormats = {
  table: tables,
  csv: qrhiCsv,
  json: qrhiJson,
} satisfies Record<string, QrhiFormat>;
export type QrhiFormatName = keyof typeof qrhiFormats;
