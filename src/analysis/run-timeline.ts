import type { DeviceTimes, FrameTimeline, HostTimes, RunRecord, RunTimeline } from '../model/timeline.ts';
import { fitClocks, unwrapNear } from './clock-sync.ts';

type Execution = Omit<
  RunTimeline,
  'startNs' | 'submittedNs' | 'finishedNs' | 'latencyNs' | 'submitStartNs' | 'submitEndNs' | 'finishNs'
>;

function unknown(leaves: number, reason: string): Execution {
  const none = new Array<null>(leaves).fill(null);
  return {
    clock: 'none',
    reason,
    uncertaintyNs: null,
    driftPpm: null,
    driftUncertaintyPpm: null,
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
    startsNs: Array.from(beginsNs),
    endsNs: Array.from(endsNs),
    deviceStarts: ticks(beginsNs),
    deviceEnds: ticks(endsNs),
  };
}

/** Nothing runs before its call or after the finish behind it: a time that is off by no more than it may be is put right. */
function possible(timeNs: number, fromNs: number, toNs: number, uncertaintyNs: number): number {
  const nearest = Math.min(Math.max(timeNs, fromNs), toNs);
  return Math.abs(nearest - timeNs) <= uncertaintyNs ? nearest : timeNs;
}

/** Where the clocks cannot be brought together, the device's is left by itself, and why. */
function byDevice({ begins, ends, bits, readings }: DeviceTimes, record: RunRecord): Execution {
  const fitted = fitClocks(readings, bits);
  const [fit, reason] = typeof fitted === 'string' ? [null, fitted] : [fitted, null];
  const { submitStartNs, finishNs } = record;
  let last: bigint | null = null;
  /** Of timestamps in the order they were taken. */
  const unwrap = (ticks: bigint | null, leaf: number): bigint | null => {
    if (ticks === null) return null;
    const expected: bigint = fit?.toTicks(submitStartNs[leaf]) ?? last ?? ticks;
    last = unwrapNear(ticks, bits, last === null || expected > last ? expected : last);
    return last;
  };
  const deviceStarts: (bigint | null)[] = [];
  const deviceEnds: (bigint | null)[] = [];
  begins.forEach((begin, leaf) => {
    deviceStarts.push(unwrap(begin, leaf));
    deviceEnds.push(unwrap(ends[leaf], leaf));
  });
  const onHost = (ticks: bigint | null, leaf: number): number | null =>
    fit && ticks !== null
      ? possible(fit.toHostNs(ticks), submitStartNs[leaf], finishNs[leaf], fit.uncertaintyNs)
      : null;
  return {
    clock: 'device',
    reason,
    uncertaintyNs: fit?.uncertaintyNs ?? null,
    driftPpm: fit?.driftPpm ?? null,
    driftUncertaintyPpm: fit?.driftUncertaintyPpm ?? null,
    startsNs: deviceStarts.map(onHost),
    endsNs: deviceEnds.map(onHost),
    deviceStarts,
    deviceEnds,
  };
}

function execution(record: RunRecord): Execution {
  const { times } = record;
  if (times.clock === 'none') return unknown(record.submitStartNs.length, times.reason);
  return times.clock === 'host' ? byHost(times, record.originNs) : byDevice(times, record);
}

/** The timeline of a frame's recorded runs, all on the host's clock; null for none. */
export function frameTimeline(records: readonly RunRecord[]): FrameTimeline | null {
  if (records.length === 0) return null;
  const runs = records.map(
    (record): RunTimeline => ({
      startNs: record.startNs,
      submittedNs: record.submittedNs,
      finishedNs: record.finishedNs,
      latencyNs: record.latencyNs,
      ...execution(record),
      submitStartNs: Array.from(record.submitStartNs),
      submitEndNs: Array.from(record.submitEndNs),
      finishNs: Array.from(record.finishNs),
    }),
  );
  return { originNs: records[0].originNs, runs };
}
