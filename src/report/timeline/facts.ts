import { median } from '../../model/median.ts';
import type { FrameReport } from '../../model/report.ts';
import type { RunTimeline } from '../../model/timeline.ts';
import { durationText } from '../../model/units.ts';

function clockText(runs: readonly RunTimeline[]): string {
  const untold = runs.find(({ reason }) => reason !== null);
  if (untold) return `of submission only: ${untold.reason}`;
  const [{ clock }] = runs;
  const offNs = Math.max(...runs.map(({ uncertaintyNs }) => uncertaintyNs ?? 0));
  return clock === 'device'
    ? `of execution by the GPU's clock, at most ${durationText(offNs)} off on the host's`
    : "of execution by the host's clock, between finishes";
}

function latencyText(runs: readonly RunTimeline[]): string {
  const known = runs.flatMap(({ latencyNs }) => latencyNs ?? []);
  if (known.length === 0) return 'unknown: no timestamp tells';
  const each = known.length < 2 ? '' : `, ${durationText(Math.min(...known))} to ${durationText(Math.max(...known))}`;
  return `${durationText(median(known))}${each}, by which the GPU was behind when a run's last call had been submitted`;
}

/** What a frame's timeline rests on, and how long the pipeline is; nothing where none was recorded. */
export function timelineFacts({ timeline }: FrameReport): { readonly label: string; readonly text: string }[] {
  const runs = timeline?.runs ?? [];
  if (runs.length === 0) return [];
  return [
    { label: 'timeline', text: clockText(runs) },
    { label: 'latency', text: latencyText(runs) },
  ];
}
