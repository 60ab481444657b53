import { compareCsv } from './csv.ts';
import { compareHtml } from './html.ts';
import { compareJson } from './json.ts';
import { compareMarkdown } from './markdown.ts';
import type { CompareFormat } from './options.ts';
import { compareTable } from './table.ts';

/** Every output format of a comparison by the name that `--format` takes. */
export const compareFormats = {
  table: compareTable,
  csv: compareCsv,
  json: compareJson,
  markdown: compareMarkdown,
  html: compareHtml,
} satisfies Record<string, CompareFormat>;
export type CompareFormatName = keyof typeof compareFormats;
