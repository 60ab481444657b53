import type { Comparison } from '../../model/comparison.ts';
import { findingsSummary } from '../../model/finding-text.ts';
import { findings } from '../../model/findings.ts';
import { printable } from '../printable.ts';
import type { CompareReportOptions } from './options.ts';

export function* compareTable(comparison: Comparison, _options: CompareReportOptions): Generator<string> {
  const list = findings(comparison);
  yield `${findingsSummary(list)}\n`;
  for (const { message } of list) yield `${printable(message)}\n`;
}
