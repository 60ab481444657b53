import type { DeviceTimes, FrameTimeline, HostTimes, NoTimes, RunRecord, RunTimeline } from '../model/timeline.ts';
import { type ClockFit, fitClocks } from './clock-sync.ts';

type Execution = Omit<
  RunTimeline,
  'startNs' | 'submittedNs' | 'finishedNs' | 'submitStartNs' | 'submitEndNs' | 'finishNs'
>;

function unknown(leaves: number, reason: string): Execution {
  const none = new Array<null>(leaves).fill(null);
  return {
    clock: 'none',
    reason,
    uncertaintyNs: null,
    driftPpm: null,
    driftUncertaintyPpm: null,
    latencyNs: null,
    startsNs: none,
    endsNs: none,
    deviceStarts: none,
    deviceEnds: none,
  };
}

function byHost({ beginsNs, endsNs }: HostTimes, originNs: number): Execution {
  const ticks = (timesNs: Float64Array) =>
    Array.from(timesNs, (timeNs) => BigInt(originNs) + BigInt(Math.round(timeNs)));
  return {
    clock: 'host',
    reason: null,
    uncertaintyNs: 0,
    driftPpm: null,
    driftUncertaintyPpm: null,
    latencyNs: null,
    startsNs: Array.from(beginsNs),
    endsNs: Array.from(endsNs),
    deviceStarts: ticks(beginsNs),
    deviceEnds: ticks(endsNs),
  };
}

function byDevice(times: DeviceTimes, fit: ClockFit, submitStartNs: Float64Array): Execution {
  const unwrapped = (values: readonly (bigint | null)[]) =>
    values.map((ticks, leaf) => (ticks === null ? null : fit.unwrap(ticks, submitStartNs[leaf])));
  const deviceStarts = unwrapped(times.begins);
  const deviceEnds = unwrapped(times.ends);
  const onHost = (ticks: bigint | null) => (ticks === null ? null : fit.toHostNs(ticks));
  const { latency } = times;
  return {
    clock: 'device',
    reason: null,
    uncertaintyNs: fit.uncertaintyNs,
    driftPpm: fit.driftPpm,
    driftUncertaintyPpm: fit.driftUncertaintyPpm,
    latencyNs: latency && Number(BigInt.asIntN(times.bits, latency.reached - latency.submitted)),
    startsNs: deviceStarts.map(onHost),
    endsNs: deviceEnds.map(onHost),
    deviceStarts,
    deviceEnds,
  };
}

function execution(times: DeviceTimes | HostTimes | NoTimes, record: RunRecord): Execution {
  if (times.clock === 'none') return unknown(record.submitStartNs.length, times.reason);
  if (times.clock === 'host') return byHost(times, record.originNs);
  const fit = fitClocks(times.before, times.after, times.bits);
  return typeof fit === 'string'
    ? unknown(record.submitStartNs.length, fit)
    : byDevice(times, fit, record.submitStartNs);
}

/** The timeline of a frame's recorded runs, all on the host's clock; null for none. */
export function frameTimeline(records: readonly RunRecord[]): FrameTimeline | null {
  if (records.length === 0) return null;
  const runs = records.map(
    (record): RunTimeline => ({
      startNs: record.startNs,
      submittedNs: record.submittedNs,
      finishedNs: record.finishedNs,
      ...execution(record.times, record),
      submitStartNs: Array.from(record.submitStartNs),
      submitEndNs: Array.from(record.submitEndNs),
      finishNs: Array.from(record.finishNs),
    }),
  );
  return { originNs: records[0].originNs, runs };
}
