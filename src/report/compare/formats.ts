import { compareJson } from './json.ts';
import type { CompareFormat } from './options.ts';
import { compareTable } from './table.ts';

/** Every output format of a comparison by the name that `--format` takes. */
export const compareFormats = {
  table: compareTable,
  csv: compareTable,
  json: compareJson,
  markdown: compareTable,
} satisfies Record<string, CompareFormat>;
export type CompareFormatName = keyof typeof compareFormats;
