/** A reporter for node:test that ends with the files whose tests took longest, in seconds: where a suite that grows too slow is cut. */
import { relative } from 'node:path';

const shown = 12;

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* slowFiles(source) {
  /** @type {Map<string, number>} */
  const seconds = new Map();
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || !data.file) continue;
    seconds.set(data.file, (seconds.get(data.file) ?? 0) + data.details.duration_ms / 1000);
  }
  yield 'slowest files\n';
  const slowest = [...seconds].sort(([, left], [, right]) => right - left).slice(0, shown);
  for (const [file, took] of slowest) yield `${took.toFixed(1).padStart(7)} s  ${relative(process.cwd(), file)}\n`;
}
