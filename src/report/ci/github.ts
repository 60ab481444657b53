/** Annotations of a GitHub workflow: commands on standard output that the runner takes. */
import type { GateCapture, GateCheck, GateResult } from '../../model/gate.ts';
import { printable } from '../printable.ts';
import { shorten } from '../text.ts';
import type { GateReportOptions } from './options.ts';
import { gateSummary, worstFirst } from './texts.ts';

/** GitHub shows so many of each kind a step, and drops the others. */
const mostOfAKind = 10;
const widestTitle = 200;
const widestMessage = 2000;

const kinds = { unmeasured: 'error', fail: 'error', warn: 'warning', undecided: 'notice', pass: null } as const;
type Kind = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly file: string | null;
  readonly title: string;
  readonly message: string;
}

/** What stands behind the second `::`. */
const data = (text: string, width: number): string =>
  shorten(printable(text), width).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** What stands behind the `=` of a property. */
const property = (text: string): string => data(text, widestTitle).replaceAll(':', '%3A').replaceAll(',', '%2C');

function command(kind: Kind, { file, title, message }: Annotation): string {
  // GitHub knows no files but the repository's.
  const isThere = file !== null && file !== '' && !/^(\.\.)?\//.test(file);
  const place = isThere ? `file=${property(file)},` : '';
  return `::${kind} ${place}title=${property(title)}::${data(message, widestMessage)}\n`;
}

const ofCheck = ({ name, file }: GateCapture, { level, message }: GateCheck): Annotation => ({
  file,
  title: `gpuprof: ${name} ${level === 'warn' ? 'warns' : level === 'fail' ? 'fails' : `is ${level}`}`,
  message,
});

function* annotations(captures: readonly GateCapture[]): Generator<readonly [Kind, Annotation]> {
  for (const capture of worstFirst(captures)) {
    if (capture.reason !== null && capture.level !== 'pass')
      yield [
        kinds[capture.level] ?? 'notice',
        { file: capture.file, title: `gpuprof: ${capture.name} is ${capture.level}`, message: capture.reason },
      ];
    for (const check of worstFirst(capture.checks)) {
      const kind = kinds[check.level];
      if (kind !== null) yield [kind, ofCheck(capture, check)];
    }
  }
}

/** Up to ten of each kind, the last of them telling how many more there are; then what it all comes to, for the log. */
export function* gateGithub(result: GateResult, { annotated }: GateReportOptions): Generator<string> {
  const lists: Readonly<Record<Kind, Annotation[]>> = { error: [], warning: [], notice: [] };
  for (const [kind, annotation] of annotations(annotated ?? result.captures)) lists[kind].push(annotation);
  for (const kind of ['error', 'warning', 'notice'] as const) {
    const list = lists[kind];
    const shown = list.length > mostOfAKind ? list.slice(0, mostOfAKind - 1) : list;
    for (const annotation of shown) yield command(kind, annotation);
    const more = list.length - shown.length;
    if (more > 0)
      yield command(kind, {
        file: null,
        title: `gpuprof: ${more} more`,
        message: `${more} more like these; the step summary and the other reports have them`,
      });
  }
  yield `gpuprof gate: ${printable(gateSummary(result))}\n`;
}
