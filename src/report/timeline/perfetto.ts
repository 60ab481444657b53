import type { CounterValue } from '../../model/counter.ts';
import type { FrameReport, Report } from '../../model/report.ts';
import type { FrameTimeline, RunTimeline } from '../../model/timeline.ts';
import type { ColumnKey } from '../columns.ts';
import { jsonText } from '../json-text.ts';
import type { ReportOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { type LeafRanges, leafRanges } from './leaf-ranges.ts';
import { executionSpans, hasSpan, type Slice, slices, submissionSpans } from './slices.ts';

/** Processes of the trace, each with one thread, its main one: members of their events. */
const host = '"pid":1,"tid":1';
const device = '"pid":2,"tid":2';

/** Viewers read microseconds as doubles, which hold a nanosecond up to about 50 days. */
const mostExactNs = 2 ** 42 * 1000;
/** Where the trace's zero lies before a timeline's: at the machine's start, or at the program's if that is long ago. */
const zeroOf = (originNs: number): number => (originNs < mostExactNs ? originNs : 0);

/** Named as the columns of the other formats are; the times are those of the run. */
type SliceArguments = Readonly<
  Partial<Record<ColumnKey | 'run' | 'deviceStart' | 'deviceEnd', string | number | null | undefined>>
>;

/** Whole nanoseconds as the microseconds of the format, to the last digit. */
const micros = (timeNs: number): string => `${Math.floor(timeNs / 1000)}.${String(timeNs % 1000).padStart(3, '0')}`;

/** An event's phase, track and what else it has; its times are written as text, as a double's digits would not do. */
const event = (timeNs: number, members: string): string => `{"ts":${micros(timeNs)},${members}}`;

/** `name` is JSON, made once for all runs of a frame: there are hundreds of thousands. */
const slice = (track: string, name: string, { startNs, endNs }: Omit<Slice, 'node'>, args: object): string =>
  event(startNs, `"dur":${micros(endNs - startNs)},"ph":"X",${track},"name":${name},"args":${jsonText(args)}`);

const jsonName = (name: string): string => jsonText(printable(name));

const named = (track: string, process: string, order: number, thread: string): string[] => [
  `{"ph":"M",${track},"name":"process_name","args":{"name":${jsonName(process)}}}`,
  `{"ph":"M",${track},"name":"process_sort_index","args":{"sort_index":${order}}}`,
  `{"ph":"M",${track},"name":"thread_name","args":{"name":"${thread}"}}`,
];

function* header(report: Report): Generator<string> {
  yield* named(host, 'Host: submission', 1, 'calls');
  yield* named(device, `Device: execution (${report.environment.renderer})`, 2, 'events');
}

/** What of a run no node has. */
function runArgs({ clock, reason, uncertaintyNs, driftPpm, driftUncertaintyPpm, latencyNs }: RunTimeline): object {
  return { clock, reason, uncertaintyNs, driftPpm, driftUncertaintyPpm, latencyNs };
}

/** A double would round them. */
const digits = (ticks: bigint | null): string | null => ticks?.toString() ?? null;

const asNumber = (value: CounterValue): number | null => (value === null ? null : Number(value));

const flow = '"cat":"submit","name":"execution"';

/** What all runs of a frame have in common. */
interface Common {
  readonly frame: FrameReport;
  readonly timeline: FrameTimeline;
  readonly ranges: LeafRanges;
  /** By node, as JSON. */
  readonly names: readonly string[];
  readonly counters: readonly { readonly id: string; readonly name: string }[];
  readonly raw: boolean;
}

/** One run of a frame. Flows are numbered from `firstFlow` on, one a leaf. */
function* runEvents({ frame, timeline, ranges, names, counters, raw }: Common, index: number, firstFlow: number) {
  const { runs, originNs } = timeline;
  const run = runs[index];
  const zeroNs = zeroOf(originNs);
  const title = jsonName(`frame ${frame.frame}, run ${index + 1} of ${runs.length}`);
  const nameOf = (node: number) => (frame.nodes[node].depth === 0 ? title : names[node]);
  const at = (timeNs: number) => zeroNs + Math.round(timeNs);
  const executed = executionSpans(frame, ranges, index, raw, zeroNs);
  const whole = { startNs: at(run.startNs), endNs: at(run.submittedNs) };
  yield slice(host, title, whole, { frame: frame.frame, run: index + 1, ...runArgs(run) });
  for (const one of slices(frame, ranges, submissionSpans(run, zeroNs))) {
    const { depth, eventId, isLeaf } = frame.nodes[one.node];
    const args: SliceArguments = { eventId, frame: frame.frame, run: index + 1 };
    if (depth > 0) yield slice(host, nameOf(one.node), one, args);
    if (!isLeaf || !hasSpan(executed, ranges.first[one.node])) continue;
    // A frame in one bracket has the slice of its run.
    const startNs = depth > 0 ? one.startNs : at(run.startNs);
    yield event(startNs, `"ph":"s",${host},${flow},"id":${firstFlow + ranges.first[one.node]}`);
  }
  const waiting = { startNs: at(run.submittedNs), endNs: at(run.finishedNs) };
  yield slice(host, '"glFinish"', waiting, { frame: frame.frame, run: index + 1 });
  for (const one of slices(frame, ranges, executed)) {
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
      deviceStart: isLeaf ? digits(run.deviceStarts[leaf]) : undefined,
      deviceEnd: isLeaf ? digits(run.deviceEnds[leaf]) : undefined,
    };
    yield slice(device, nameOf(one.node), one, args);
    if (!isLeaf) continue;
    yield event(one.startNs, `"ph":"f","bp":"e",${device},${flow},"id":${firstFlow + leaf}`);
    for (const { id, name } of counters) {
      const value = asNumber(cells?.[id]?.value ?? null);
      if (value === null) continue;
      const counter = `"ph":"C",${device},"name":${name},"args":`;
      yield event(one.startNs, `${counter}${jsonText({ value })}`);
      yield event(one.endNs, `${counter}{"value":0}`);
    }
  }
}

function* traceEvents(report: Report, raw: boolean): Generator<string> {
  yield* header(report);
  const counters = (report.counters ?? []).flatMap((set) =>
    set.counters.map(({ id, unit }) => ({ id, name: jsonName(unit === '' ? id : `${id} (${unit})`) })),
  );
  let firstFlow = 1;
  for (const frame of report.frames) {
    const { timeline } = frame;
    if (!timeline) continue;
    const names = frame.nodes.map(({ name }) => jsonName(name));
    const common = { frame, timeline, ranges: leafRanges(frame), names, counters, raw };
    for (const run of timeline.runs.keys()) {
      yield* runEvents(common, run, firstFlow);
      firstFlow += frame.nodes.length;
    }
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
