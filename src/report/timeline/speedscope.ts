import type { FrameReport, Report } from '../../model/report.ts';
import { jsonText } from '../json-text.ts';
import type { ReportOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { type LeafRanges, leafDuration, leafRanges } from './leaf-ranges.ts';

const schema = 'https://www.speedscope.app/file-format-schema.json';

/** Speedscope adds up what has the same name, file and line: each node has its own path and event. */
const frameLine = (frame: FrameReport, node: number): string => {
  const { name, path, eventId } = frame.nodes[node];
  const line = eventId === null ? undefined : Math.ceil(eventId);
  return jsonText({ name: printable(name), file: printable(`frame ${frame.frame}/${path}`), line });
};

/** Opens and closes of one profile: leaves end to end, so that a group takes as long as its leaves. */
function* profile(
  frame: FrameReport,
  { end, nodes: leaves }: LeafRanges,
  firstFrame: number,
  name: string,
  durationOf: (node: number) => number | null,
): Generator<string> {
  const durations = leaves.map((node) => durationOf(node) ?? 0);
  const total = durations.reduce((sum, durationNs) => sum + durationNs, 0);
  yield `{"type":"evented","name":${jsonText(name)},"unit":"nanoseconds","startValue":0,"endValue":${total},"events":[`;
  let at = 0;
  let leaf = 0;
  let separator = '\n';
  const open: number[] = [];
  const write = (type: 'O' | 'C', node: number): string => {
    const line = `${separator}{"type":"${type}","frame":${firstFrame + node},"at":${at}}`;
    separator = ',\n';
    return line;
  };
  for (const [node, { depth, isLeaf }] of frame.nodes.entries()) {
    while (open.length > 0 && frame.nodes[open[open.length - 1]].depth >= depth) yield write('C', open.pop() as number);
    if (end[node] === leaf) continue;
    open.push(node);
    yield write('O', node);
    if (isLeaf) at += durations[leaf++];
  }
  while (open.length > 0) yield write('C', open.pop() as number);
  yield '\n]}';
}

/** The runs that the table's total is of: the one in the middle, or the two whose mean it is. */
function middleRuns({ nodes: [root], runs }: FrameReport, raw: boolean): number[] {
  const totals = raw ? root.samples.rawNs : root.samples.durationNs;
  const total = (run: number) => totals[run] ?? Number.NaN;
  const measured = Array.from({ length: runs }, (_, run) => run).filter((run) => !Number.isNaN(total(run)));
  measured.sort((left, right) => total(left) - total(right));
  return measured.slice(Math.ceil(measured.length / 2) - 1, Math.floor(measured.length / 2) + 1);
}

const numbers = (runs: readonly number[]): string =>
  [...runs]
    .sort((left, right) => left - right)
    .map((run) => run + 1)
    .join(' and ');

/** Where there are several runs, first what the table's total is of, then the medians; and one profile of each run. */
function* profilesOf(frame: FrameReport, firstFrame: number, raw: boolean): Generator<Generator<string>> {
  const ranges = leafRanges(frame);
  const { nodes, runs } = frame;
  const title = `frame ${frame.frame}`;
  if (runs > 1) {
    const middle = middleRuns(frame, raw);
    const mean = (node: number) =>
      middle.reduce((sum, run) => sum + (leafDuration(frame, node, run, raw) ?? 0), 0) / middle.length;
    const what =
      middle.length === 1 ? `run ${numbers(middle)}, the middle` : `mean of runs ${numbers(middle)}, in the middle`;
    if (middle.length > 0) yield profile(frame, ranges, firstFrame, `${title}, ${what} of ${runs}`, mean);
    const median = (node: number) => (raw ? nodes[node].rawNs : nodes[node].durationNs)?.median ?? null;
    yield profile(frame, ranges, firstFrame, `${title}, medians of ${runs} runs`, median);
  }
  for (let run = 0; run < runs; run++) {
    const name = `${title}, run ${run + 1} of ${runs}`;
    yield profile(frame, ranges, firstFrame, name, (node) => leafDuration(frame, node, run, raw));
  }
}

/**
 * Speedscope's own file format: the event tree as a flame graph, in evented profiles. Leaves follow each other without gaps,
 * so that what speedscope adds up is what the table has: first of the frame its time, then of each leaf its median, then of
 * every node its sample of a run.
 */
export function* speedscope(report: Report, options: ReportOptions): Generator<string> {
  const { capture, producer, frames } = report;
  yield `{"$schema":${jsonText(schema)},"exporter":${jsonText(producer)},"name":${jsonText(printable(capture.file))},`;
  yield '"activeProfileIndex":0,"shared":{"frames":[';
  let separator = '\n';
  for (const frame of frames)
    for (const node of frame.nodes.keys()) {
      yield separator + frameLine(frame, node);
      separator = ',\n';
    }
  yield '\n]},"profiles":[';
  separator = '\n';
  let firstFrame = 0;
  for (const frame of frames) {
    for (const lines of profilesOf(frame, firstFrame, options.raw)) {
      yield separator;
      yield* lines;
      separator = ',\n';
    }
    firstFrame += frame.nodes.length;
  }
  yield '\n]}\n';
}
