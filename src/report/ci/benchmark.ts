/**
 * The array that github-action-benchmark takes as `customSmallerIsBetter`, and others with it: `name`, `unit` and `value`,
 * with `range` and `extra` for people. A value that is null would be read as 0, so that what has none is left out.
 */
import type { GateCapture, GateResult } from '../../model/gate.ts';
import { jsonText } from '../json-text.ts';
import { printable } from '../printable.ts';
import { checkValue } from './texts.ts';

interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range?: string;
  readonly extra: string;
}

/** The action writes names between back quotes into the cells of a Markdown table. */
const plain = (text: string): string => printable(text).replaceAll('`', "'").replaceAll('|', '¦');

const nameOf = (capture: GateCapture, frame: number, path: string, metric: string): string =>
  plain(`${capture.name}: frame ${frame}${path === '' ? '' : `: ${path}`}: ${metric}`);

function* entriesOf(capture: GateCapture): Generator<Entry> {
  for (const check of capture.checks) {
    const { value, unit, level, limit, range } = check;
    if (value === null || typeof value === 'boolean') continue;
    const base = check.base === null ? '' : `, base ${checkValue(check.base, check)}`;
    yield {
      name: nameOf(capture, check.frame, check.path, check.metric),
      unit: plain(unit),
      value: Number(value),
      ...(range !== undefined && { range: `± ${Math.round(range)}` }),
      extra: plain(`${level}${base}${limit === null ? '' : `, limit ${limit}`}`),
    };
  }
  const { comparison } = capture;
  if (!comparison || comparison.settings.metric === null) return;
  for (const { newFrame, plain: time } of comparison.frames)
    if (time.newNs !== null)
      yield {
        name: nameOf(capture, newFrame, '', comparison.settings.metric),
        unit: 'ns',
        value: Math.round(time.newNs),
        extra: `${time.verdict ?? 'not compared'}, without brackets`,
      };
}

/** An entry for each value, once: of several checks of one value the first. */
export function* gateBenchmark({ captures }: GateResult): Generator<string> {
  const seen = new Set<string>();
  yield '[';
  for (const capture of captures)
    for (const entry of entriesOf(capture)) {
      if (seen.has(entry.name)) continue;
      yield `${seen.size === 0 ? '\n' : ',\n'}${jsonText(entry)}`;
      seen.add(entry.name);
    }
  yield '\n]\n';
}
