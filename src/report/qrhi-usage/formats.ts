import { qrhiCsv } from './csv.ts';
import { qrhiJson } from './json.ts';
import type { QrhiFormat } from './stream-report.ts';
import { qrhiTable } from './table.ts';

const tables: QrhiFormat = {
  begin: '',
  *stream(report, index, options) {
    if (index > 0) yield '\n\n';
    yield* qrhiTable(report, options);
  },
  end: '',
};

/** The output formats of `gpuprof qrhi`, by the name that `--format` takes. */
export const qrhiFormats = {
  table: tables,
  csv: qrhiCsv,
  json: qrhiJson,
} satisfies Record<string, QrhiFormat>;
export type QrhiFormatName = keyof typeof qrhiFormats;
