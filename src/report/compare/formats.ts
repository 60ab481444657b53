import type { CompareFormat } from './options.ts';

/** Every output format of a comparison by the name that `--format` takes; loaded when it is asked for. */
export const compareFormats = {
  table: async () => (await import('./table.ts')).compareTable,
  csv: async () => (await import('./csv.ts')).compareCsv,
  json: async () => (await import('./json.ts')).compareJson,
  markdown: async () => (await import('./markdown.ts')).compareMarkdown,
  html: async () => (await import('./html.ts')).compareHtml,
} satisfies Record<string, () => Promise<CompareFormat>>;
export type CompareFormatName = keyof typeof compareFormats;
