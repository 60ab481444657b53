/** What a trace must show of a report, when Perfetto has loaded it. */
import assert from 'node:assert/strict';
import type { FrameReport, Report } from '../../src/model/report.ts';
import { type LoadedSlice, type LoadedTrace, loadTrace } from './load-trace.ts';

const host = 1;
const device = 2;

const key = ({ args }: LoadedSlice): string => `${args.frame}/${args.run}/${args.eventId ?? null}`;

/** The event that a slice lies in by the event tree; null is the frame. */
const within = ({ parent }: LoadedSlice): unknown => parent?.args.eventId ?? null;

function checkRun(trace: LoadedTrace, frame: FrameReport, run: number, raw: boolean): void {
  const of = (pid: number) =>
    new Map(
      trace.slices
        .filter(
          ({ pid: of, name, args }) =>
            of === pid && args.frame === frame.frame && args.run === run + 1 && name !== 'glFinish',
        )
        .map((slice) => [slice.args.eventId ?? null, slice]),
    );
  const [submitted, executed] = [of(host), of(device)];
  let sumNs = 0;
  let leaves = 0;
  for (const { eventId, parentId, isLeaf, samples, kind } of frame.nodes) {
    const durationNs = samples[raw ? 'rawNs' : 'durationNs'][run] ?? null;
    const slice = executed.get(eventId);
    const isTimed = frame.timeline?.runs[run].startsNs.some((timeNs) => timeNs !== null) && durationNs !== null;
    assert.equal(slice !== undefined, isTimed, `${kind} ${eventId} in run ${run + 1}`);
    if (eventId !== null && isLeaf) assert.ok(submitted.has(eventId), `${eventId} was submitted`);
    if (slice === undefined || durationNs === null) continue;
    if (eventId !== null) assert.equal(within(slice), parentId, `${slice.name} in its group`);
    const onHost = submitted.get(eventId);
    if (eventId !== null && onHost) assert.equal(within(onHost), parentId, `${slice.name} in its group`);
    assert.equal(slice.args.durationNs, samples.durationNs[run]);
    if (!isLeaf) continue;
    leaves++;
    sumNs += slice.endNs - slice.startNs;
    assert.ok(Math.abs(slice.endNs - slice.startNs - durationNs) <= 1, `${slice.name} lasts as long as the table says`);
    assert.ok(onHost && slice.startNs >= onHost.startNs, `${slice.name} begins after its call`);
    const flows = trace.flows.filter(({ to }) => to === slice).map(({ from }) => key(from));
    assert.deepEqual(flows, [key(slice)]);
  }
  const totalNs = frame.nodes[0]?.samples[raw ? 'rawNs' : 'durationNs'][run] ?? 0;
  assert.ok(leaves === 0 || Math.abs(sumNs - totalNs) <= leaves, `${sumNs} of ${totalNs}`);
}

/** Loads a trace of a report as Perfetto would: nothing is lost, nested as the event tree, and totals are the table's. */
export function checkTrace(text: string, report: Report, raw = false): LoadedTrace {
  const trace = loadTrace(text);
  assert.deepEqual(trace.problems, []);
  for (const frame of report.frames)
    frame.timeline?.runs.forEach((_, run) => {
      checkRun(trace, frame, run, raw);
    });
  const leaves = trace.slices.filter(({ pid, args }) => pid === device && 'deviceStart' in args);
  assert.equal(trace.flows.length, leaves.length);
  return trace;
}
