import type { CounterValue } from '../../model/counter.ts';
import type { FrameReport, Report } from '../../model/report.ts';
import type { FrameTimeline, RunTimeline } from '../../model/timeline.ts';
import type { ColumnKey } from '../columns.ts';
import { jsonText } from '../json-text.ts';
import type { ReportOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { leafRanges } from './leaf-ranges.ts';
import { executionSlices, type Slice, submissionSlices } from './slices.ts';

/** Processes of the trace, each with one thread, its main one. */
const host = { pid: 1, tid: 1 };
const device = { pid: 2, tid: 2 };

/** Viewers read microseconds as doubles, which hold a nanosecond up to about 50 days. */
const mostExactNs = 2 ** 42 * 1000;
/** Where the trace's zero lies before a timeline's: at the machine's start, or at the program's if that is long ago. */
const zeroOf = (originNs: number): number => (originNs < mostExactNs ? originNs : 0);

/** Named as the columns of the other formats are; the times are those of the run. */
type SliceArguments = Readonly<
  Partial<Record<ColumnKey | 'run' | 'deviceStart' | 'deviceEnd', string | number | null>>
>;

/** Whole nanoseconds as the microseconds of the format, to the last digit. */
const micros = (timeNs: number): string => `${Math.floor(timeNs / 1000)}.${String(timeNs % 1000).padStart(3, '0')}`;

/** An event of the trace; its times are written as text, as a double's digits would not do. */
const event = (timeNs: number, members: object, durationNs?: number): string => {
  const duration = durationNs === undefined ? '' : `,"dur":${micros(durationNs)}`;
  return `{"ts":${micros(timeNs)}${duration},${jsonText(members).slice(1)}`;
};

const slice = (track: object, name: string, { startNs, endNs }: Omit<Slice, 'node'>, args: object): string =>
  event(startNs, { ph: 'X', ...track, name: printable(name), args }, endNs - startNs);

const named = (track: { pid: number; tid: number }, process: string, thread: string): string[] => [
  jsonText({ ph: 'M', ...track, name: 'process_name', args: { name: printable(process) } }),
  jsonText({ ph: 'M', ...track, name: 'process_sort_index', args: { sort_index: track.pid } }),
  jsonText({ ph: 'M', ...track, name: 'thread_name', args: { name: thread } }),
];

function* header(report: Report): Generator<string> {
  yield* named(host, 'Host: submission', 'calls');
  yield* named(device, `Device: execution (${report.environment.renderer})`, 'events');
}

/** What of a run no node has. */
function runArgs({ clock, reason, uncertaintyNs, driftPpm, driftUncertaintyPpm, latencyNs }: RunTimeline): object {
  return { clock, reason, uncertaintyNs, driftPpm, driftUncertaintyPpm, latencyNs };
}

/** A double would round them. */
const digits = (ticks: bigint | null): string | null => ticks?.toString() ?? null;

const asNumber = (value: CounterValue): number | null => (value === null ? null : Number(value));

/** One run of a frame. Flows are numbered from `firstFlow` on, one a leaf. */
function* runEvents(frame: FrameReport, index: number, firstFlow: number, report: Report, raw: boolean) {
  const { runs, originNs } = frame.timeline as FrameTimeline;
  const run = runs[index];
  const zeroNs = zeroOf(originNs);
  const ranges = leafRanges(frame);
  const title = `frame ${frame.frame}, run ${index + 1} of ${runs.length}`;
  const nameOf = (node: number) => (frame.nodes[node].depth === 0 ? title : frame.nodes[node].name);
  const at = (timeNs: number) => zeroNs + Math.round(timeNs);
  const executed = executionSlices(frame, ranges, index, raw, zeroNs);
  const onDevice = new Set(executed.map(({ node }) => node));
  yield slice(
    host,
    title,
    { startNs: at(run.startNs), endNs: at(run.submittedNs) },
    {
      frame: frame.frame,
      run: index + 1,
      ...runArgs(run),
    },
  );
  for (const one of submissionSlices(frame, ranges, run, zeroNs)) {
    const { depth, eventId, isLeaf } = frame.nodes[one.node];
    const args: SliceArguments = { eventId, frame: frame.frame, run: index + 1 };
    if (depth > 0) yield slice(host, nameOf(one.node), one, args);
    if (!isLeaf || !onDevice.has(one.node)) continue;
    // A frame in one bracket has the slice of its run.
    yield event(depth > 0 ? one.startNs : at(run.startNs), {
      ph: 's',
      ...host,
      cat: 'submit',
      name: 'execution',
      id: firstFlow + ranges.first[one.node],
    });
  }
  const waiting = { startNs: at(run.submittedNs), endNs: at(run.finishedNs) };
  yield slice(host, 'glFinish', waiting, { frame: frame.frame, run: index + 1 });
  const counters = (report.counters ?? []).flatMap((set) => set.counters);
  for (const one of executed) {
    const { eventId, kind, draws, status, reason, isLeaf, samples, counters: cells } = frame.nodes[one.node];
    const leaf = ranges.first[one.node];
    const args: SliceArguments = {
      eventId,
      frame: frame.frame,
      run: index + 1,
      kind,
      draws,
      durationNs: samples.durationNs[index],
      rawNs: samples.rawNs[index],
      status,
      reason,
      ...(isLeaf && { deviceStart: digits(run.deviceStarts[leaf]), deviceEnd: digits(run.deviceEnds[leaf]) }),
    };
    yield slice(device, nameOf(one.node), one, args);
    if (!isLeaf) continue;
    yield event(one.startNs, { ph: 'f', bp: 'e', ...device, cat: 'submit', name: 'execution', id: firstFlow + leaf });
    for (const { id, unit } of counters) {
      const value = asNumber(cells?.[id]?.value ?? null);
      if (value === null) continue;
      const name = printable(unit === '' ? id : `${id} (${unit})`);
      yield event(one.startNs, { ph: 'C', ...device, name, args: { value } });
      yield event(one.endNs, { ph: 'C', ...device, name, args: { value: 0 } });
    }
  }
}

function* traceEvents(report: Report, raw: boolean): Generator<string> {
  yield* header(report);
  let flow = 1;
  for (const frame of report.frames)
    for (let run = 0; run < (frame.timeline?.runs.length ?? 0); run++) {
      yield* runEvents(frame, run, flow, report, raw);
      flow += frame.nodes.length;
    }
}

/** Which clock the trace's times are of. */
function clockText({ frames }: Report): string {
  const originNs = frames.find(({ timeline }) => timeline)?.timeline?.originNs ?? 0;
  const lessNs = originNs - zeroOf(originNs);
  return lessNs === 0 ? 'CLOCK_MONOTONIC' : `CLOCK_MONOTONIC less ${lessNs} ns`;
}

/**
 * Trace Event JSON for ui.perfetto.dev and chrome://tracing: submission and execution of every event of every run on the
 * host's monotonic clock (from the program's start if the machine has been up for 50 days), groups around their events, a
 * flow from one to the other, and a track for each counter. A leaf on the device's track lasts as long as its sample in the
 * table. Needs a report with timelines.
 */
export function* perfetto(report: Report, options: ReportOptions): Generator<string> {
  const { capture, producer, environment, settings } = report;
  const about = {
    producer,
    capture: capture.file,
    renderer: environment.renderer,
    timer: settings.method,
    clock: clockText(report),
  };
  yield `{"displayTimeUnit":"ns","otherData":${jsonText(about)},"traceEvents":[`;
  let separator = '\n';
  for (const line of traceEvents(report, options.raw)) {
    yield separator + line;
    separator = ',\n';
  }
  yield '\n]}\n';
}
