/**
 * Timestamps of an event with the contract of Level Zero's zeEventQueryKernelTimestampsExt: a packet for each bracket that
 * was recorded for the event, read in two calls, the first of which asks how many there are.
 */
import { GpuprofError } from '../errors.ts';
import type { FrameReport } from '../model/report.ts';
import type { RunTimeline } from '../model/timeline.ts';

/** What can be asked of an event. */
export const timestampFlags = { kernel: 1, synchronized: 2 } as const;

export interface TimestampData {
  readonly kernelStart: bigint;
  readonly kernelEnd: bigint;
}

/** `context` counts only what this context was active; GL has one clock, so it is the same as `global`. */
export interface TimestampResult {
  readonly global: TimestampData;
  readonly context: TimestampData;
}

/** One bracket of an event. */
export interface TimestampPacket {
  /** On the device's clock. */
  readonly kernel: TimestampResult;
  /** On the host's monotonic clock, in nanoseconds; null when the clocks could not be paired. */
  readonly synchronized: TimestampResult | null;
}

/** An event whose brackets have been recorded; null packets while it has not completed. */
export interface TimestampEvent {
  readonly packets: readonly TimestampPacket[] | null;
  /** Of {@link timestampFlags}: what the packets hold. */
  readonly flags: number;
}

/** Where results go: either array or both, at least as long as the count says. */
export interface TimestampBuffers {
  readonly kernel?: TimestampResult[];
  readonly synchronized?: TimestampResult[];
}

/**
 * Reads an event's packets. With `count.value` 0, sets it to how many there are; a larger count than that is set right and
 * all are written; with a smaller one only so many are written, from the first on. Returns `not-ready`, with count and
 * buffers untouched, for an event that has not completed. Throws GpuprofError `query-misuse`, with nothing written, for
 * a count that is no whole number, for a buffer shorter than its count, and for timestamps that the event does not hold.
 */
export function queryKernelTimestamps(
  event: TimestampEvent,
  count: { value: number },
  buffers: TimestampBuffers = {},
): 'success' | 'not-ready' {
  const { packets, flags } = event;
  if (packets === null) return 'not-ready';
  if (!Number.isInteger(count.value) || count.value < 0)
    throw new GpuprofError('query-misuse', `a count of ${count.value} packets is no count`);
  for (const name of ['kernel', 'synchronized'] as const) {
    const buffer = buffers[name];
    if (buffer === undefined || count.value === 0) continue;
    if ((flags & timestampFlags[name]) === 0)
      throw new GpuprofError('query-misuse', `the event holds no ${name} timestamps`);
    if (buffer.length < count.value)
      throw new GpuprofError('query-misuse', `a buffer of ${buffer.length} is too small for ${count.value} packets`);
  }
  if (count.value === 0) {
    count.value = packets.length;
    return 'success';
  }
  count.value = Math.min(count.value, packets.length);
  for (let index = 0; index < count.value; index++) {
    const { kernel, synchronized } = packets[index];
    if (buffers.kernel) buffers.kernel[index] = kernel;
    if (buffers.synchronized && synchronized) buffers.synchronized[index] = synchronized;
  }
  return 'success';
}

const result = (kernelStart: bigint, kernelEnd: bigint): TimestampResult => {
  const data = { kernelStart, kernelEnd };
  return { global: data, context: data };
};

function packetOf(run: RunTimeline, leaf: number, originNs: number): TimestampPacket | null {
  const [start, end] = [run.deviceStarts[leaf], run.deviceEnds[leaf]];
  const [startNs, endNs] = [run.startsNs[leaf], run.endsNs[leaf]];
  if (start === null || end === null) return null;
  const host = (timeNs: number) => BigInt(originNs) + BigInt(Math.round(timeNs));
  return {
    kernel: result(start, end),
    synchronized: startNs === null || endNs === null ? null : result(host(startNs), host(endNs)),
  };
}

/**
 * The event of a frame that was replayed with its timeline: a packet for each bracket of each run that gave a result, of a
 * group for each leaf in it. It holds synchronized timestamps where the clocks of all these runs were paired. Throws GpuprofError `query-misuse` when the frame has no such event.
 */
export function timestampEvent(frame: FrameReport, eventId: number): TimestampEvent {
  const at = frame.nodes.findIndex((node) => node.eventId === eventId);
  if (at < 0) throw new GpuprofError('query-misuse', `frame ${frame.frame} has no event ${eventId}`);
  let end = at + 1;
  while (end < frame.nodes.length && frame.nodes[end].depth > frame.nodes[at].depth) end++;
  const countLeaves = (nodes: FrameReport['nodes']) => nodes.filter(({ isLeaf }) => isLeaf).length;
  const first = countLeaves(frame.nodes.slice(0, at));
  const leaves = countLeaves(frame.nodes.slice(at, end));
  const { runs, originNs } = frame.timeline ?? { runs: [], originNs: 0 };
  const packets = runs.flatMap((run) =>
    Array.from({ length: leaves }, (_, leaf) => packetOf(run, first + leaf, originNs)).filter(
      (packet) => packet !== null,
    ),
  );
  const isSynchronized = packets.every(({ synchronized }) => synchronized !== null);
  return {
    packets: packets.length > 0 ? packets : null,
    flags: timestampFlags.kernel | (isSynchronized ? timestampFlags.synchronized : 0),
  };
}
